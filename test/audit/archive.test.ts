import { describe, expect, spyOn, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, NO_ORGANIZATION } from "../../db/database.ts";
import { verifyArchive } from "../../src/audit/archive.ts";
import type { AuditEntry } from "../../src/audit/chain.ts";
import { recordEntries } from "../../src/audit/trail.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import { archiveAuditCommand } from "../../src/commands/audit-archive.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { captureOutput } from "../support/commands/practice.ts";
import { runInProcess } from "../support/commands/program.ts";
import { newOrganization } from "../support/factories.ts";
import { newDatabase, temporaryFolder, TestClock } from "../support/harness.ts";

/**
 * `audit archive` moves the oldest entries to a file. Both the file and the rest of the trail
 * remain verifiable.
 */

const entry = (organizationId: string, number: number, month: number): AuditEntry => ({
  organizationId,
  time: `2026-0${month}-15T12:00:00.000Z` as Instant,
  requestId: `r-${number}`,
  keyId: "key_1",
  userId: null,
  role: "ADMIN",
  method: "GET",
  route: "/v1/users",
  status: 200,
  patientIds: ["usr_1"],
  target: "/api/v1/users?search=ana",
  address: null,
  operator: null,
  requests: null,
});

/** Chains of two organizations, each with entries of January and of March. */
async function newTrail(rows = 3): Promise<Database> {
  const database = await newDatabase();
  for (const public_id of ["org_a", "org_b"]) await newOrganization(database, { public_id });
  const months = [1, 3].flatMap((month) => Array.from({ length: rows }, () => month));
  await database.write(
    (trx) =>
      recordEntries(
        trx,
        ["org_a", "org_b"].flatMap((organization) =>
          months.map((month, index) => entry(organization, index + 1, month)),
        ),
      ),
    NO_ORGANIZATION,
  );
  return database;
}

const FEBRUARY = "2026-02-01T00:00:00.000Z" as Instant;

/** Archives the entries before February and returns the file. */
async function archive(database: Database, before = FEBRUARY) {
  const file = join(temporaryFolder(), "archive.ndjson");
  const output = captureOutput();
  const clock = new TestClock();
  await archiveAuditCommand({ database, clock, operator: "ana", output }, { file, before });
  return { file, output, lines: existsSync(file) ? readFileSync(file, "utf8").split("\n") : [] };
}

const faultsOf = async (database: Database, known = new Map()) =>
  (await database.read((db) => verifyChains(db, known))).flatMap(({ fault }) =>
    fault === undefined ? [] : [fault.message],
  );

const sequencesOf = (database: Database) =>
  database.read(async (db) =>
    (
      await db
        .selectFrom("audit_entries")
        .select(["sequence", "route"])
        .where("organization_id", "=", "org_a")
        .orderBy("sequence")
        .execute()
    ).map(({ sequence, route }) => `${sequence} ${route}`),
  );

