import { CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Instant } from "../src/lib/instant.ts";
import type { Database, Db, Engine, OpenDatabase } from "./database.ts";
import { DatabaseRefused } from "./errors.ts";
import { baseline as postgresqlBaseline } from "./postgresql/tables.ts";
import { baseline as sqliteBaseline } from "./sqlite/tables.ts";
import { type Step, statementsFor, steps } from "./steps.ts";

/**
 * How the tables of a database stand to this program's. `unreleased` is a database that was made before the first
 * release.
 */
export type SchemaState = "current" | "older" | "newer" | "unreleased";

/** What makes the tables of an empty database, as they are after every step. */
const baselines: Record<Engine, readonly string[]> = {
  sqlite: sqliteBaseline,
  postgresql: postgresqlBaseline,
};

/** The name under which a database notes that its tables were made so. */
export const BASELINE = "0000_baseline";

/** The first step of SQLite's and of PostgreSQL's databases before the first release. */
const UNRELEASED = ["0001_organizations_and_keys", "0013_tables"];

/** What to do with a database of the state `unreleased`. */
export function unreleasedRefusal(database: string): string {
  return `${database} was made before the first release of Caseload and cannot be brought up to date: export its practices with the program of commit 7ade7b8, and import them into a new database.`;
}

/**
 * Makes the tables of an empty database, or applies the steps that a database of an earlier version lacks, each in a
 * transaction of its own. The transaction is also the lock: of several programs that start at once, one applies a step
 * and the others then see it applied.
 *
 * @param now the instant that is recorded.
 * @param keepBackup makes a backup of the database as it stands, and is called before the first step that
 * changes a database with data. It runs under the lock, so that nothing is written in between.
 * @returns the names of the steps that this call applied.
 * @throws DatabaseRefused when a newer version of the program has migrated the database, or when it was made before the
 * first release.
 */
export async function migrate(
  database: OpenDatabase,
  now: Instant,
  keepBackup: (firstStep: string) => Promise<void> = async () => {},
): Promise<string[]> {
  // What is up to date can be served also while another program has the lock.
  if ((await schemaState(database)) === "current") return [];
  const isNew = await database.changeSchema((trx) => makeTables(trx, now));
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
  return applied;
}

/** @returns whether the database had no tables before. */
async function makeTables(trx: Db, now: Instant): Promise<boolean> {
  const done = await appliedSteps(trx);
  refuseUnsuitable(done);
  if (done.size > 0) return false;
  await execute(trx, baselines[trx.engine]);
  // The list is what the steps lead to.
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

/** Whether the database is at this program's version, behind it, or ahead of it. */
export async function schemaState(database: Database): Promise<SchemaState> {
  return database.read(async (db) => stateAfter(await appliedSteps(db)));
}

/** How a database to which these steps were applied stands to this program. */
export function stateAfter(done: ReadonlySet<string>): SchemaState {
  if (UNRELEASED.some((name) => done.has(name))) return "unreleased";
  if (unknownStep(done) !== undefined) return "newer";
  return names().every((name) => done.has(name)) ? "current" : "older";
}

/** A step of a newer version of the program. */
export function unknownStep(done: ReadonlySet<string>): string | undefined {
  return [...done].find((name) => !names().includes(name));
}

function refuseUnsuitable(done: ReadonlySet<string>): void {
  const state = stateAfter(done);
  if (state === "unreleased") throw new DatabaseRefused(unreleasedRefusal("The database"));
  if (state === "newer")
    throw new DatabaseRefused(
      `The database was migrated by a newer version of Caseload (${unknownStep(done)}). Run that version, or restore a backup made before the upgrade.`,
    );
}

async function hasData(db: Db): Promise<boolean> {
  // A chain has its head before it has a row.
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
