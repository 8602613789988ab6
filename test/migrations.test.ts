import { describe, expect, test } from "bun:test";
import { Database as SqliteFile } from "bun:sqlite";
import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { connectFile } from "../db/sqlite/connect.ts";
import { BASELINE, createTables, migrate, schemaState } from "../db/migrate.ts";
import { type Step, steps } from "../db/steps.ts";
import type { Instant } from "../src/lib/instant.ts";
import { runInProcess } from "./support/commands/program.ts";
import { NOW, temporaryFolder } from "./support/harness.ts";
import {
  appliedSteps,
  catalogue,
  from,
  laterStep,
  makeUnreleased,
  withSteps,
} from "./support/steps.ts";

const now = NOW as Instant;
const names = [BASELINE, ...steps.map((step) => step.name)];
const later = [laterStep.name];

function namesIn(path: string): string[] {
  return catalogue(path).map((row) => (row as { name: string }).name);
}

describe("migrations", () => {
  test("are numbered in order and have unique names", () => {
    expect(names).toEqual([...new Set(names)].sort());
    for (const name of names) expect(name).toMatch(/^[0-9]{4}_[a-z0-9_]+$/);
  });

  test("create the tables in an empty file, and do nothing a second time", async () => {
    const database = connectFile(join(temporaryFolder(), "new.db"), "create");
    expect(await schemaState(database)).toBe("none");
    expect(await migrate(database, now)).toEqual(names);
    expect(await schemaState(database)).toBe("current");
    expect(await migrate(database, now)).toEqual([]);
    await database.close();
  });

  test("that are part of a copy are refused where there are tables", async () => {
    const database = connectFile(join(temporaryFolder(), "new.db"), "create");
    const create = () => database.changeSchema((trx) => createTables(trx, now));
    await create();
    expect(await schemaState(database)).toBe("current");
    await expect(create()).rejects.toThrow("The database already has the tables of Caseload.");
    await database.close();
  });

  test("run no step on an empty file: the tables are created in their final form", async () => {
    const path = join(temporaryFolder(), "new.db");
    const database = connectFile(path, "create");
    await withSteps([laterStep], async () => {
      expect(await migrate(database, now)).toEqual([...names, ...later]);
      expect(await schemaState(database)).toBe("current");
    });
    await database.close();
    expect(appliedSteps(path)).toEqual([...names, ...later]);
    expect(namesIn(path)).not.toContain("notes");
  });

  test("upgrade a database of an earlier version step by step", async () => {
    const path = join(temporaryFolder(), "older.db");
    const database = connectFile(path, "create");
    await migrate(database, now);
    const second: Step = { name: "0003_more", from, statements: [{ sqlite: "drop table notes" }] };
    await withSteps([laterStep, second], async () => {
      expect(await schemaState(database)).toBe("older");
      expect(await migrate(database, now)).toEqual([...later, second.name]);
      expect(await schemaState(database)).toBe("current");
    });
    await database.close();
    expect(appliedSteps(path)).toEqual([...names, ...later, second.name]);
    expect(namesIn(path)).not.toContain("notes");
  });

  test("do nothing on an engine for which a step has no statements", async () => {
    const database = connectFile(join(temporaryFolder(), "other.db"), "create");
    await migrate(database, now);
    const other: Step = { name: "0002_other", from, statements: [{ postgresql: "no SQL" }] };
    await withSteps([other], async () => {
      expect(await migrate(database, now)).toEqual([other.name]);
      expect(await schemaState(database)).toBe("current");
    });
    await database.close();
  });

  test("refuse a database of a newer version", async () => {
    const database = connectFile(join(temporaryFolder(), "newer.db"), "create");
    await withSteps([laterStep], () => migrate(database, now));
    expect(await schemaState(database)).toBe("newer");
    await expect(migrate(database, now)).rejects.toThrow(
      /^The database is of Caseload 1\.0\.0 \(commit \S+\), which is newer than this one/,
    );
    await database.close();
  });

  test("refuse a database created before the first release, and tell how to migrate its data", async () => {
    const path = join(temporaryFolder(), "unreleased.db");
    makeUnreleased(path);
    const before = catalogue(path);
    const database = connectFile(path, "existing");
    expect(await schemaState(database)).toBe("unreleased");
    await expect(migrate(database, now)).rejects.toThrow(
      "The database was made before the first release of Caseload and cannot be brought up to date: export its practices with the program of commit 7ade7b8, and import them into a new database.",
    );
    await database.close();
    expect(catalogue(path)).toEqual(before);
  });

  test.each([
    "create table bookmarks (url text)",
    // Other programs have migrations, too.
    "create table schema_migrations (version text)",
  ])("refuse the database of another program, and leave it as it is: %s", async (table) => {
    const path = join(temporaryFolder(), "foreign.db");
    const foreign = new SqliteFile(path);
    foreign.run(table);
    foreign.close();
    chmodSync(path, 0o644);
    const before = readFileSync(path);
    for (const mode of ["existing", "create"] as const)
      expect(() => connectFile(path, mode)).toThrow(
        `${path} has tables of another program. Give Caseload a database of its own.`,
      );
    expect(readFileSync(path)).toEqual(before);
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(readdirSync(dirname(path))).toEqual(["foreign.db"]);
  });

  test("refuse tables that have changed without a step, on opening, restoring and by doctor", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "caseload.db");
    const database = connectFile(path, "create");
    await migrate(database, now);
    await database.close();
    const file = new SqliteFile(path);
    for (const statement of [
      "drop index sessions_over_midnight_by_start",
      "drop index sessions_over_midnight_by_end",
      "alter table sessions drop column over_midnight",
      "alter table goals add column metric text",
    ])
      file.run(statement);
    file.close();
    const refusal = (what: string) =>
      `${what} has other tables than this version of Caseload (sessions.over_midnight is missing, goals.metric is unknown). Export its practices with the version that made it, and import them into a new database.`;
    for (const args of [["organizations", "list"], ["serve", "--port", "0"], ["migrate"]]) {
      const { status, stdout, stderr } = await runInProcess(args, { cwd: folder });
      expect([status, stdout, stderr]).toEqual([1, "", `error: ${refusal("The database")}\n`]);
    }
    const doctor = await runInProcess(["doctor"], { cwd: folder });
    expect([doctor.status, doctor.stdout]).toEqual([
      1,
      expect.stringContaining(refusal("The database")),
    ]);
    const restored = await runInProcess(["restore", "caseload.db", "--database", "other.db"], {
      cwd: folder,
    });
    expect([restored.status, restored.stderr]).toEqual([1, `error: ${refusal("caseload.db")}\n`]);
  });

  test("refuse to restore a backup without tables that there were not yet, whose others have changed", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "caseload.db");
    const database = connectFile(path, "create");
    await migrate(database, now);
    await database.close();
    const file = new SqliteFile(path);
    for (const statement of [
      "drop table recorded_data",
      "create table skill_trials (outcome text) strict",
      "alter table goals drop column child_goals",
    ])
      file.run(statement);
    file.close();
    const restored = await runInProcess(["restore", "caseload.db", "--database", "other.db"], {
      cwd: folder,
    });
    expect([restored.status, restored.stderr]).toEqual([
      1,
      "error: caseload.db has other tables than this version of Caseload (goals.child_goals is missing). Export its practices with the version that made it, and import them into a new database.\n",
    ]);
  });

  test("follow the rollback of an interrupted write", async () => {
    const path = join(temporaryFolder(), "complete.db");
    const database = connectFile(path, "create");
    await migrate(database, now);
    await database.close();
    const interrupted = join(temporaryFolder(), "interrupted.db");
    const writer = new SqliteFile(path);
    for (const pragma of ["journal_mode = delete", "cache_size = 2", "cache_spill = 2"])
      writer.run(`pragma ${pragma}`);
    writer.run("begin");
    writer.run("create table half (x text)");
    const insert = writer.prepare("insert into half values (?)");
    for (let count = 0; count < 1_000; count += 1) insert.run("x".repeat(1_000));
    for (const suffix of ["", "-journal"]) copyFileSync(path + suffix, interrupted + suffix);
    writer.run("rollback");
    writer.close();
    chmodSync(interrupted, 0o600);
    const opened = connectFile(interrupted, "existing");
    expect(await migrate(opened, now)).toEqual([]);
    await opened.close();
    expect(catalogue(interrupted)).toEqual(catalogue(path));
  });

  test("that fail leave nothing of any step", async () => {
    const path = join(temporaryFolder(), "failing.db");
    const database = connectFile(path, "create");
    await migrate(database, now);
    const failing: Step = {
      name: "0003_failing",
      from,
      statements: ["create table half (x text)", "insert into nowhere values (1)"],
    };
    await withSteps([laterStep, failing], async () =>
      expect(migrate(database, now)).rejects.toThrow("no such table: nowhere"),
    );
    await database.close();
    expect(appliedSteps(path)).toEqual(names);
    for (const table of ["half", "notes"]) expect(namesIn(path)).not.toContain(table);
  });
});

