import { beforeAll, describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { type Database, NO_ORGANIZATION } from "../../db/database.ts";
import { connectFile } from "../../db/sqlite/connect.ts";
import { recordEntry } from "../../src/audit/trail.ts";
import { listAuditCommand } from "../../src/commands/audit.ts";
import { backUpCommand } from "../../src/commands/backup.ts";
import { doctorCommand } from "../../src/commands/doctor.ts";
import { exportCommand } from "../../src/commands/export.ts";
import { importCommand, openPracticeFile } from "../../src/commands/import.ts";
import { listKeysCommand } from "../../src/commands/keys.ts";
import { migrateDatabase } from "../../src/commands/migrate.ts";
import { restoreCommand } from "../../src/commands/restore.ts";
import { operatorOf } from "../../src/config.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { issueKey, newOrganization, newUser } from "../support/factories.ts";
import { temporaryFolder } from "../support/harness.ts";
import { newPractice, onDatabase } from "../support/commands/practice.ts";
import { runInProcess } from "../support/commands/program.ts";

const cwd = temporaryFolder();
const run = (...args: string[]) => runInProcess(["audit", ...args], { cwd });

/** An audit entry of a day in March 2026. */
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
  target: `/api/v1/users?page=${day}`,
  address: null,
  operator: null,
  requests: null,
});

async function changeDatabase(work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = connectFile(join(cwd, "caseload.db"), "existing");
  await work(database);
  await database.close();
}

beforeAll(async () => {
  await runInProcess(["migrate"], { cwd });
  await changeDatabase(async (database) => {
    await newOrganization(database, { public_id: "org_maple" });
    await database.write(async (trx) => {
      await recordEntry(trx, row(1, "key_1", ["usr_a", "usr_b"]));
      await recordEntry(trx, row(2, "key_2", ["usr_ab"]));
      await recordEntry(trx, row(3, "key_1", []));
    }, NO_ORGANIZATION);
  });
});

/** The request ids of listed entries, without those of commands. */
const requestIds = (stdout: string): string[] =>
  stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ method }) => method !== "COMMAND")
    .map(({ requestId }) => requestId);

describe("audit list --names", () => {
  test("adds current names of keys and people, and records in the trail that they were shown", async () => {
    const { cwd, url, organization } = await newPractice();
    await onDatabase(url, async (database) => {
      await newUser(database, organization, {
        public_id: "usr_a",
        first_name: "Ana",
        last_name: "Ruiz",
      });
      await newUser(database, organization, {
        public_id: "usr_1",
        first_name: "Noor",
        last_name: "Ruiz",
      });
      const { id } = await issueKey(database, organization, { name: "front\tdesk" });
      await database.write(
        (trx) => recordEntry(trx, row(1, id, ["usr_a", "usr_gone"])),
        NO_ORGANIZATION,
      );
    });
    const list = async (...args: string[]) => {
      const { stdout } = await runInProcess(["audit", "list", ...args], { cwd });
      return stdout.split("\n").find((line) => line.includes("org_maple")) ?? "";
    };
    const { keyId, ...entry } = JSON.parse(await list("--names", "--json"));
    expect(entry).toMatchObject({
      keyName: "front\tdesk",
      userName: "Noor Ruiz",
      patientIds: ["usr_a", "usr_gone"],
      patientNames: ["Ana Ruiz", null],
    });
    expect((await list("--names")).split("\t").slice(3, 9)).toEqual([
      `${keyId} (front\\u0009desk)`,
      "usr_1 (Noor Ruiz)",
      ...["ADMIN", "GET /v1/users", "200"],
      "usr_a (Ana Ruiz),usr_gone",
    ]);
    expect(await list()).not.toContain("Ana");
    const { stdout } = await runInProcess(["audit", "list", "--json"], { cwd });
    const shown = stdout.split("\n").filter((line) => line.includes('"names'));
    expect(shown.map((line) => JSON.parse(line))).toMatchObject([
      { route: "audit list", patientIds: "*", target: '{"names":true}' },
      { route: "audit list", patientIds: "*", target: '{"names":true}' },
    ]);
  });
});