describe("audit archive", () => {
  test("moves entries with a time in the future together with their neighbours, since a clock may have been wrong", async () => {
    const database = await newTrail();
    await database.write(
      (trx) =>
        recordEntries(trx, [
          { ...entry("org_a", 7, 3), time: "2031-01-01T00:00:00.000Z" as Instant },
          entry("org_a", 8, 3),
        ]),
      NO_ORGANIZATION,
    );
    const { lines } = await archive(database, "2026-04-01T00:00:00.000Z" as Instant);
    const ofA = lines.slice(1, -1).filter((line) => line.includes('"org_a"'));
    expect(ofA).toHaveLength(8);
    expect(await sequencesOf(database)).toEqual(["9 audit archive"]);
    expect(await faultsOf(database)).toEqual([]);
  });

  test("moves the oldest entries of each chain to a private file, and the trail continues from its anchor", async () => {
    const database = await newTrail();
    const { file, lines, output } = await archive(database);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, ".."))).toEqual(["archive.ndjson"]);
    const rows = lines.slice(1, -1).map((line) => JSON.parse(line));
    expect(rows.map(({ organizationId, sequence }) => `${organizationId} ${sequence}`)).toEqual(
      ["org_a", "org_b"].flatMap((organization) =>
        [1, 2, 3].map((row) => `${organization} ${row}`),
      ),
    );
    expect(rows[0]).toEqual({ sequence: 1, ...entry("org_a", 1, 1), hash: expect.any(String) });
    expect([output.results, output.said]).toEqual([
      [file],
      [
        "Moved 6 rows. The file shows who accessed which patient's data: protect it like the database.",
      ],
    ]);

    expect(await sequencesOf(database)).toEqual([
      "4 /v1/users",
      "5 /v1/users",
      "6 /v1/users",
      "7 audit archive",
    ]);
    expect(await faultsOf(database)).toEqual([]);
    const parts = await verifyArchive(file);
    expect(parts).toEqual([
      { organizationId: "org_a", head: { sequence: 3, hash: rows[2].hash } },
      { organizationId: "org_b", head: { sequence: 3, hash: rows[5].hash } },
    ]);
  });

  test("continues after an earlier archive, up to the end of a chain", async () => {
    const database = await newTrail();
    await archive(database);
    const { file, lines } = await archive(database, "2027-01-01T00:00:00.000Z" as Instant);
    expect(JSON.parse(lines[1] ?? "").sequence).toBe(4);
    expect((await verifyArchive(file)).map(({ head }) => head.sequence)).toEqual([7, 7]);
    expect(await sequencesOf(database)).toEqual(["8 audit archive"]);
    expect(await faultsOf(database)).toEqual([]);
  });

  test("creates no file if there is nothing to move", async () => {
    const database = await newTrail();
    const { output, lines } = await archive(database, "2026-01-01T00:00:00.000Z" as Instant);
    expect([lines, output.results]).toEqual([[], []]);
  });

  test("refuses a trail with a broken chain", async () => {
    const database = await newTrail();
    await database.write(
      (trx) =>
        trx.updateTable("audit_entries").set({ status: 404 }).where("sequence", "=", 2).execute(),
      NO_ORGANIZATION,
    );
    await expect(archive(database)).rejects.toThrow("The audit trail of org_a is not whole");
    expect(await sequencesOf(database)).toHaveLength(6);
  });

  test("leaves a valid trail when it is interrupted, and can be repeated", async () => {
    const database = await newTrail(2_500);
    const realWrite = database.write.bind(database);
    let writes = 0;
    const write = spyOn(database, "write").mockImplementation((work, options) => {
      writes += 1;
      return writes > 3 ? Promise.reject(new Error("killed")) : realWrite(work, options);
    });
    await expect(archive(database)).rejects.toThrow("killed");
    write.mockRestore();
    expect((await sequencesOf(database))[0]).toBe("2001 /v1/users");
    expect(await faultsOf(database)).toEqual([]);
    const { file } = await archive(database);
    expect((await verifyArchive(file)).map(({ fault }) => fault)).toEqual([undefined, undefined]);
    expect((await sequencesOf(database))[0]).toBe("2501 /v1/users");
    expect(await faultsOf(database)).toEqual([]);
  });
});

describe("the trail after an archive", () => {
  test("is invalid if the oldest entries and the anchor were changed without an archive", async () => {
    const database = await newTrail();
    await archive(database);
    await database.write(async (trx) => {
      const cut = await trx
        .selectFrom("audit_entries")
        .select(["sequence as anchor_sequence", "hash as anchor_hash"])
        .where("organization_id", "=", "org_a")
        .where("sequence", "=", 5)
        .executeTakeFirstOrThrow();
      await trx
        .updateTable("audit_heads")
        .set(cut)
        .where("organization_id", "=", "org_a")
        .execute();
      await trx
        .deleteFrom("audit_entries")
        .where("organization_id", "=", "org_a")
        .where("sequence", "<=", 5)
        .execute();
    }, NO_ORGANIZATION);
    expect(await faultsOf(database)).toEqual([
      "the oldest rows were removed, and no archive was made of them",
    ]);
  });

  test("a head saved before the archive is verified with the archive", async () => {
    const database = await newTrail();
    const heads = await database.read(async (db) =>
      (
        await db
          .selectFrom("audit_entries")
          .select(["sequence", "hash"])
          .where("organization_id", "=", "org_a")
          .orderBy("sequence")
          .execute()
      ).map((head) => new Map([["org_a", head]])),
    );
    const { file } = await archive(database);
    const faults = async (known: Map<string, { sequence: number; hash: string }>) =>
      (await verifyArchive(file, known)).flatMap(({ fault }) => fault?.message ?? []);
    const [first = new Map(), , third = new Map(), fourth = new Map()] = heads;
    expect(await faultsOf(database, first)).toEqual([
      "row 1 is in an archive, which that head proves",
    ]);
    expect(await faultsOf(database, third)).toEqual([]);
    expect(await faultsOf(database, fourth)).toEqual([]);
    expect(await faults(first)).toEqual([]);
    const wrong = { sequence: 1, hash: "0".repeat(64) };
    expect(await faults(new Map([["org_a", wrong]]))).toEqual([
      "row 1 is not the one whose head was kept",
    ]);
  });
});

