import { beforeAll, expect, test } from "bun:test";
import type { Db } from "../../db/database.ts";
import type { AuditEntryRow } from "../../db/schema.ts";
import { recordCommand } from "../../src/audit/trail.ts";
import { insertRows } from "../../src/audit/repository.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newOrganization } from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";

/** Rows that are added without a wait for each: a write that adds one which cannot be fails, and no other. */

const { database } = await newService();
const organizationId = await newOrganization(database);

const write = (work: (trx: Db) => Promise<void>) => database.write(work, { organizationId });
const act = (command: string) =>
  write((trx) =>
    recordCommand(trx, { organizationId, command, operator: "ana", time: NOW as Instant }),
  );

const rows = (): Promise<AuditEntryRow[]> =>
  database.read((db) => db.selectFrom("audit_entries").selectAll().orderBy("sequence").execute());

let taken: AuditEntryRow[];
beforeAll(async () => {
  await act("first");
  taken = await rows();
});

/** Does acts in one group with what fails, and gives who failed and what is kept of the acts. */
async function together(commands: string[], failing: ((trx: Db) => Promise<void>)[]) {
  const before = (await rows()).length;
  const [first = "", ...others] = commands;
  const outcomes = await Promise.allSettled([
    act(first),
    ...failing.map(write),
    ...others.map((command) => act(command)),
  ]);
  const [{ fault } = { fault: "no chain" }] = await database.read((db) => verifyChains(db));
  return {
    statuses: outcomes.map(({ status }) => status),
    kept: (await rows()).slice(before).map(({ route }) => route),
    fault,
  };
}

const addTaken = (trx: Db) => insertRows(trx, taken);

test("in a group with writes that succeed", async () => {
  expect(await together(["a", "b"], [addTaken])).toEqual({
    statuses: ["fulfilled", "rejected", "fulfilled"],
    kept: ["a", "b"],
    fault: undefined,
  });
});

test("in a group with a write that fails by itself", async () => {
  const refuse = () => Promise.reject(new RangeError("not allowed"));
  expect(await together(["c", "d"], [refuse, addTaken])).toEqual({
    statuses: ["fulfilled", "rejected", "rejected", "fulfilled"],
    kept: ["c", "d"],
    fault: undefined,
  });
});

test("nothing else of its write is kept", async () => {
  const before = await rows();
  const failing = write(async (trx) => {
    await recordCommand(trx, {
      organizationId,
      command: "e",
      operator: "ana",
      time: NOW as Instant,
    });
    await addTaken(trx);
  });
  await expect(failing).rejects.toThrow();
  expect(await rows()).toEqual(before);
});