describe("audit list", () => {
  test("prints one line per entry, and one JSON object per line with --json", async () => {
    const { stdout, status } = await run("list");
    const lines = stdout.split("\n");
    expect([lines[0], lines.find((line) => line.includes("org_maple"))]).toEqual([
      "TIME\tORGANIZATION\tNUMBER\tKEY\tUSER\tROLE\tACT\tSTATUS\tPATIENTS\tOPERATOR\tADDRESS\tREQUESTS\tTARGET",
      "2026-03-01T12:00:00.000Z\torg_maple\t1\tkey_1\tusr_1\tADMIN\tGET /v1/users\t200\tusr_a,usr_b\t-\t-\t-\t/api/v1/users?page=1",
    ]);
    expect(status).toBe(0);
    const first = (await run("list", "--json")).stdout
      .split("\n")
      .find((line) => line.includes("org_maple"));
    expect(JSON.parse(first ?? "")).toEqual({
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
      target: "/api/v1/users?page=1",
      address: null,
      operator: null,
      requests: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  const filters: [string[], string[]][] = [
    [["--patient", "usr_a"], ["r-1"]],
    [["--patient", "usr_ab"], ["r-2"]],
    [["--patient", "usr_"], []],
    [["--patient", "usr_A"], []],
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

  test("refuses an invalid time", async () => {
    const { status, stderr } = await run("list", "--from", "yesterday");
    expect([status, stderr]).toEqual([2, expect.stringContaining("a date such as 2027-01-31")]);
  });
});

describe("audit verify", () => {
  test("prints the heads of a valid trail, which --head verifies later", async () => {
    const first = await run("verify");
    expect(first).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^-:[0-9]+:[0-9a-f]{64}\norg_maple:3:[0-9a-f]{64}\n$/),
      stderr: "The audit trail is whole (2 chains). Keep these heads elsewhere.\n",
    });
    const [unowned = "", maple = ""] = first.stdout.split("\n");
    expect((await run("verify", "--head", unowned, "--head", maple)).status).toBe(0);
    expect((await run("verify", "--head", first.stdout)).status).toBe(0);
    const other = maple.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    expect(await run("verify", "--head", other)).toMatchObject({
      status: 1,
      stderr: "error: audit trail of org_maple: row 3 is not the one whose head was kept\n",
    });
    expect((await run("verify", "--head", "org_maple")).status).toBe(2);
  });

  test("the trail has an entry for a created key", async () => {
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
    await runInProcess(args, { cwd });
    const lines = (await run("list", "--json")).stdout.trim().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      operator: operatorOf({}),
      organizationId: "org_maple",
      method: "COMMAND",
      route: "keys create",
      keyId: expect.stringMatching(/^key_/),
      status: 0,
    });
    expect((await run("verify")).status).toBe(0);
  });

  test("exits with status 1 and names the first changed entry", async () => {
    await changeDatabase((database) =>
      database.write(
        (trx) =>
          trx
            .updateTable("audit_entries")
            .set({ status: 404 })
            .where("organization_id", "=", "org_maple")
            .where("sequence", "=", 2)
            .execute(),
        NO_ORGANIZATION,
      ),
    );
    expect(await run("verify")).toMatchObject({
      status: 1,
      stderr: "error: audit trail of org_maple: row 2 is not as it was written\n",
    });
    const [, chain] = JSON.parse((await run("verify", "--json")).stdout);
    expect(chain.fault).toEqual({ sequence: 2, message: "row 2 is not as it was written" });
  });

  test("names a missing chain", async () => {
    await changeDatabase((database) =>
      database.write(async (trx) => {
        for (const table of ["audit_entries", "audit_heads"] as const)
          await trx.deleteFrom(table).where("organization_id", "=", "org_maple").execute();
      }, NO_ORGANIZATION),
    );
    expect(await run("verify")).toMatchObject({
      status: 1,
      stderr: "error: audit trail of org_maple: the chain is gone\n",
    });
  });
});

