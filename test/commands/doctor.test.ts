import { type Db, NO_ORGANIZATION } from "../../db/database.ts";
import { Database as SqliteFile } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { revokeKey, rotateKey } from "../../src/callers/api-keys.ts";
import { backUpCommand } from "../../src/commands/backup.ts";
import { recordCommandAlone } from "../../src/audit/trail.ts";
import { doctorCommand } from "../../src/commands/doctor.ts";
import { restoreCommand } from "../../src/commands/restore.ts";
import { roomCheck } from "../../src/doctor/files.ts";
import type { Check } from "../../src/doctor/check.ts";
import { type Instant, toInstant } from "../../src/lib/instant.ts";
import { issueKey, newPayor } from "../support/factories.ts";
import { newPractice, onDatabase } from "../support/commands/practice.ts";
import { runInProcess, startProgram, startServer } from "../support/commands/program.ts";
import { newSignIn } from "../support/sign-in/browser.ts";
import { ownCommit, VERSION } from "../../src/version.ts";
import { NOW } from "../support/harness.ts";
import { laterStep, makeLater, makeUnreleased, withSteps } from "../support/steps.ts";

/** What doctor says of a database that this version has made. */
const MADE = `up to date; made by ${VERSION} (commit ${ownCommit()}) on ${NOW.slice(0, 10)}`;

type Practice = Awaited<ReturnType<typeof newPractice>>;

/** A practice for which the doctor finds nothing to do. */
async function newHealthyPractice(): Promise<Practice> {
  const practice = await newPractice();
  await onDatabase(practice.url, (database) =>
    backUpCommand({ ...practice, database }, { target: join(practice.cwd, "backup.db") }),
  );
  practice.output.results.length = 0;
  return practice;
}

/** The doctor's checks. It must fail if and only if there is something to do. */
async function examine(practice: Practice): Promise<Check[]> {
  practice.output.results.length = 0;
  const examined = doctorCommand(practice, { json: true });
  const failed = await examined.then(
    () => "",
    (error: Error) => error.message,
  );
  const checks = JSON.parse(practice.output.results.join("\n")) as Check[];
  const undone = checks.filter((check) => !check.ok).length;
  expect(failed !== "").toBe(undone > 0);
  return checks;
}

async function findCheck(practice: Practice, name: string): Promise<Check | undefined> {
  return (await examine(practice)).find((check) => check.name === name);
}

const undone = async (practice: Practice) => (await examine(practice)).filter(({ ok }) => !ok);

