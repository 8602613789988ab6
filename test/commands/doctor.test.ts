import { type Db, NO_ORGANIZATION, type OpenDatabase } from "../../db/database.ts";
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
import type { Instant } from "../../src/lib/instant.ts";
import { issueKey, newPayor } from "../support/factories.ts";
import { newPractice, onDatabase } from "../support/commands/practice.ts";
import { runInProcess, startProgram, startServer } from "../support/commands/program.ts";
import { newSignIn } from "../support/sign-in/browser.ts";
import { ownCommit, VERSION } from "../../src/version.ts";
import { NOW } from "../support/harness.ts";
import { laterStep, makeLater, makeUnreleased, withSteps } from "../support/steps.ts";

/** What doctor says of a database that this version has made. */
const MADE = `up to date; made by ${VERSION} (commit ${ownCommit()}) on ${NOW.slice(0, 10)}`;

type Practice = Awaited<ReturnType<typeof newHealthyPractice>>;

/** A practice for which the doctor finds nothing to do. */
async function newHealthyPractice() {
  const made = await newPractice();
  const practice = {
    ...made,
    on: <Result>(work: (database: OpenDatabase) => Promise<Result>) => onDatabase(made.url, work),
    run: (...args: string[]) => runInProcess(args, { cwd: made.cwd }),
    /** Changes the file without the program. */
    edit(sql: string): void {
      const file = new SqliteFile(made.url);
      file.run(sql);
      file.close(true);
    },
  };
  await practice.on((database) =>
    backUpCommand({ ...practice, database }, { target: join(practice.cwd, "backup.db") }),
  );
  return practice;
}

/** The doctor's checks. It must fail if and only if there is something to do. */
async function examine(practice: Awaited<ReturnType<typeof newPractice>>, origin?: string) {
  practice.output.results.length = 0;
  const given = { json: true, ...(origin !== undefined && { origin }) };
  const failure = await doctorCommand(practice, given).catch((error: Error) => error);
  const checks = JSON.parse(practice.output.results.join("\n")) as Check[];
  expect(failure === undefined).toBe(checks.every(({ ok }) => ok));
  return checks;
}

/** Whether a check has nothing to do, and what it says; undefined if it is not among the checks. */
async function check(practice: Practice, name: string, origin?: string) {
  const found = (await examine(practice, origin)).find((check) => check.name === name);
  return found && [found.ok, found.message];
}

/** What checks say, by their names. */
type Messages = Record<string, unknown>;

/** Expects that there is this to do, in this order, and nothing else. */
async function expectToDo(practice: Practice, messages: Messages): Promise<void> {
  const undone = (await examine(practice)).filter(({ ok }) => !ok);
  expect<unknown>(undone.map(({ name, message }) => [name, message])).toEqual(
    Object.entries(messages),
  );
}

