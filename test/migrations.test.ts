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
import { baseline } from "../db/sqlite/tables.ts";
import { type Step, steps } from "../db/steps.ts";
import type { Instant } from "../src/lib/instant.ts";
import { NOW, temporaryFolder } from "./support/harness.ts";
import { laterStep, makeUnreleased, withSteps } from "./support/steps.ts";

const now = NOW as Instant;
const names = [BASELINE, ...steps.map((step) => step.name)];
const later = [laterStep.name];

/** Runs source code of this repository in another process. */
function runProgram(source: string) {
  return Bun.spawn([process.execPath, "-e", source], {
    cwd: join(import.meta.dir, ".."),
    stdout: "pipe",
    stderr: "pipe",
  });
}

function appliedSteps(path: string): string[] {
  const file = new SqliteFile(path, { readonly: true });
  const rows = file.query("select name from schema_migrations order by name").all();
  file.close();
  return rows.map((row) => (row as { name: string }).name);
}

/** The definition of every table, index and trigger. */
function catalogue(path: string): unknown[] {
  const file = new SqliteFile(path, { readonly: true });
  const rows = file.query("select type, name, sql from sqlite_master order by type, name").all();
  file.close();
  return rows;
}

function namesIn(path: string): string[] {
  return catalogue(path).map((row) => (row as { name: string }).name);
}

describe("migrations", () => {
  test("are numbered in order and have unique names", () => {
    expect(names).toEqual([...new Set(names)].sort());
    for (const name of names) expect(name).toMatch(/^[0-9]{4}_[a-z_]+$/);
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
    const second: Step = { name: "0002_more", statements: { sqlite: ["drop table notes"] } };
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
    const other: Step = { name: "0001_other", statements: { postgresql: ["no SQL"] } };
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
      /newer version of Caseload \(0001_notes\)/,
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

  test("that fail leave nothing of the failed step", async () => {
    const path = join(temporaryFolder(), "failing.db");
    const database = connectFile(path, "create");
    await migrate(database, now);
    const failing: Step = {
      name: "0002_failing",
      statements: ["create table half (x text)", "insert into nowhere values (1)"],
    };
    await withSteps([laterStep, failing], async () =>
      expect(migrate(database, now)).rejects.toThrow("no such table: nowhere"),
    );
    await database.close();
    expect(appliedSteps(path)).toEqual([...names, ...later]);
    expect(namesIn(path)).not.toContain("half");
  });

  test("run once if five processes start at the same time, and all processes start", async () => {
    const folder = temporaryFolder();
    const older = connectFile(join(folder, "older.db"), "create");
    await migrate(older, now);
    await older.close();
    for (const file of ["empty.db", "older.db"]) {
      const path = join(folder, file);
      const source = `
        import "./test/programs/later-version.ts";
        import { openMigrated } from "./src/commands/database.ts";
        import { systemClock } from "./src/lib/clock.ts";
        const output = { result() {}, message() {} };
        const url = ${JSON.stringify(path)};
        const database = await openMigrated({ url, clock: systemClock, output });
        await database.read((db) => db.selectFrom("users").select("public_id").execute());
        await database.close();
      `;
      const programs = Array.from({ length: 5 }, () => runProgram(source));
      const results = await Promise.all(
        programs.map(async (program) => [await program.exited, await program.stderr.text()]),
      );
      expect(results).toEqual(Array(5).fill([0, ""]));
      expect(appliedSteps(path)).toEqual([...names, ...later]);
    }
  }, 30_000);

  test("that were killed are completed by the next start", async () => {
    const folder = temporaryFolder();
    const whole = connectFile(join(folder, "whole.db"), "create");
    await migrate(whole, now);
    await withSteps([laterStep], () => migrate(whole, now));
    await whole.close();

    // Killed after some statements: their transaction is never committed.
    const killed: [string, number, string[]][] = [
      ["baseline", 0, []],
      ["baseline", 1, []],
      ["baseline", baseline.length - 1, []],
      ["laterStep.statements", 0, names],
      ["laterStep.statements", 1, names],
    ];
    for (const [index, [statements, survived, applied]] of killed.entries()) {
      const path = join(folder, `killed-${index}.db`);
      const program = runProgram(`
        import { CompiledQuery } from "kysely";
        import { connectFile } from "./db/sqlite/connect.ts";
        import { migrate } from "./db/migrate.ts";
        import { baseline } from "./db/sqlite/tables.ts";
        import { laterStep } from "./test/support/steps.ts";
        const database = connectFile(${JSON.stringify(path)}, "create");
        if (${applied.length > 0}) await migrate(database, ${JSON.stringify(now)});
        await database.changeSchema(async (trx) => {
          for (const statement of ${statements}.slice(0, ${survived}))
            await trx.executeQuery(CompiledQuery.raw(statement));
          process.kill(process.pid, "SIGKILL");
          await Bun.sleep(10_000);
        });
      `);
      await program.exited;
      expect(program.signalCode).toBe("SIGKILL");

      const database = connectFile(path, "existing");
      expect(await migrate(database, now)).toEqual(applied.length > 0 ? [] : names);
      await withSteps([laterStep], async () => expect(await migrate(database, now)).toEqual(later));
      await database.close();
      expect(catalogue(path)).toEqual(catalogue(join(folder, "whole.db")));
    }
  }, 30_000);
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
    ["mysql://localhost/caseload", "create", /"mysql:" is not supported/],
    [":memory:", "create", /must be a file/],
    ["", "create", /name of the database is empty/],
  ];
  for (const [url, mode, message] of refused)
    test(`refuses ${url.replace(folder, "FOLDER") || "an empty name"} (${mode})`, () => {
      expect(() => connectFile(url, mode)).toThrow(message);
    });
});