describe("doctor", () => {
  test("reports a healthy database with all checks", async () => {
    const practice = await newHealthyPractice();
    expect(await examine(practice)).toEqual([
      { name: "in use", ok: true, message: "no server or other command has it open" },
      { name: "files", ok: true, message: "only their owner can read them" },
      { name: "folder", ok: true, message: "only its owner can change it" },
      {
        name: "disk",
        ok: true,
        message: expect.stringMatching(/^\d+ MiB free, 257 MiB needed for a copy and the log$/),
      },
      { name: "write-ahead log", ok: true, message: "0 MiB" },
      { name: "temporary folder", ok: true, message: tmpdir() },
      { name: "unfinished copies", ok: true, message: "none" },
      { name: "replaced databases", ok: true, message: "none" },
      { name: "journal_mode", ok: true, message: "wal" },
      { name: "synchronous", ok: true, message: "2" },
      { name: "foreign_keys", ok: true, message: "1" },
      { name: "secure_delete", ok: true, message: "1" },
      { name: "integrity", ok: true, message: "the file is intact" },
      { name: "schema", ok: true, message: MADE },
      { name: "writing", ok: true, message: "the database is writable" },
      { name: "last backup", ok: true, message: "2026-03-11T15:00:00.000Z" },
      { name: "keys that expire within 30 days", ok: true, message: "none" },
      { name: "keys unused for 90 days", ok: true, message: "none" },
      { name: "keys without patients", ok: true, message: "none" },
      {
        name: "passkeys",
        ok: true,
        message:
          '0; sign-in has no origin, so it is at http://localhost alone ("caseload serve --origin", or ORIGIN)',
      },
      { name: "webhooks", ok: true, message: "none" },
      { name: "audit trail", ok: true, message: "valid" },
      // What follows is this machine's affair.
      {
        name: "time zones",
        ok: true,
        message: expect.stringMatching(/^rules of 20\d\d[a-z]+[,;] /),
      },
    ]);
  });

  test("counts records beyond a limit, which earlier versions or copies left", async () => {
    const practice = await newHealthyPractice();
    await onDatabase(practice.url, (database) =>
      newPayor(database, "org_maple", { public_id: "pay_long", name: "\u0001".repeat(200) }),
    );
    expect(await undone(practice)).toEqual([
      {
        name: "records beyond a limit",
        ok: false,
        message:
          "1 (pay_long): they can be changed in what does not add to it, but a new database refuses their export; see the limits in docs/decisions.md",
      },
    ]);
  });

  test("prints a table, and exits with status 1 and the number of problems", async () => {
    const { cwd } = await newPractice();
    const { status, stdout, stderr } = await runInProcess(["doctor"], { cwd });
    const lines = stdout.trim().split("\n");
    expect(lines[0]?.split(/ {2,}/)).toEqual(["CHECK", "STATE", "FOUND, OR WHAT TO DO"]);
    expect(lines.find((line) => line.startsWith("last backup"))?.split(/ {2,}/)).toEqual([
      "last backup",
      "to do",
      'none yet: "caseload backup FILE", and then every day',
    ]);
    expect([status, stderr]).toEqual([1, "error: 1 of 23 checks failed.\n"]);

    expect((await runInProcess(["backup", "monday.db"], { cwd })).status).toBe(0);
    const healthy = await runInProcess(["doctor", "--json"], { cwd });
    expect([healthy.status, healthy.stderr]).toEqual([0, ""]);
    expect(JSON.parse(healthy.stdout)).toHaveLength(23);
  });

  test("works while a server is running, and reports it", async () => {
    const practice = await newHealthyPractice();
    const { program } = await startServer([], { cwd: practice.cwd });
    const checks = await examine(practice);
    expect(checks[0]).toEqual({
      name: "in use",
      ok: true,
      message: "a server or another command has it open",
    });
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    program.kill();
    expect(await program.exited).toBe(0);
  });

  test("refuses a missing database and wrong usage", async () => {
    const { cwd } = await newPractice();
    const missing = await runInProcess(["doctor", "--database", "other.db"], { cwd });
    expect([missing.status, missing.stderr]).toEqual([
      1,
      expect.stringContaining("There is no database at other.db"),
    ]);
    const wrong = await runInProcess(["doctor", "--fix"], { cwd });
    expect([wrong.status, wrong.stderr]).toEqual([2, "error: unknown option '--fix'\n"]);
  });
});