describe("doctor", () => {
  test("reports a healthy database with all checks", async () => {
    const checks = await examine(await newHealthyPractice());
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
    const messages: Messages = {
      "in use": "no server or other command has it open",
      files: "only their owner can read them",
      folder: "only its owner can change it",
      disk: expect.stringMatching(/^\d+ MiB free, 257 MiB needed for a copy and the log$/),
      "write-ahead log": "0 MiB",
      "temporary folder": tmpdir(),
      "unfinished copies": "none",
      "replaced databases": "none",
      ...{ journal_mode: "wal", synchronous: "2", foreign_keys: "1", secure_delete: "1" },
      integrity: "the file is intact",
      schema: MADE,
      writing: "the database is writable",
      "last backup": NOW,
      "keys that expire within 30 days": "none",
      "keys unused for 90 days": "none",
      "keys without patients": "none",
      passkeys:
        '0; sign-in has no origin, so it is at http://localhost alone ("caseload serve --origin", or ORIGIN)',
      webhooks: "none",
      "audit trail": "valid",
      // What follows is this machine's affair.
      "time zones": expect.stringMatching(/^rules of 20\d\d[a-z]+[,;] /),
    };
    expect<unknown>(checks.map(({ name, message }) => [name, message])).toEqual(
      Object.entries(messages),
    );
  });

  test("prints a table, and exits with status 1 and the number of problems", async () => {
    const { cwd } = await newPractice();
    const { status, stdout, stderr } = await runInProcess(["doctor"], { cwd });
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(rows[0]).toEqual(["CHECK", "STATE", "FOUND, OR WHAT TO DO"]);
    expect(rows).toContainEqual([
      ...["last backup", "to do", 'none yet: "caseload backup FILE", and then every day'],
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
    expect(await check(practice, "in use")).toEqual([
      true,
      "a server or another command has it open",
    ]);
    await expectToDo(practice, {});
    program.kill();
    expect(await program.exited).toBe(0);
  });

  test("refuses a missing database and wrong usage", async () => {
    const { run } = await newHealthyPractice();
    const missing = await run("doctor", "--database", "other.db");
    expect([missing.status, missing.stderr]).toEqual([
      ...[1, expect.stringContaining("There is no database at other.db")],
    ]);
    const wrong = await run("doctor", "--fix");
    expect([wrong.status, wrong.stderr]).toEqual([2, "error: unknown option '--fix'\n"]);
  });
});

describe("doctor reports and says what to do about", () => {
  /** What is done to a healthy practice, and what the doctor says then. */
  const finds = (name: string, change: (practice: Practice) => Promise<Messages> | Messages) =>
    test(name, async () => {
      const practice = await newHealthyPractice();
      await expectToDo(practice, await change(practice));
    });

  finds("records beyond a limit, which earlier versions or copies left", async ({ on }) => {
    const payor = { public_id: "pay_long", name: "\u0001".repeat(200) };
    await on((database) => newPayor(database, "org_maple", payor));
    return {
      "records beyond a limit":
        "1 (pay_long): they can be changed in what does not add to it, but a new database refuses their export; see the limits in docs/decisions.md",
    };
  });

  test("passkeys of another host than the origin's", async () => {
    const practice = await newHealthyPractice();
    await practice.on((database) => newSignIn(database, "org_maple"));
    for (const [origin, ok, message] of [
      ["https://caseload.example", true, "1; people sign in at https://caseload.example"],
      [
        ...(["https://moved.example", false] as const),
        "1 of caseload.example cannot be used: people sign in at https://moved.example; set the origin back, or invite their people again",
      ],
      [
        ...([undefined, false] as const),
        expect.stringMatching(/^1 of caseload.example cannot be used: sign-in has no origin/),
      ],
    ] as const)
      expect(await check(practice, "passkeys", origin)).toEqual([ok, message]);
  });

  finds("keys of a role that sees own patients only, without a user", async ({ on, edit }) => {
    edit("update organizations set own_patients_only = 'TECHNICIANS'");
    const holder = { role: "TECHNICIAN" } as const;
    const { id } = await on((database) => issueKey(database, "org_maple", { holder }));
    return {
      "keys without patients": `${id}: their role sees own patients only, and nobody has them: make keys with "caseload keys create --user"`,
    };
  });

  test("files that others can read, and a folder that others can change", async () => {
    const practice = await newHealthyPractice();
    chmodSync(practice.url, 0o640);
    chmodSync(practice.cwd, 0o775);
    await expectToDo(practice, {
      files: `others could read or write them until now, which is corrected; find out what gave access to ${practice.url}`,
      folder: `others can replace the database: chmod go-w ${practice.cwd}`,
    });
    chmodSync(practice.cwd, 0o700);
    await expectToDo(practice, {});
  });

  test("a write-ahead log that was not checkpointed into the database, and a disk without space", async () => {
    const practice = await newHealthyPractice();
    await practice.on(async (database) => {
      // A read makes SQLite inspect its log, and then only the part that was written.
      await database.read((db) => db.selectFrom("users").select("public_id").execute());
      const log = `${practice.url}-wal`;
      truncateSync(log, 64 * 2 ** 20);
      expect(await check(practice, "write-ahead log")).toEqual([true, "64 MiB"]);
      truncateSync(log, 64 * 2 ** 20 + 1);
      await expectToDo(practice, {
        "write-ahead log":
          "65 MiB: stop programs that keep the database open, or restart the server",
      });
      // A sparse file, larger than the disk of any machine that runs the tests.
      truncateSync(log, 8 * 2 ** 40);
      expect(await check(practice, "disk")).toEqual([
        ...[false, expect.stringMatching(/^make room: \d+ MiB free, 8388865 MiB needed/)],
      ]);
    });
  });

  const interrupted = "of a backup or restore that was stopped, unless one is running: rm";

  finds("copies that an interrupted backup or a restore left", ({ cwd }) => {
    const unfinished = ["caseload.db.restoring", "monday.db.0a1b2c3d.unfinished"];
    const replaced = ["", "-2"].map((end) => `caseload.db.replaced-2026-03-11T15-00-00.000Z${end}`);
    for (const name of [...unfinished, ...replaced, "other.db"]) writeFileSync(join(cwd, name), "");
    const listed = (names: string[]) => names.map((name) => join(cwd, name)).join(" ");
    return {
      "unfinished copies": `${interrupted} ${listed(unfinished)}`,
      "replaced databases": `kept by a restore; when they are not needed any more: rm ${listed(replaced)}`,
    };
  });

  test("the last backup after it was restored, although the restored trail has no entry of it", async () => {
    const practice = await newHealthyPractice();
    practice.clock.advance(3_600_000);
    await restoreCommand(practice, { file: join(practice.cwd, "backup.db") });
    expect(await check(practice, "last backup")).toEqual([true, "2026-03-11T16:00:00.000Z"]);
  });

  test("unfinished copies in the folder of earlier backups, which the audit trail names", async () => {
    const practice = await newHealthyPractice();
    const folder = join(practice.cwd, "backups");
    mkdirSync(folder);
    expect((await practice.run("backup", "backups/monday.db")).status).toBe(0);
    expect(await check(practice, "unfinished copies")).toEqual([true, "none"]);
    const left = join(folder, "tuesday.db.0a1b2c3d.unfinished");
    writeFileSync(left, "");
    expect(await check(practice, "unfinished copies")).toEqual([false, `${interrupted} ${left}`]);
    rmSync(folder, { recursive: true });
    expect(await check(practice, "unfinished copies")).toEqual([true, "none"]);
  });

  test("an unfinished copy in a folder without backups, left by a killed process", async () => {
    const practice = await newHealthyPractice();
    practice.edit("update organizations set name = printf('%.*c', 30000000, 'x')");
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
    expect(await check(practice, "unfinished copies")).toEqual([
      ...[false, `${interrupted} ${left.join(" ")}`],
    ]);
    for (const path of left) rmSync(path);
    expect(await check(practice, "unfinished copies")).toEqual([true, "none"]);
  });

  test("files left by an interrupted CSV export, wherever its folder is", async () => {
    const practice = await newHealthyPractice();
    const folder = join(practice.cwd, "for", "the spreadsheet");
    mkdirSync(join(practice.cwd, "for"));
    const { status } = await practice.run("export", practice.organization, "--csv", folder);
    expect([status, await check(practice, "unfinished exports")]).toEqual([0, undefined]);
    const left = join(folder, "users.csv.unfinished");
    writeFileSync(left, "");
    expect(await check(practice, "unfinished exports")).toEqual([
      ...[false, `of an interrupted export, unless one is running: rm ${left}`],
    ]);
  });

  finds("audit entries and keys dated in the future", async ({ on, edit, organization }) => {
    const time = "2031-01-01T00:00:00.000Z" as Instant;
    const act = { organizationId: organization, command: "import", operator: "ana", time };
    await on((database) => recordCommandAlone(database, act));
    const { id } = await on((database) => issueKey(database, organization));
    edit(`update api_keys set created_at = '${time}'`);
    const advice = "the machine's clock was wrong, or is; see that it is set by the network";
    return {
      "audit rows dated in the future": expect.stringMatching(
        new RegExp(`^\\d+ of ${organization} \\(${time}\\): ${advice}$`),
      ),
      "keys dated in the future": `${id}: ${advice}`,
    };
  });

  test("a damaged file, without reading anything else", async () => {
    const practice = await newHealthyPractice();
    const bytes = readFileSync(practice.url);
    writeFileSync(practice.url, bytes.fill(0xff, 4096 * 9, 4096 * 10));
    expect((await examine(practice)).at(-1)).toEqual({
      ...{ name: "integrity", ok: false },
      message: 'the file is damaged: stop the server and "caseload restore" a backup',
    });
  });

  test("a database of another version, without reading its tables", async () => {
    const [older, newer, unreleased] = [
      await newPractice(),
      await newPractice(),
      await newPractice(),
    ];
    await makeLater(newer.url);
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

  test.each([
    ["2026-03-12T17:00:00.000Z", true, NOW],
    [
      ...(["2026-03-12T17:00:00.001Z", false] as const),
      `${NOW} is more than a day ago: "caseload backup FILE"`,
    ],
    ["2026-03-11T14:59:59.999Z", false, `${NOW} is in the future: set the machine's clock`],
  ])("the last backup, at %s", async (now, ok, message) => {
    const practice = await newHealthyPractice();
    practice.clock.set(now);
    expect(await check(practice, "last backup")).toEqual([ok, message]);
  });

  finds(
    "keys that expire soon or are unused, except for keys without expiry and invalid ones",
    async ({ on, edit, organization }) => {
      const issue = async (expiresAt: string | null): Promise<string> => {
        const key = { expiresAt: expiresAt as Instant | null };
        return (await on((database) => issueKey(database, organization, key))).id;
      };
      const soon = await issue("2026-04-10T15:00:00.000Z");
      await issue("2026-04-10T15:00:00.001Z");
      await issue("2026-03-11T15:00:00.000Z");
      await issue(null);
      const revoked = await issue(null);
      edit(`update api_keys set revoked_at = '2026-03-01T00:00:00.000Z' where id = '${revoked}'`);
      const later: string[] = [];
      for (let count = 0; count < 5; count++) later.push(await issue("2027-01-01T00:00:00.000Z"));
      const [used, ...disused] = later;
      for (const [id, time] of [
        ...disused.map((id) => [id, "2025-12-11T14:59:59.999Z"]),
        [used, "2025-12-11T15:00:00.000Z"],
      ])
        edit(`update api_keys set last_used_at = '${time}' where id = '${id}'`);
      return {
        "keys that expire within 30 days": `${soon}: make successors with "caseload keys create"`,
        "keys unused for 90 days": `${disused.slice(0, 3).join(", ")} and 1 more: end them with "caseload keys revoke"`,
      };
    },
  );

  test("keys with a successor: nothing, since they expire with the overlap", async () => {
    const practice = await newHealthyPractice();
    const now = NOW as Instant;
    const write = <Result>(work: (trx: Db) => Promise<Result>) =>
      practice.on((database) => database.write(work, NO_ORGANIZATION));
    const { id } = await practice.on((database) => issueKey(database, practice.organization));
    const successor = await write((trx) => rotateKey(trx, id, 86_400_000, now));
    await expectToDo(practice, {});
    await write((trx) => revokeKey(trx, successor.id, now));
    await expectToDo(practice, {
      "keys that expire within 30 days": `${id}: make successors with "caseload keys create"`,
    });
  });

  finds("a changed entry of the audit trail", ({ edit, clock }) => {
    edit("update audit_entries set time = '2026-03-11T16:00:00.000Z'");
    clock.set("2026-03-11T17:00:00.000Z");
    return {
      "audit trail":
        'of -: row 1 is not as it was written; find out who changed it ("caseload audit verify")',
    };
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
