import { Database as SqliteFile } from "bun:sqlite";
import { migrate } from "../../db/migrate.ts";
import { type Step, steps } from "../../db/steps.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { onDatabase } from "./commands/practice.ts";
import { NOW } from "./harness.ts";

/** Migration steps that exist only in tests, to simulate a later version and its databases. */

export const laterStep: Step = {
  name: "0001_notes",
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
