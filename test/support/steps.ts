import { Database as SqliteFile } from "bun:sqlite";
import { columnsHash, type FoundColumn, SQLITE_COLUMNS } from "../../db/columns.ts";
import { migrate } from "../../db/migrate.ts";
import { schemaHash } from "../../db/sqlite/schema.ts";
import { baseline } from "../../db/sqlite/tables.ts";
import { type Step, steps } from "../../db/steps.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { onDatabase } from "./commands/practice.ts";
import { NOW } from "./harness.ts";

/** Migration steps that exist only in tests, to simulate a later version and its databases. */

const newest = new SqliteFile(":memory:");
for (const statement of baseline) newest.run(statement);

/** What a new database has, which the next step changes. */
export const from = {
  columns: columnsHash(newest.query<FoundColumn, []>(SQLITE_COLUMNS).all()),
  schema: schemaHash(newest),
};

export const laterStep: Step = {
  name: "0002_notes",
  from,
  statements: [
    "create table notes (organization_id text not null, note text not null)",
    "create index notes_by_organization on notes (organization_id)",
  ],
};

/** Runs `work` with additional migration steps after the program's own. */
export async function withSteps<Result>(
  later: readonly Step[],
  work: () => Promise<Result>,
): Promise<Result> {
  const list = steps as Step[];
  const { length } = list;
  list.push(...later);
  try {
    return await work();
  } finally {
    list.length = length;
  }
}

/** Migrates a database file as a later version does. */
export function makeLater(path: string): Promise<string[]> {
  return withSteps([laterStep], () => onDatabase(path, (each) => migrate(each, NOW as Instant)));
}

/** Creates a file like those of versions before the first release, as far as needed to recognize it. */
export function makeUnreleased(path: string): void {
  const file = new SqliteFile(path);
  file.run(
    "create table schema_migrations (name text not null primary key, applied_at text not null) strict",
  );
  file.run("insert into schema_migrations values ('0001_organizations_and_keys', '2026-01-01')");
  file.close();
}

/** The names of the steps that a file has. */
export function appliedSteps(path: string): string[] {
  const file = new SqliteFile(path, { readonly: true });
  const rows = file.query("select name from schema_migrations order by name").all();
  file.close();
  return rows.map((row) => (row as { name: string }).name);
}

/** The definition of every table, index and trigger of a file. */
export function catalogue(path: string): unknown[] {
  const file = new SqliteFile(path, { readonly: true });
  const rows = file.query("select type, name, sql from sqlite_master order by type, name").all();
  file.close();
  return rows;
}