describe("verification of an archive", () => {
  /** The faults found in a file whose lines were changed. */
  async function faultAfter(change: (lines: string[]) => string[]) {
    const { file, lines } = await archive(await newTrail());
    writeFileSync(file, change(lines).join("\n"));
    return (await verifyArchive(file)).map(({ organizationId, fault }) =>
      fault === undefined ? organizationId : `${organizationId}: ${fault.message}`,
    );
  }

  const attacks: [string, (lines: string[]) => string[], string[]][] = [
    ["no change", (lines) => lines, ["org_a", "org_b"]],
    ["its last line cut off", (lines) => lines.slice(0, -2), ["org_a", "org_b: row 3 is missing"]],
    [
      "its last line cut in half",
      (lines) => lines.map((line, index) => (index === 6 ? line.slice(0, 40) : line)).slice(0, 7),
      ["org_a", "org_b: row 3 is not as it was written"],
    ],
    ["all rows cut off", (lines) => lines.slice(0, 1), ["org_a: row 1 is missing"]],
    ["a row removed", (lines) => lines.toSpliced(2, 1), ["org_a: row 2 is not as it was written"]],
    [
      "a row changed",
      (lines) => lines.map((line, index) => (index === 3 ? line.replace("200", "404") : line)),
      ["org_a: row 3 is not as it was written"],
    ],
    [
      "a patient in another spelling",
      (lines) =>
        lines.map((line, index) => (index === 1 ? line.replace("usr_1", "usr_\\u0031") : line)),
      ["org_a: row 1 is not as it was written"],
    ],
    [
      "a row added at the end",
      (lines) => [...lines.slice(0, -1), lines[6] ?? "", ""],
      ["org_a", "org_b", "org_b: lines were added after the last row"],
    ],
  ];
  for (const [name, change, found] of attacks)
    test(`with ${name}`, async () => expect(await faultAfter(change)).toEqual(found));

  test("works with audit verify FILE without a database", async () => {
    const { file, lines } = await archive(await newTrail());
    const cwd = temporaryFolder();
    const verify = () => runInProcess(["audit", "verify", file], { cwd });
    expect(await verify()).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^org_a:3:[0-9a-f]{64}\norg_b:3:[0-9a-f]{64}\n$/),
      stderr: "The archive is whole (parts of 2 chains).\n",
    });
    writeFileSync(file, lines.slice(0, 5).join("\n"));
    expect(await verify()).toEqual({
      status: 1,
      stdout: expect.stringMatching(/^org_a:3:[0-9a-f]{64}\n$/),
      stderr: "error: audit trail of org_b: row 2 is missing\n",
    });
    for (const other of ["", "{}", '{"auditArchive":1,"parts":[{}]}', '{"auditArchive":1}']) {
      writeFileSync(file, other);
      await expect(verifyArchive(file)).rejects.toThrow("is not an archive of an audit trail.");
    }
    expect((await verify()).stderr).toBe(`error: ${file} is not an archive of an audit trail.\n`);
    expect(await runInProcess(["audit", "verify", cwd], { cwd })).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: Cannot read ${cwd} (EISDIR): it must be a readable file.\n`,
    });
  });

  test("an archive never replaces a file, and no file is left if it cannot be written", async () => {
    const cwd = temporaryFolder();
    await runInProcess(["migrate"], { cwd });
    const run = (file: string, before = "2999-01-01") =>
      runInProcess(["audit", "archive", file, "--before", before], { cwd });
    expect(await run("a.ndjson")).toMatchObject({ status: 0, stdout: "a.ndjson\n" });
    expect(await run("a.ndjson")).toMatchObject({
      status: 1,
      stderr:
        "error: a.ndjson exists, and an archive never replaces a file. Choose another name.\n",
    });
    expect(await run("missing/a.ndjson")).toMatchObject({
      status: 1,
      stderr:
        "error: Cannot write missing/a.ndjson (ENOENT): its folder must be writable and have room.\n",
    });
    expect((await run("b.ndjson", "soon")).status).toBe(2);
    expect((await runInProcess(["audit", "verify"], { cwd })).status).toBe(0);
  });
});
