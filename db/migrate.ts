import { CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Instant } from "../src/lib/instant.ts";
import type { Database, Db, Engine, OpenDatabase } from "./database.ts";
import { checkColumns } from "./columns.ts";
import { DatabaseError } from "./errors.ts";
import { type Step, statementsFor, steps } from "./steps.ts";

/**
 * The schema of a database relative to this program's. `none`: without tables of Caseload; `unreleased`: created before
 * the first release.
 */
export type SchemaState = "current" | "none" | "older" | "newer" | "unreleased";

/**
 * The statements that create the tables of an empty database, at the state after all steps. Loaded on demand: an
 * up-to-date database does not need them.
 */
const baselines: Record<Engine, () => Promise<{ baseline: readonly string[] }>> = {
  sqlite: () => import("./sqlite/tables.ts"),
  postgresql: () => import("./postgresql/tables.ts"),
};

/** The name under which the creation of the tables is recorded. */
export const BASELINE = "0000_baseline";

/** The first migrations, on SQLite and PostgreSQL, of databases created before the first release. */
const UNRELEASED = ["0001_organizations_and_keys", "0013_tables"];

/** The error message for an `unreleased` database. */
export function unreleasedMessage(database: string): string {
  return `${database} was made before the first release of Caseload and cannot be brought up to date: export its practices with the program of commit 7ade7b8, and import them into a new database.`;
}

/**
 * Creates the tables of an empty database, or applies missing migration steps, each in its own transaction. The
 * transaction also serves as the lock: if several programs start at once, one applies a step and the others find it
 * applied.
 *
 * @param now the instant to record.
 * @param keepBackup backs up the database. Called before the first step that changes a database with data, under the
 * lock, so that nothing is written in between.
 * @returns the names of the steps applied by this call.
 * @throws DatabaseError if a newer version of the program has migrated the database, if it was created before the first
 * release, or if it has tables of another program, or other columns.
 */
export async function migrate(
  database: OpenDatabase,
  now: Instant,
  keepBackup: (firstStep: string) => Promise<void> = async () => {},
): Promise<string[]> {
  // Without this check, an up-to-date database could not be served while another program holds the lock.
  if ((await schemaState(database)) === "current") {
    await database.read(checkColumns);
    return [];
  }
  const { baseline } = await baselines[database.engine]();
  const isNew = await database.changeSchema((trx) => makeTables(trx, baseline, now));
  if (isNew) return names();
  const applied: string[] = [];
  const applyOnce = async (trx: Db, step: Step): Promise<boolean> => {
    const done = await appliedSteps(trx);
    if (done.has(step.name)) return false;
    if (applied.length === 0 && (await hasData(trx))) await keepBackup(step.name);
    await execute(trx, statementsFor(trx.engine, step));
    await note(trx, [step.name], now);
    return true;
  };
  for (const step of steps)
    if (await database.changeSchema((trx) => applyOnce(trx, step))) applied.push(step.name);
  await database.read(checkColumns);
  return applied;
}

/**
 * Creates the tables of an empty database in a transaction of its caller, so that a failure leaves nothing.
 *
 * @throws DatabaseError if it has tables.
 */
export async function createTables(trx: Db, now: Instant): Promise<void> {
  const { baseline } = await baselines[trx.engine]();
  if (!(await makeTables(trx, baseline, now)))
    throw new DatabaseError("The database already has the tables of Caseload.");
}

/** @returns whether the database was empty before. */
async function makeTables(trx: Db, baseline: readonly string[], now: Instant): Promise<boolean> {
  const done = await appliedSteps(trx);
  requireSupportedSchema(done);
  if (done.size > 0) return false;
  if ((await tablesOf(trx)).length > 0)
    throw new DatabaseError(
      "The database has tables of another program. Give Caseload a database of its own.",
    );
  await execute(trx, baseline);
  // The created tables already include the changes of all steps.
  await note(trx, names(), now);
  return true;
}

async function execute(trx: Db, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await trx.executeQuery(CompiledQuery.raw(statement));
}

async function note(trx: Db, names: readonly string[], now: Instant): Promise<void> {
  const rows = names.map((name) => ({ name, applied_at: now }));
  await trx.insertInto("schema_migrations").values(rows).execute();
}

function names(): string[] {
  return [BASELINE, ...steps.map(({ name }) => name)];
}

/** Whether the database is at, before or after this program's version. */
export async function schemaState(database: Database): Promise<SchemaState> {
  return database.read(async (db) => stateAfter(await appliedSteps(db)));
}

/** The state of a database to which these steps were applied. */
export function stateAfter(done: ReadonlySet<string>): SchemaState {
  if (done.size === 0) return "none";
  if (UNRELEASED.some((name) => done.has(name))) return "unreleased";
  if (unknownStep(done) !== undefined) return "newer";
  return names().every((name) => done.has(name)) ? "current" : "older";
}

/** An applied step that this version does not have, so it stems from a newer one. */
export function unknownStep(done: ReadonlySet<string>): string | undefined {
  return [...done].find((name) => !names().includes(name));
}

function requireSupportedSchema(done: ReadonlySet<string>): void {
  const state = stateAfter(done);
  if (state === "unreleased") throw new DatabaseError(unreleasedMessage("The database"));
  if (state === "newer")
    throw new DatabaseError(
      `The database was migrated by a newer version of Caseload (${unknownStep(done)}). Run that version, or restore a backup made before the upgrade.`,
    );
}

async function hasData(db: Db): Promise<boolean> {
  // A chain has its head even before its first row.
  const others = (await tablesOf(db)).filter(
    (name) => !["schema_migrations", "audit_heads"].includes(name),
  );
  for (const name of others) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}

async function appliedSteps(db: Db): Promise<Set<string>> {
  if (!(await tablesOf(db)).includes("schema_migrations")) return new Set();
  const rows = await db.selectFrom("schema_migrations").select("name").execute();
  return new Set(rows.map((row) => row.name));
}

const tableNames: Record<Engine, RawBuilder<{ name: string }>> = {
  sqlite: sql`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`,
  postgresql: sql`select tablename as name from pg_tables where schemaname = current_schema()`,
};

async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await tableNames[db.engine].execute(db);
  return rows.map(({ name }) => name);
}
