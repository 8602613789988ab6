import { Database as SqliteFile } from "bun:sqlite";
import { type Step, steps } from "../../db/steps.ts";

/** Steps that only tests have: the program of a later version has them, and a database of it. */

export const laterStep: Step = {
  name: "0001_notes",
  statements: [
    "create table notes (organization_id text not null, note text not null)",
    "create index notes_by_organization on notes (organization_id)",
  ],
};

/** Runs `work` with a program that has these steps behind its own. */
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

/** Makes a file as a version before the first release made it, as far as it tells what it is. */
export function makeUnreleased(path: string): void {
  const file = new SqliteFile(path);
  file.run(
    "create table schema_migrations (name text not null primary key, applied_at text not null) strict",
  );
  file.run("insert into schema_migrations values ('0001_organizations_and_keys', '2026-01-01')");
  file.close();
}
