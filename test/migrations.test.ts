import { describe, expect, test } from "bun:test";
import { Database as SqliteFile } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectFile } from "../db/sqlite/connect.ts";
import { migrate, schemaState } from "../db/migrate.ts";
import { migrations } from "../db/sqlite/migrations/index.ts";
import type { Migration } from "../db/migration.ts";
import type { Instant } from "../src/lib/instant.ts";
import { listUsers } from "../src/users/repository.ts";
import { newOrganization, newUser } from "./support/factories.ts";
import { NOW, temporaryFolder } from "./support/harness.ts";

const now = NOW as Instant;
const names = migrations.map((step) => step.name);

/** Runs a program of this repository in a process of its own. */
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

describe("migrations", () => {
  test("are numbered in order, each name once", () => {
    expect(names).toEqual([...new Set(names)].sort());
    for (const name of names) expect(name).toMatch(/^[0-9]{4}_[a-z_]+$/);
  });

  test("bring an empty file up to date, and then have nothing left to do", async () => {
    const database = connectFile(join(temporaryFolder(), "new.db"), "create");
    expect(await schemaState(database)).toBe("older");
    expect(await migrate(database, now)).toEqual(names);
    expect(await schemaState(database)).toBe("current");
    expect(await migrate(database, now)).toEqual([]);
    await database.close();
  });

  test("continue where an older version of the program stopped", async () => {
    const database = connectFile(join(temporaryFolder(), "older.db"), "create");
    await migrate(database, now, migrations.slice(0, 3));
    expect(await schemaState(database)).toBe("older");
    expect(await migrate(database, now)).toEqual(names.slice(3));
    await database.close();
  });

  test("find the users of before by their texts", async () => {
    const database = connectFile(join(temporaryFolder(), "searched.db"), "create");
    // The ninth made another index of them, which the tenth takes away.
    await migrate(database, now, migrations.slice(0, 9));
    const organizations = ["org_maple", "org_birch", "org_empty"];
    for (const public_id of organizations) await newOrganization(database, { public_id });
    for (const first_name of ["Ana", "Banana", "Łucja"])
      for (const organization of ["org_maple", "org_maple", "org_birch"])
        await newUser(database, organization, { first_name });
    await migrate(database, now);
    await newUser(database, "org_maple", { first_name: "Nana" });
    const totals = organizations.map((organization) =>
      Promise.all(
        [["ana"], ["banana"], ["luc", "a"]].map(async (searchTerms) => {
          const page = { offset: 0, pageSize: 1, order: [] };
          const { total } = await database.read((db) =>
            listUsers(db, organization, { searchTerms }, page),
          );
          return total;
        }),
      ),
    );
    expect(await Promise.all(totals)).toEqual([
      [5, 2, 2],
      [2, 1, 1],
      [0, 0, 0],
    ]);
    await database.close();
  });

  test("refuse a database that a newer version has migrated", async () => {
    const database = connectFile(join(temporaryFolder(), "newer.db"), "create");
    const future: Migration = { name: "9999_future", statements: ["create table future (x text)"] };
    await migrate(database, now, [...migrations, future]);
    expect(await schemaState(database)).toBe("newer");
    await expect(migrate(database, now)).rejects.toThrow(
      /newer version of Caseload \(9999_future\)/,
    );
    await database.close();
  });

  test("that fail half way leave nothing of the step", async () => {
    const path = join(temporaryFolder(), "failing.db");
    const database = connectFile(path, "create");
    const failing: Migration = {
      name: "0002_failing",
      statements: ["create table half (x text)", "insert into nowhere values (1)"],
    };
    const first: Migration = { name: "0001_first", statements: ["create table whole (x text)"] };
    await expect(migrate(database, now, [first, failing])).rejects.toThrow();
    await database.close();
    expect(appliedSteps(path)).toEqual(["0001_first"]);
    expect(JSON.stringify(catalogue(path))).not.toContain("half");
  });

  test("of five programs that start at once on an empty file are each applied once, and all start", async () => {
    const path = join(temporaryFolder(), "shared.db");
    const source = `
      import { openMigrated } from "./src/commands/database.ts";
      import { systemClock } from "./src/lib/clock.ts";
      const output = { result() {}, words() {} };
      const database = await openMigrated(${JSON.stringify(path)}, systemClock, output);
      await database.read((db) => db.selectFrom("users").select("public_id").execute());
      await database.close();
    `;
    const programs = Array.from({ length: 5 }, () => runProgram(source));
    const results = await Promise.all(
      programs.map(async (program) => [await program.exited, await program.stderr.text()]),
    );
    expect(results).toEqual(Array(5).fill([0, ""]));
    expect(appliedSteps(path)).toEqual(names);
  });

  test("that were killed in the middle of a step are completed by the next start", async () => {
    const folder = temporaryFolder();
    const whole = connectFile(join(folder, "whole.db"), "create");
    await migrate(whole, now);
    await whole.close();

    // Killed after each number of statements of the third step: its transaction never commits.
    const [, , third] = migrations;
    for (const survived of [0, 1, 5, (third?.statements.length ?? 0) - 1]) {
      const path = join(folder, `killed-${survived}.db`);
      const program = runProgram(`
        import { CompiledQuery } from "kysely";
        import { connectFile } from "./db/sqlite/connect.ts";
        import { migrate } from "./db/migrate.ts";
        import { migrations } from "./db/sqlite/migrations/index.ts";
        const database = connectFile(${JSON.stringify(path)}, "create");
        await migrate(database, ${JSON.stringify(now)}, migrations.slice(0, 2));
        await database.changeSchema(async (trx) => {
          for (const statement of migrations[2].statements.slice(0, ${survived}))
            await trx.executeQuery(CompiledQuery.raw(statement));
          process.kill(process.pid, "SIGKILL");
          await Bun.sleep(10_000);
        });
      `);
      await program.exited;
      expect(program.signalCode).toBe("SIGKILL");
      expect(appliedSteps(path)).toEqual(names.slice(0, 2));

      const database = connectFile(path, "existing");
      expect(await migrate(database, now)).toEqual(names.slice(2));
      await database.close();
      expect(catalogue(path)).toEqual(catalogue(join(folder, "whole.db")));
    }
  });
});

describe("opening a database", () => {
  test("gives the file and its companions to their owner only", async () => {
    const path = join(temporaryFolder(), "private.db");
    const database = connectFile(path, "create");
    await migrate(database, now);
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      expect((await Bun.file(file).stat()).mode & 0o777).toBe(0o600);
    await database.close();
    expect(await Bun.file(`${path}-wal`).exists()).toBe(false);
  });

  test("takes a file: URL as well as a path", async () => {
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
    [folder, "existing", /is no file/],
    ["file://elsewhere/caseload.db", "create", /names no file of this machine/],
    ["mysql://localhost/caseload", "create", /"mysql:" is not supported/],
    [":memory:", "create", /must be a file/],
    ["", "create", /must be a file/],
  ];
  for (const [url, mode, message] of refused)
    test(`refuses ${url.replace(folder, "FOLDER") || "an empty name"} (${mode})`, () => {
      expect(() => connectFile(url, mode)).toThrow(message);
    });
});
