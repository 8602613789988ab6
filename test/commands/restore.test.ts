import { NO_ORGANIZATION } from "../../db/database.ts";
import { Database as SqliteFile } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { backUp } from "../../db/sqlite/backup.ts";
import { connectFile } from "../../db/sqlite/connect.ts";
import { lockExclusively } from "../../db/sqlite/lock.ts";
import { BASELINE } from "../../db/migrate.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import { revokeAccessCommand } from "../../src/commands/access.ts";
import { restoreCommand } from "../../src/commands/restore.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { sequenceBeforeDay } from "../../src/practice-file/export.ts";
import { invite } from "../../src/access/service.ts";
import { issueKey, newApiKey } from "../support/factories.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { contentsOf, makeDatabase, newPractice, onDatabase } from "../support/commands/practice.ts";
import { newSignIn } from "../support/sign-in/browser.ts";
import { steps as ownSteps } from "../../db/steps.ts";
import { laterStep, makeLater, makeUnreleased, withSteps } from "../support/steps.ts";
import {
  runInProcess,
  runProgram,
  startProgram,
  startServer,
  withoutRootsRights,
} from "../support/commands/program.ts";

const KEPT = `caseload.db.replaced-${NOW.replaceAll(":", "-")}`;

/** A practice, and beside it the backup of another organization's database. */
async function newPracticeWithBackup() {
  const practice = await newPractice("org_old");
  const backup = join(practice.cwd, "backup.db");
  const source = join(temporaryFolder(), "source.db");
  await makeDatabase(source, "org_new");
  await backUp(source, backup);
  return { ...practice, backup };
}

const organizationsIn = (path: string) =>
  contentsOf(path).organizations?.map((row) => (row as { public_id: string }).public_id);