describe("doctor reports and says what to do about", () => {
  test("passkeys of another host than the origin's", async () => {
    const practice = await newHealthyPractice();
    await onDatabase(practice.url, (database) => newSignIn(database, "org_maple"));
    const examineAt = (origin: string | undefined) => {
      practice.output.results.length = 0;
      return doctorCommand(practice, { origin, json: true }).then(
        () => JSON.parse(practice.output.results.join("\n")),
        () => JSON.parse(practice.output.results.join("\n")),
      );
    };
    expect(await examineAt("https://caseload.example")).toContainEqual({
      ...{ name: "passkeys", ok: true },
      message: "1; people sign in at https://caseload.example",
    });
    expect(await examineAt("https://moved.example")).toContainEqual({
      ...{ name: "passkeys", ok: false },
      message:
        "1 of caseload.example cannot be used: people sign in at https://moved.example; set the origin back, or invite their people again",
    });
    expect(await examineAt(undefined)).toContainEqual({
      ...{ name: "passkeys", ok: false },
      message: expect.stringMatching(
        /^1 of caseload.example cannot be used: sign-in has no origin/,
      ),
    });
  });

  test("keys of a role that sees own patients only, without a user", async () => {
    const practice = await newHealthyPractice();
    const { id } = await onDatabase(practice.url, async (database) => {
      await database.write(
        (trx) =>
          trx.updateTable("organizations").set({ own_patients_only: "TECHNICIANS" }).execute(),
        NO_ORGANIZATION,
      );
      return issueKey(database, "org_maple", { holder: { role: "TECHNICIAN" } });
    });
    expect(await findCheck(practice, "keys without patients")).toEqual({
      ...{ name: "keys without patients", ok: false },
      message: `${id}: their role sees own patients only, and nobody has them: make keys with "caseload keys create --user"`,
    });
  });

  test("files that others can read, and a folder that others can change", async () => {
    const practice = await newHealthyPractice();
    chmodSync(practice.url, 0o640);
    chmodSync(practice.cwd, 0o775);
    expect(await undone(practice)).toEqual([
      {
        name: "files",
        ok: false,
        message: `others could read or write them until now, which is corrected; find out what gave access to ${practice.url}`,
      },
      {
        name: "folder",
        ok: false,
        message: `others can replace the database: chmod go-w ${practice.cwd}`,
      },
    ]);
    chmodSync(practice.cwd, 0o700);
    expect(await undone(practice)).toEqual([]);
  });

  test("a write-ahead log that was not checkpointed into the database", async () => {
    const practice = await newHealthyPractice();
    await onDatabase(practice.url, async (database) => {
      // A read makes SQLite inspect its log, and then only the part that was written.
      await database.read((db) => db.selectFrom("users").select("public_id").execute());
      truncateSync(`${practice.url}-wal`, 64 * 2 ** 20);
      expect((await findCheck(practice, "write-ahead log"))?.message).toBe("64 MiB");
      truncateSync(`${practice.url}-wal`, 64 * 2 ** 20 + 1);
      expect(await undone(practice)).toEqual([
        {
          name: "write-ahead log",
          ok: false,
          message: "65 MiB: stop programs that keep the database open, or restart the server",
        },
      ]);
    });
  });

  test("a disk without space for a copy", async () => {
    const practice = await newHealthyPractice();
    await onDatabase(practice.url, async (database) => {
      await database.read((db) => db.selectFrom("users").select("public_id").execute());
      // A sparse file, larger than the disk of any machine that runs the tests.
      truncateSync(`${practice.url}-wal`, 8 * 2 ** 40);
      expect(await findCheck(practice, "disk")).toEqual({
        name: "disk",
        ok: false,
        message: expect.stringMatching(/^make room: \d+ MiB free, 8388865 MiB needed/),
      });
    });
  });

  test("copies that an interrupted backup or a restore left", async () => {
    const practice = await newHealthyPractice();
    const unfinished = ["caseload.db.restoring", "monday.db.0a1b2c3d.unfinished"];
    const replaced = [
      "caseload.db.replaced-2026-03-11T15-00-00.000Z",
      "caseload.db.replaced-2026-03-11T15-00-00.000Z-2",
    ];
    for (const name of [...unfinished, ...replaced, "other.db"])
      writeFileSync(join(practice.cwd, name), "");
    const listed = (names: string[]) => names.map((name) => join(practice.cwd, name)).join(" ");
    expect(await undone(practice)).toEqual([
      {
        name: "unfinished copies",
        ok: false,
        message: `of a backup or restore that was stopped, unless one is running: rm ${listed(unfinished)}`,
      },
      {
        name: "replaced databases",
        ok: false,
        message: `kept by a restore; when they are not needed any more: rm ${listed(replaced)}`,
      },
    ]);
  });

  test("the last backup after it was restored, although the restored trail has no entry of it", async () => {
    const practice = await newHealthyPractice();
    practice.clock.advance(3_600_000);
    await restoreCommand(practice, { file: join(practice.cwd, "backup.db") });
    expect(await findCheck(practice, "last backup")).toEqual({
      name: "last backup",
      ok: true,
      message: "2026-03-11T16:00:00.000Z",
    });
  });

  test("unfinished copies in the folder of earlier backups, which the audit trail names", async () => {
    const practice = await newPractice();
    const folder = join(practice.cwd, "backups");
    mkdirSync(folder);
    const backup = await runInProcess(["backup", "backups/monday.db"], { cwd: practice.cwd });
    expect(backup.status).toBe(0);
    const copies = async () => (await findCheck(practice, "unfinished copies"))?.message;
    expect(await copies()).toBe("none");
    const left = join(folder, "tuesday.db.0a1b2c3d.unfinished");
    writeFileSync(left, "");
    expect(await copies()).toBe(
      `of a backup or restore that was stopped, unless one is running: rm ${left}`,
    );
    rmSync(folder, { recursive: true });
    expect(await copies()).toBe("none");
  });

  test("an unfinished copy in a folder without backups, left by a killed process", async () => {
    const practice = await newHealthyPractice();
    const file = new SqliteFile(practice.url);
    file.run("update organizations set name = printf('%.*c', 30000000, 'x')");
    file.close(true);
    const folder = join(practice.cwd, "never used");
    mkdirSync(folder);
    const program = startProgram(["backup", join(folder, "monday.db")], { cwd: practice.cwd });
    while (readdirSync(folder).length === 0) await Bun.sleep(1);
    program.kill("SIGKILL");
    await program.exited;
    const left = [
      ...readdirSync(practice.cwd).filter((name) => name.includes(".copying")),
      ...readdirSync(folder)
        .sort()
        .map((name) => join("never used", name)),
    ].map((name) => join(practice.cwd, name));
    // It may have been stopped in a transaction, whose journal is listed, too.
    expect(left.filter((path) => !path.endsWith("-journal"))).toEqual([
      expect.stringMatching(/caseload\.db\.\w{8}\.copying$/),
      expect.stringMatching(/never used\/monday\.db\.\w{8}\.unfinished$/),
    ]);
    expect((await findCheck(practice, "unfinished copies"))?.message).toBe(
      `of a backup or restore that was stopped, unless one is running: rm ${left.join(" ")}`,
    );
    for (const path of left) rmSync(path);
    expect((await findCheck(practice, "unfinished copies"))?.message).toBe("none");
  });

  test("files left by an interrupted CSV export, wherever its folder is", async () => {
    const practice = await newHealthyPractice();
    const folder = join(practice.cwd, "for", "the spreadsheet");
    mkdirSync(join(practice.cwd, "for"));
    const exported = await runInProcess(["export", practice.organization, "--csv", folder], {
      cwd: practice.cwd,
    });
    const check = () => findCheck(practice, "unfinished exports");
    expect([exported.status, await check()]).toEqual([0, undefined]);
    const left = join(folder, "users.csv.unfinished");
    writeFileSync(left, "");
    expect(await check()).toEqual({
      name: "unfinished exports",
      ok: false,
      message: `of an interrupted export, unless one is running: rm ${left}`,
    });
  });

  test("audit entries and keys dated in the future", async () => {
    const practice = await newHealthyPractice();
    const { organization } = practice;
    const future = "2031-01-01T00:00:00.000Z" as Instant;
    const act = { organizationId: organization, command: "import", operator: "ana", time: future };
    const id = await onDatabase(practice.url, async (database) => {
      await recordCommandAlone(database, act);
      const { id } = await issueKey(database, organization);
      await database.write(
        (trx) =>
          trx.updateTable("api_keys").set({ created_at: future }).where("id", "=", id).execute(),
        { organizationId: organization },
      );
      return id;
    });
    const advice = "the machine's clock was wrong, or is; see that it is set by the network";
    expect(await undone(practice)).toEqual([
      {
        name: "audit rows dated in the future",
        ok: false,
        message: expect.stringMatching(
          new RegExp(`^\\d+ of ${organization} \\(${future}\\): ${advice}$`),
        ),
      },
      { name: "keys dated in the future", ok: false, message: `${id}: ${advice}` },
    ]);
  });

  test("a damaged file, without reading anything else", async () => {
    const practice = await newHealthyPractice();
    const bytes = readFileSync(practice.url);
    writeFileSync(practice.url, bytes.fill(0xff, 4096 * 9, 4096 * 10));
    const checks = await examine(practice);
    expect(checks.at(-1)).toEqual({
      name: "integrity",
      ok: false,
      message: 'the file is damaged: stop the server and "caseload restore" a backup',
    });
  });

  test("a database of another version, without reading its tables", async () => {
    const older = await newPractice();
    const newer = await newPractice();
    await makeLater(newer.url);
    const unreleased = await newPractice();
    rmSync(unreleased.url);
    makeUnreleased(unreleased.url);
    const found = [
      await withSteps([laterStep], () => examine(older)),
      await examine(newer),
      await examine(unreleased),
    ];
    const messages = [
      `of Caseload ${VERSION} (commit ${ownCommit()}), which is older: "caseload migrate"`,
      `of Caseload ${VERSION} (commit ${ownCommit()}), which is newer: use that version or a later one`,
      "the database was made before the first release of Caseload and cannot be brought up to date: export its practices with the program of commit 7ade7b8, and import them into a new database.",
    ];
    expect(found.map((checks) => checks.at(-1))).toEqual(
      messages.map((message) => ({ name: "schema", ok: false, message })),
    );
  });

  const backups: [string, boolean, string][] = [
    ["2026-03-12T17:00:00.000Z", true, "2026-03-11T15:00:00.000Z"],
    [
      "2026-03-12T17:00:00.001Z",
      false,
      '2026-03-11T15:00:00.000Z is more than a day ago: "caseload backup FILE"',
    ],
    [
      "2026-03-11T14:59:59.999Z",
      false,
      "2026-03-11T15:00:00.000Z is in the future: set the machine's clock",
    ],
  ];
  test.each(backups)("the last backup, at %s", async (now, ok, message) => {
    const practice = await newHealthyPractice();
    practice.clock.set(now);
    expect(await findCheck(practice, "last backup")).toEqual({ name: "last backup", ok, message });
  });

  test("keys that expire soon or are unused, except for keys without expiry and invalid ones", async () => {
    const practice = await newHealthyPractice();
    const ids = await onDatabase(practice.url, async (database) => {
      const issue = async (expiresAt: string | null): Promise<string> =>
        (
          await issueKey(database, practice.organization, {
            expiresAt: expiresAt as Instant | null,
          })
        ).id;
      const soon = await issue("2026-04-10T15:00:00.000Z");
      await issue("2026-04-10T15:00:00.001Z");
      await issue("2026-03-11T15:00:00.000Z");
      await issue(null);
      const revoked = await issue(null);
      const disused: string[] = [];
      for (let count = 0; count < 4; count++) disused.push(await issue("2027-01-01T00:00:00.000Z"));
      const used = await issue("2027-01-01T00:00:00.000Z");
      await database.write(async (trx) => {
        const update = (id: string, set: Record<string, string>) =>
          trx.updateTable("api_keys").set(set).where("id", "=", id).execute();
        await update(revoked, { revoked_at: "2026-03-01T00:00:00.000Z" });
        for (const id of disused) await update(id, { last_used_at: "2025-12-11T14:59:59.999Z" });
        await update(used, { last_used_at: "2025-12-11T15:00:00.000Z" });
      }, NO_ORGANIZATION);
      return { soon, disused };
    });
    expect((await undone(practice)).map(({ message }) => message)).toEqual([
      `${ids.soon}: make successors with "caseload keys create"`,
      `${ids.disused.slice(0, 3).join(", ")} and 1 more: end them with "caseload keys revoke"`,
    ]);
  });

  test("keys with a successor: nothing, since they expire with the overlap", async () => {
    const practice = await newHealthyPractice();
    const { id, successor } = await onDatabase(practice.url, async (database) => {
      const { id } = await issueKey(database, practice.organization);
      const now = practice.clock.now();
      const rotate = (trx: Db) => rotateKey(trx, id, 86_400_000, toInstant(now));
      return { id, successor: await database.write(rotate, NO_ORGANIZATION) };
    });
    expect(await undone(practice)).toEqual([]);
    await onDatabase(practice.url, (database) =>
      database.write(
        (trx) => revokeKey(trx, successor.id, toInstant(practice.clock.now())),
        NO_ORGANIZATION,
      ),
    );
    expect((await undone(practice)).map(({ message }) => message)).toEqual([
      `${id}: make successors with "caseload keys create"`,
    ]);
  });

  test("a changed entry of the audit trail", async () => {
    const practice = await newHealthyPractice();
    const file = new SqliteFile(practice.url);
    file.run("update audit_entries set time = '2026-03-11T16:00:00.000Z'");
    file.close(true);
    practice.clock.set("2026-03-11T17:00:00.000Z");
    expect(await undone(practice)).toEqual([
      {
        name: "audit trail",
        ok: false,
        message:
          'of -: row 1 is not as it was written; find out who changed it ("caseload audit verify")',
      },
    ]);
  });
});

test.each([
  [255, 1_000, 100, "make room, the disk is nearly full: 255 MiB free, 100 MiB needed"],
  [256, 1_000, 100, "256 MiB free, 100 MiB needed"],
  [256, 1_000, 257, "make room: 256 MiB free, 257 MiB needed"],
  [499, 10_000, 100, "make room, the disk is nearly full: 499 MiB free, 100 MiB needed"],
  [500, 10_000, 100, "500 MiB free, 100 MiB needed"],
])("roomCheck: %d MiB free of %d, %d needed: %s", (free, total, needed, words) => {
  const mebibyte = 2 ** 20;
  const room = { free: free * mebibyte, total: total * mebibyte };
  expect(roomCheck(room, needed * mebibyte)).toEqual({
    name: "disk",
    ok: !words.startsWith("make room"),
    message: `${words} for a copy and the log`,
  });
});