describe("opening a database", () => {
  test("sets mode 600 on the file and its companions", async () => {
    const path = join(temporaryFolder(), "private.db");
    const database = connectFile(path, "create");
    await migrate(database, now);
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      expect((await Bun.file(file).stat()).mode & 0o777).toBe(0o600);
    await database.close();
    expect(await Bun.file(`${path}-wal`).exists()).toBe(false);
  });

  test("accepts a file: URL or a path", async () => {
    const path = join(temporaryFolder(), "by url.db");
    const database = connectFile(Bun.pathToFileURL(path).href, "create");
    await migrate(database, now);
    await database.close();
    expect(appliedSteps(path)).toEqual(names);
  });

  const folder = temporaryFolder();
  writeFileSync(join(folder, "letter.txt"), "Dear colleague, ".repeat(1000));
  const refused: [string, "create" | "existing", RegExp][] = [
    [join(folder, "absent.db"), "existing", /There is no database at .*"caseload migrate"/],
    [join(folder, "no", "such", "folder.db"), "create", /folder must exist and be writable/],
    [join(folder, "letter.txt"), "create", /not readable and writable as a SQLite database/],
    [folder, "existing", /is not a file/],
    ["file://elsewhere/caseload.db", "create", /does not name a file on this machine/],
    ["file:caseload.db?mode=ro", "create", /has parameters/],
    ["file:///tmp/caseload.db#1", "create", /has parameters/],
    ["mysql://localhost/caseload", "create", /"mysql:" is not supported/],
    [":memory:", "create", /must be a file/],
    ["", "create", /name of the database is empty/],
  ];
  for (const [url, mode, message] of refused)
    test(`refuses ${url.replace(folder, "FOLDER") || "an empty name"} (${mode})`, () => {
      expect(() => connectFile(url, mode)).toThrow(message);
    });
});