describe("restore", () => {
  test("begins a new history: the sequence is the milliseconds since 1970, and earlier changes are unknown (practice file)", async () => {
    const practice = await newPracticeWithBackup();
    await restoreCommand(practice, { file: practice.backup });
    expect(contentsOf(practice.url).organizations).toMatchObject([
      { public_id: "org_new", sequence: Date.parse(NOW), changes_known_from: Date.parse(NOW) },
    ]);
  });

  test("begins a billion higher where that is more, as with a clock that was set back", async () => {
    const practice = await newPracticeWithBackup();
    practice.clock.set("1970-01-01T00:00:01.000Z");
    await restoreCommand(practice, { file: practice.backup });
    expect(contentsOf(practice.url).organizations).toMatchObject([
      { sequence: 1_000_000_000, changes_known_from: 1_000_000_000 },
    ]);
  });

  test("begins a history of its own each time, if the same backup is restored again", async () => {
    const practice = await newPracticeWithBackup();
    const sequences: unknown[] = [];
    const restoreAgain = async () => {
      await restoreCommand(practice, { file: practice.backup });
      sequences.push(...(contentsOf(practice.url).organizations ?? []));
    };
    await restoreAgain();
    // Over a database that is gone, so that only the clock can tell the two apart.
    rmSync(practice.url);
    practice.clock.set("2026-03-02T15:00:00.500Z");
    await restoreAgain();
    // And with a clock that stands still.
    await restoreAgain();
    const second = Date.parse("2026-03-02T15:00:00.500Z");
    expect(sequences).toMatchObject(
      [Date.parse(NOW), second, second + 1].map((sequence) => ({
        sequence,
        changes_known_from: sequence,
      })),
    );
  });

  test("is a write of each organization, by the operator: changes since a day before it are unknown (practice file)", async () => {
    const practice = await newPracticeWithBackup();
    await restoreCommand(practice, { file: practice.backup });
    const since = (day: CalendarDate) =>
      onDatabase(practice.url, ({ read }) =>
        read((db) => sequenceBeforeDay(db, "org_new", { day, now: NOW as Instant })),
      );
    const by = { key_id: null, user_id: null, operator: practice.operator };
    expect(contentsOf(practice.url).writes).toEqual([
      { organization_id: "org_new", sequence: Date.parse(NOW), time: NOW, ...by },
    ]);
    const today = NOW.slice(0, 10) as CalendarDate;
    await expect(since(today)).rejects.toMatchObject({ kind: "gone" });
    expect(await since("2027-01-01" as CalendarDate)).toBe(Date.parse(NOW));
  });

  test("replaces the database by a backup, and keeps the old one under another name", async () => {
    const practice = await newPracticeWithBackup();
    const [old, backup] = [contentsOf(practice.url), contentsOf(practice.backup)];
    await restoreCommand(practice, { file: practice.backup });

    const restored = contentsOf(practice.url);
    expect(restored.audit_entries).toHaveLength(1);
    const changed = { audit_entries: [], audit_heads: [], organizations: [], writes: [] };
    expect({ ...restored, ...changed }).toEqual({ ...backup, ...changed });
    expect(contentsOf(join(practice.cwd, KEPT))).toEqual(old);
    expect(contentsOf(practice.backup)).toEqual(backup);
    expect(readdirSync(practice.cwd).sort()).toEqual(
      ["backup.db", "caseload.db", "caseload.db-lock", KEPT].sort(),
    );
    for (const file of ["caseload.db", KEPT])
      expect(statSync(join(practice.cwd, file)).mode & 0o777).toBe(0o600);
    expect(practice.output.results).toEqual([join(practice.cwd, KEPT)]);
    expect(practice.output.said).toEqual([
      `Restored ${practice.backup} to ${practice.url}.`,
      "Changes since that backup, and their audit trail, are only in the replaced database. What was handed over for billing since then is unknown, too: import the encounter lines of the newest export, which add to it. All people must sign in again, and be invited again where they had not yet registered. Keys and passkeys that were revoked since then are valid again: 0 keys and 0 passkeys.",
    ]);
  });

  test("ends invitations and sign-ins, which the backup may hold although they were used, and counts what is valid again", async () => {
    const practice = await newPractice();
    const backup = join(practice.cwd, "backup.db");
    const now = NOW as Instant;
    await onDatabase(practice.url, async (database) => {
      const { userId } = await newSignIn(database, "org_maple");
      await newSignIn(database, "org_maple");
      for (const isKept of [true, false])
        await issueKey(database, "org_maple", { holder: isKept ? { role: "ADMIN" } : { userId } });
      await database.write(
        (trx) => invite(trx, { organizationId: "org_maple", userId, origin: "" }, now),
        { organizationId: "org_maple" },
      );
    });
    await backUp(practice.url, backup);
    const [{ user_id: userId }] = contentsOf(practice.url).invitations as [{ user_id: string }];
    await onDatabase(practice.url, (database) =>
      revokeAccessCommand({ ...practice, database }, { organizationId: "org_maple", userId }),
    );
    await restoreCommand(practice, { file: backup });
    const { passkeys, invitations, sign_ins } = contentsOf(practice.url);
    expect([passkeys?.length, invitations, sign_ins]).toEqual([2, [], []]);
    expect(practice.output.said.at(-1)).toEndWith("are valid again: 1 key and 1 passkey.");
  });

  test("writes an entry in the audit trail of the restored database, and the chain is valid", async () => {
    const practice = await newPracticeWithBackup();
    await restoreCommand(practice, { file: practice.backup });
    await onDatabase(practice.url, async (database) => {
      const rows = await database.read((db) =>
        db.selectFrom("audit_entries").selectAll().execute(),
      );
      expect(rows).toEqual([
        expect.objectContaining({
          organization_id: "",
          time: NOW,
          method: "COMMAND",
          route: "restore",
        }),
      ]);
      const chains = await database.read((db) => verifyChains(db));
      expect(chains.map((chain) => chain.fault)).toEqual([undefined]);
    });
  });

  test("migrates a backup of an older version, and does not change the backup", async () => {
    const practice = await newPractice("org_old");
    const backup = join(practice.cwd, "backup.db");
    await makeDatabase(backup, "org_new");
    const bytes = readFileSync(backup);
    await withSteps([laterStep], () => restoreCommand(practice, { file: backup }));
    const { schema_migrations: steps, audit_entries: rows } = contentsOf(practice.url);
    const names = [BASELINE, ...ownSteps.map(({ name }) => name), laterStep.name];
    expect(steps).toEqual(names.map((name) => ({ name, applied_at: NOW })));
    expect(rows).toHaveLength(1);
    expect(organizationsIn(practice.url)).toEqual(["org_new"]);
    expect(readFileSync(backup).equals(bytes)).toBe(true);
  });

  test("restores a backup if there is no database", async () => {
    const practice = await newPracticeWithBackup();
    rmSync(practice.url);
    await restoreCommand(practice, { file: practice.backup });
    expect(organizationsIn(practice.url)).toEqual(["org_new"]);
    expect(practice.output.results).toEqual([]);
    expect(practice.output.said).toHaveLength(1);
  });

  test("moves the log of a lost database aside, since SQLite would apply it to the new one", async () => {
    const practice = await newPracticeWithBackup();
    const database = connectFile(practice.url, "existing");
    await database.write(
      (trx) => trx.updateTable("organizations").set({ name: "late" }).execute(),
      NO_ORGANIZATION,
    );
    const log = readFileSync(`${practice.url}-wal`);
    await database.close();
    rmSync(practice.url);
    writeFileSync(`${practice.url}-wal`, log);
    await restoreCommand(practice, { file: practice.backup });
    expect(organizationsIn(practice.url)).toEqual(["org_new"]);
    expect(readFileSync(join(practice.cwd, `${KEPT}-wal`)).equals(log)).toBe(true);
  });

  test("replaces an unreadable database, and keeps its files", async () => {
    const practice = await newPracticeWithBackup();
    writeFileSync(practice.url, "damaged".repeat(1000));
    for (const suffix of ["-wal", "-shm", "-journal"]) writeFileSync(practice.url + suffix, "junk");
    await restoreCommand(practice, { file: practice.backup });
    expect(organizationsIn(practice.url)).toEqual(["org_new"]);
    expect(readFileSync(join(practice.cwd, KEPT), "utf8")).toBe("damaged".repeat(1000));
  });

  test("never overwrites a kept database, even if the clock stands still or is set back", async () => {
    const practice = await newPracticeWithBackup();
    for (const name of ["org_second", "org_third"]) {
      const next = join(practice.cwd, `${name}.db`);
      await makeDatabase(next, name);
      await restoreCommand(practice, { file: next });
    }
    await restoreCommand(practice, { file: practice.backup });
    const kept = practice.output.results;
    expect(kept.map((path) => path.replace(`${practice.cwd}/`, ""))).toEqual([
      KEPT,
      `${KEPT}-2`,
      `${KEPT}-3`,
    ]);
    expect(kept.map(organizationsIn)).toEqual([["org_old"], ["org_second"], ["org_third"]]);
  });

  test("replaces the target of a symbolic link", async () => {
    const practice = await newPracticeWithBackup();
    const disk = join(practice.cwd, "disk");
    mkdirSync(disk);
    renameSync(practice.url, join(disk, "caseload.db"));
    symlinkSync(join(disk, "caseload.db"), practice.url);
    await restoreCommand(practice, { file: practice.backup });
    expect(organizationsIn(join(disk, "caseload.db"))).toEqual(["org_new"]);
    expect(existsSync(join(disk, KEPT))).toBe(true);
    const open = connectFile(join(disk, "caseload.db"), "existing");
    await expect(restoreCommand(practice, { file: practice.backup })).rejects.toThrow("is in use");
    await open.close();
  });

  test("gives its files to the owner of the folder, who runs the server", async () => {
    const practice = await newPracticeWithBackup();
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(practice.cwd, 65_534, 65_534);
    for (const file of ["caseload.db", "caseload.db-lock"]) rmSync(join(practice.cwd, file));
    await restoreCommand(practice, { file: practice.backup });
    const { uid } = statSync(practice.cwd);
    expect(uid === 0).toBe(false);
    for (const file of ["caseload.db", "caseload.db-lock"])
      expect(statSync(join(practice.cwd, file)).uid).toBe(uid);
  });
});

