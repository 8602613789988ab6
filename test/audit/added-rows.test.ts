import { beforeAll, expect, test } from "bun:test";
import type { Db } from "../../db/database.ts";
import type { AuditEntryRow } from "../../db/schema.ts";
import { recordCommand } from "../../src/audit/trail.ts";
import { insertRows } from "../../src/audit/repository.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newOrganization } from "../support/factories.ts";
import { newService, NOW } from "../support/harness.ts";

/**
 * Rows written with `addRows`, which does not wait for each statement. A failing row must fail its
 * own write only.
 */

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

/**
 * Runs writes that record commands together with failing ones, in one group. Returns which writes
 * failed and which commands are stored.
 */
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

test("a failing row in a group with successful writes fails only its write", async () => {
  expect(await together(["a", "b"], [addTaken])).toEqual({
    statuses: ["fulfilled", "rejected", "fulfilled"],
    kept: ["a", "b"],
    fault: undefined,
  });
});

test("a failing row in a group with another failing write fails only its write", async () => {
  const refuse = () => Promise.reject(new RangeError("not allowed"));
  expect(await together(["c", "d"], [refuse, addTaken])).toEqual({
    statuses: ["fulfilled", "rejected", "rejected", "fulfilled"],
    kept: ["c", "d"],
    fault: undefined,
  });
});

test("a write with a failing row stores nothing", async () => {
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
