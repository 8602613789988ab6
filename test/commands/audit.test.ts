import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { connect, type Database } from "../../db/connect.ts";
import { recordEntry } from "../../src/audit/recording.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newOrganization } from "../factories.ts";
import { temporaryFolder } from "../harness.ts";
import { runProgram } from "./program.ts";

const cwd = temporaryFolder();
const run = (...args: string[]) => runProgram(["audit", ...args], { cwd });

async function onDatabase(work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = connect(join(cwd, "caseload.db"), "existing");
  await work(database);
  await database.close();
}

beforeAll(async () => {
  await runProgram(["migrate"], { cwd });
  await onDatabase(async (database) => {
    await newOrganization(database, { public_id: "org_maple" });
    const row = (day: number, keyId: string, patientIds: string[]) => ({
      organizationId: "org_maple",
      time: `2026-03-0${day}T12:00:00.000Z` as Instant,
      requestId: `r-${day}`,
      keyId,
      userId: "usr_1",
      role: "ADMIN",
      method: "GET",
      route: "/v1/users",
      status: 200,
      patientIds,
    });
    await database.write(async (trx) => {
      await recordEntry(trx, row(1, "key_1", ["usr_a", "usr_b"]));
      await recordEntry(trx, row(2, "key_2", ["usr_ab"]));
      await recordEntry(trx, row(3, "key_1", []));
    });
  });
});

const requestIds = (stdout: string): string[] =>
  stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).requestId);

describe("audit list", () => {
  test("prints a line a row, and one JSON object a line with --json", async () => {
    const { stdout, status } = await run("list");
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "TIME\tORGANIZATION\tNUMBER\tKEY\tUSER\tROLE\tACT\tSTATUS\tPATIENTS",
      "2026-03-01T12:00:00.000Z\torg_maple\t1\tkey_1\tusr_1\tADMIN\tGET /v1/users\t200\tusr_a,usr_b",
    ]);
    expect(status).toBe(0);
    const [first = ""] = (await run("list", "--json")).stdout.split("\n");
    expect(JSON.parse(first)).toEqual({
      sequence: 1,
      organizationId: "org_maple",
      time: "2026-03-01T12:00:00.000Z",
      requestId: "r-1",
      keyId: "key_1",
      userId: "usr_1",
      role: "ADMIN",
      method: "GET",
      route: "/v1/users",
      status: 200,
      patientIds: ["usr_a", "usr_b"],
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  const filters: [string[], string[]][] = [
    [["--patient", "usr_a"], ["r-1"]],
    [["--patient", "usr_ab"], ["r-2"]],
    [["--patient", "usr_"], []],
    [
      ["--key", "key_1"],
      ["r-1", "r-3"],
    ],
    [
      ["--from", "2026-03-02"],
      ["r-2", "r-3"],
    ],
    [
      ["--to", "2026-03-02"],
      ["r-1", "r-2"],
    ],
    [["--from", "2026-03-02T12:00:00Z", "--to", "2026-03-02T12:00:00Z"], ["r-2"]],
    [["--key", "key_1", "--patient", "usr_ab"], []],
  ];
  for (const [args, expected] of filters)
    test(`filters by ${args.join(" ")}`, async () => {
      expect(requestIds((await run("list", "--json", ...args)).stdout)).toEqual(expected);
    });

  test("refuses a time that is none", async () => {
    const { status, stderr } = await run("list", "--from", "yesterday");
    expect([status, stderr]).toEqual([2, expect.stringContaining("a date such as 2027-01-31")]);
  });
});

describe("audit verify", () => {
  test("prints the heads of a whole trail, which it later takes as a proof", async () => {
    const first = await run("verify");
    expect(first).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^org_maple:3:[0-9a-f]{64}\n$/),
      stderr: "The audit trail is whole (1 chains). Keep these heads elsewhere.\n",
    });
    expect((await run("verify", "--head", first.stdout.trim())).status).toBe(0);
    const other = first.stdout.trim().replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    expect(await run("verify", "--head", other)).toMatchObject({
      status: 1,
      stderr: "error: audit trail of org_maple: row 3 is not the one whose head was kept\n",
    });
    expect((await run("verify", "--head", "org_maple")).status).toBe(2);
  });

  test("has a row for the making of a key", async () => {
    const args = [
      "keys",
      "create",
      "--organization",
      "org_maple",
      "--role",
      "ADMIN",
      "--name",
      "x",
    ];
    await runProgram(args, { cwd });
    const lines = (await run("list", "--json")).stdout.trim().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      organizationId: "org_maple",
      method: "COMMAND",
      route: "keys create",
      keyId: expect.stringMatching(/^key_/),
      status: 0,
    });
    expect((await run("verify")).status).toBe(0);
  });

  test("ends with status 1 where a row was changed, and names it", async () => {
    await onDatabase((database) =>
      database.write((trx) =>
        trx.updateTable("audit_entries").set({ status: 404 }).where("sequence", "=", 2).execute(),
      ),
    );
    expect(await run("verify")).toMatchObject({
      status: 1,
      stderr: "error: audit trail of org_maple: row 2 is not as it was written\n",
    });
    const [chain] = JSON.parse((await run("verify", "--json")).stdout);
    expect(chain.fault).toEqual({ sequence: 2, message: "row 2 is not as it was written" });
  });
});