describe("restore refuses", () => {
  type Practice = Awaited<ReturnType<typeof newPracticeWithBackup>>;

  async function makeNewer({ backup }: Practice): Promise<void> {
    rmSync(backup);
    await makeDatabase(backup, "org_new");
    await makeLater(backup);
  }
  const makeForeign = ({ backup }: Practice, statement: string): void => {
    rmSync(backup);
    const file = new SqliteFile(backup);
    file.run(statement);
    file.close();
  };
  const change = ({ backup }: Practice, ...statements: string[]): void => {
    const file = new SqliteFile(backup);
    for (const statement of statements) file.run(statement);
    file.close();
  };
  const cutTo = ({ backup }: Practice, part: number): void =>
    writeFileSync(backup, readFileSync(backup).subarray(0, part * statSync(backup).size));

  const refused: [string, (practice: Practice) => unknown, RegExp][] = [
    ["a missing file", ({ backup }) => rmSync(backup), /^There is no file .*backup\.db\.$/],
    [
      "a folder",
      ({ backup }) => {
        rmSync(backup);
        mkdirSync(backup);
      },
      /backup\.db is not a file\./,
    ],
    ["an empty file", ({ backup }) => writeFileSync(backup, ""), /is not a Caseload database/],
    [
      "a file that is not a database",
      ({ backup }) => writeFileSync(backup, "Dear colleague, ".repeat(1000)),
      /is not a Caseload database/,
    ],
    [
      "another program's database",
      (practice) => makeForeign(practice, "create table letters (text)"),
      /is not a Caseload database/,
    ],
    [
      "another program's database with a table of the same name",
      (practice) => makeForeign(practice, "create table schema_migrations (version)"),
      /is not a Caseload database/,
    ],
    [
      "a database that was not closed",
      ({ backup }) => writeFileSync(`${backup}-wal`, ""),
      /backup\.db is a database in use, or one that was not closed/,
    ],
    ["half of a backup", (practice) => cutTo(practice, 0.5), /is damaged or truncated/],
    [
      "all but its last bytes",
      (practice) => cutTo(practice, 0.9999),
      // The latter applies to the schema, without which SQLite does not report the number.
      /its end is missing|is damaged or truncated/,
    ],
    [
      "a damaged backup",
      ({ backup }) => {
        const bytes = readFileSync(backup);
        writeFileSync(backup, bytes.fill(0xff, 4096 * 9, 4096 * 10));
      },
      /is damaged/,
    ],
    [
      "a backup with a table of another program",
      (practice) => change(practice, "create table letters (text)"),
      /backup\.db has what no database of Caseload has \(table letters\)/,
    ],
    [
      "a backup with a view",
      (practice) => change(practice, "create view letters as select 1"),
      /\(view letters\)/,
    ],
    [
      "a backup with a trigger",
      (practice) =>
        change(
          practice,
          "create trigger letters after insert on audit_entries begin delete from api_keys; end",
        ),
      /\(trigger letters\)/,
    ],
    [
      "a backup with a trigger of ours that does something else",
      (practice) =>
        change(
          practice,
          "drop trigger organizations_audit",
          "create trigger organizations_audit after insert on organizations begin delete from api_keys; end",
        ),
      /\(trigger organizations_audit\)/,
    ],
    [
      "a backup with a view in place of a table",
      (practice) =>
        change(practice, "drop table webhooks", "create view webhooks as select 1 as id"),
      /\(view webhooks\)/,
    ],
    [
      "a backup without a table",
      (practice) => change(practice, "drop table webhooks"),
      /\(it has no table webhooks\)/,
    ],
    [
      "a backup of a newer version",
      makeNewer,
      /is of Caseload 1\.0\.0 \(commit \S+\), which is newer than this one\. Restore it with that version\./,
    ],
    [
      "a backup made before the first release",
      ({ backup }) => {
        rmSync(backup);
        makeUnreleased(backup);
      },
      /backup\.db was made before the first release of Caseload .* program of commit 7ade7b8/,
    ],
  ];
  test.each(refused)("%s, and changes nothing", async (_, prepare, message) => {
    const practice = await newPracticeWithBackup();
    await prepare(practice);
    const files = readdirSync(practice.cwd).sort();
    const before = readFileSync(practice.url);
    await expect(restoreCommand(practice, { file: practice.backup })).rejects.toThrow(message);
    expect(readdirSync(practice.cwd).sort()).toEqual(files);
    expect(readFileSync(practice.url).equals(before)).toBe(true);
    expect(practice.output.results).toEqual([]);
  });

  test("the database itself, also under another name", async () => {
    const practice = await newPracticeWithBackup();
    symlinkSync(practice.url, join(practice.cwd, "link.db"));
    for (const name of ["caseload.db", "link.db"])
      await expect(restoreCommand(practice, { file: join(practice.cwd, name) })).rejects.toThrow(
        "is the database itself",
      );
  });

  test("while another process has the database open, Caseload or not", async () => {
    const practice = await newPracticeWithBackup();
    const open = connectFile(practice.url, "existing");
    await expect(restoreCommand(practice, { file: practice.backup })).rejects.toThrow(
      /^The database .*caseload\.db is in use\. Stop the server/,
    );
    await open.close();

    const otherConnection = new SqliteFile(practice.url);
    otherConnection.query("select * from organizations").all();
    await expect(restoreCommand(practice, { file: practice.backup })).rejects.toThrow(
      /^Another program has the database .*caseload\.db open\. Stop it/,
    );
    otherConnection.close();
    expect(organizationsIn(practice.url)).toEqual(["org_old"]);
  });

  test("while a server runs; a restore after the server was killed keeps all acknowledged writes", async () => {
    const { cwd, url } = await newPracticeWithBackup();
    const key = await onDatabase(url, (database) => newApiKey(database, "org_old"));
    const server = await startServer([], { cwd });
    const created = await fetch(`${server.url}/api/v1/users`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ firstName: "Ana", lastName: "Ruiz" }),
    });
    expect(created.status).toBe(200);

    expect(await runProgram(["restore", "backup.db"], { cwd })).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "error: The database caseload.db is in use. Stop the server, or wait until the command that uses it is done, and try again.\n",
    });

    server.program.kill("SIGKILL");
    await server.program.exited;
    expect(statSync(`${url}-wal`).size).toBeGreaterThan(0);
    const { status, stdout } = await runProgram(["restore", "backup.db"], { cwd });
    expect(status).toBe(0);
    expect(organizationsIn(url)).toEqual(["org_new"]);
    expect(contentsOf(join(cwd, stdout.trim())).users).toHaveLength(1);
  });

  test("to let a server start meanwhile, which waits for the end of the restore", async () => {
    const { cwd, url } = await newPracticeWithBackup();
    const lock = lockExclusively(url);
    const server = startProgram(["serve", "--port", "0"], { cwd });
    const line = server.stdout.getReader().read();
    const first = await Promise.race([line.then(() => "answered"), Bun.sleep(700)]);
    lock.release();
    expect(first).toBeUndefined();
    expect(new TextDecoder().decode((await line).value)).toContain("Caseload answers at");
    server.kill();
    expect(await server.exited).toBe(0);
  });

  test("a read-only folder", async () => {
    const { cwd, url } = await newPracticeWithBackup();
    mkdirSync(join(cwd, "data"));
    renameSync(url, join(cwd, "data/caseload.db"));
    chmodSync(join(cwd, "data"), 0o500);
    afterAll(() => chmodSync(join(cwd, "data"), 0o700));
    const result = await runProgram(["restore", "backup.db", "--database", "data/caseload.db"], {
      cwd,
      runner: withoutRootsRights,
    });
    expect(result).toEqual({
      status: 1,
      stdout: "",
      stderr:
        "error: Cannot open data/caseload.db-lock: it and its folder must be readable and writable, because a database has several files.\n",
    });
  });

  test("wrong usage", async () => {
    const { cwd } = await newPracticeWithBackup();
    const wrong: [string[], string][] = [
      [["restore"], "error: missing required argument 'file'\n"],
      [["restore", "backup.db", "--force"], "error: unknown option '--force'\n"],
    ];
    for (const [args, stderr] of wrong)
      expect(await runInProcess(args, { cwd })).toEqual({ status: 2, stdout: "", stderr });
  });
});