describe("entries that the program cannot have written", () => {
  test("are reported by audit list whatever the filter, and do not stop it", async () => {
    await runInProcess(["migrate", "--database", "tampered.db"], { cwd });
    const database = connectFile(join(cwd, "tampered.db"), "existing");
    await newOrganization(database, { public_id: "org_maple" });
    await database.write(async (trx) => {
      for (const day of [1, 2, 3]) await recordEntry(trx, row(day, "key_1", ["usr_a"]));
      const spellings = ['["usr_\\u0061"]', "[usr_a"];
      for (const [index, patient_ids] of spellings.entries())
        await trx
          .updateTable("audit_entries")
          .set({ patient_ids })
          .where("organization_id", "=", "org_maple")
          .where("sequence", "=", index + 1)
          .execute();
    }, NO_ORGANIZATION);
    await database.close();
    const listed = await run(
      ...["list", "--json", "--patient", "usr_b", "--database", "tampered.db"],
    );
    expect([listed.status, requestIds(listed.stdout), listed.stderr]).toEqual([
      1,
      [],
      "audit trail of org_maple: row 1 is not as it was written\n" +
        "audit trail of org_maple: row 2 is not as it was written\n" +
        'error: 2 rows are changed; find out who changed the trail ("caseload audit verify").\n',
    ]);
    const others = await run("list", "--json", "--database", "tampered.db");
    expect(requestIds(others.stdout)).toEqual(["r-3"]);
    expect((await run("verify", "--database", "tampered.db")).stderr).toBe(
      "error: audit trail of org_maple: row 1 is not as it was written\n",
    );
  });
});

describe("commands", () => {
  test("write audit entries with the operator, and with all patients if they concern all", async () => {
    const { url, clock, output } = await newPractice();
    const context = { url, clock, output, operator: "ana" };
    const folder = dirname(url);
    const head = JSON.stringify({ type: "organization", publicId: "org_maple", name: "Maple" });
    const good = join(folder, "maple.ndjson");
    const bad = join(folder, "bad.ndjson");
    const backup = join(folder, "monday.db");
    await Bun.write(good, head);
    await Bun.write(bad, `${head}\n{"type":"nothing"}\n`);
    const stdout = new PassThrough().resume();
    const terminal = new PassThrough().resume();
    const nothing = new Blob([]).stream();

    await migrateDatabase(context);
    await onDatabase(url, async (database) => {
      const given = { ...context, database, stdout, terminal };
      const bringIn = (file: string, dryRun: boolean) =>
        importCommand(given, openPracticeFile(file, nothing), dryRun ? { dryRun } : {});
      await bringIn(good, true);
      await bringIn(good, false);
      for (const dryRun of [false, true]) await expect(bringIn(bad, dryRun)).rejects.toThrow();
      await exportCommand(given, "org_maple");
      await listKeysCommand(given, {});
      await backUpCommand(given, { target: backup });
      await listAuditCommand(given, { patientId: "usr_a" });
    });
    await doctorCommand(context, {});
    const before = await rowsIn(url);
    await restoreCommand(context, { file: backup });
    const restored = (await rowsIn(url)).slice(0, 3);

    const all = '"*"';
    const row = (organization: string, route: string, rest: [number, string, string | null]) => [
      organization,
      route,
      "ana",
      ...rest,
    ];
    expect(before).toEqual([
      row("", "migrate", [0, "[]", null]),
      row("", "keys list", [0, "[]", null]),
      row("", "backup", [0, "[]", backup]),
      row("", "audit list", [0, '["usr_a"]', '{"patientId":"usr_a"}']),
      row("", "doctor", [0, "[]", null]),
      row("org_maple", "import --dry-run", [0, all, good]),
      row("org_maple", "import", [0, all, good]),
      row("org_maple", "import", [1, all, bad]),
      row("org_maple", "import --dry-run", [1, all, bad]),
      row("org_maple", "export", [0, all, null]),
    ]);
    // The entry of a backup is written after the copy, so the restored database does not have it.
    expect(restored).toEqual([...before.slice(0, 2), row("", "restore", [0, "[]", backup])]);
  });

  test("under sudo are recorded with the calling user, which only root can set", async () => {
    const given = { SUDO_USER: "ana" };
    const isRoot = process.getuid?.() === 0;
    const self = new TextDecoder().decode(Bun.spawnSync(["id", "-un"]).stdout).trim();
    expect(operatorOf(given)).toBe(isRoot ? "ana" : self);
    expect(operatorOf({ USER: "mallory" })).toBe(self);
    await runInProcess(["migrate", "--database", "sudo.db"], { cwd, env: given });
    const [row] = await rowsIn(join(cwd, "sudo.db"));
    expect(row?.[2]).toBe(operatorOf(given));
  });
});

function rowsIn(url: string) {
  return onDatabase(url, (database) =>
    database.read(async (db) =>
      (
        await db
          .selectFrom("audit_entries")
          .select(["organization_id", "route", "operator", "status", "patient_ids", "target"])
          .orderBy("organization_id")
          .orderBy("sequence")
          .execute()
      ).map((row) => Object.values(row)),
    ),
  );
}
