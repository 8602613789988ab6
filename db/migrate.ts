import { CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Instant } from "../src/lib/instant.ts";
import type { Database, Db, Engine, OpenDatabase } from "./database.ts";
import { DatabaseRefused } from "./errors.ts";
import { migrations as sqliteMigrations } from "./sqlite/migrations/index.ts";
import { migrations as postgresqlMigrations } from "./postgresql/migrations/index.ts";
import type { Migration } from "./migration.ts";

/** How a database stands to this program's list of migrations. */
export type SchemaState = "current" | "older" | "newer";

interface Catalogue {
  steps: readonly Migration[];
  createTable: CompiledQuery;
  tables: RawBuilder<{ name: string }>;
}

const CREATE_TABLE = `create table if not exists schema_migrations (
  name text not null primary key,
  applied_at text not null
)`;

const catalogues: Record<Engine, Catalogue> = {
  sqlite: {
    steps: sqliteMigrations,
    createTable: CompiledQuery.raw(`${CREATE_TABLE} strict`),
    // Not virtual ones: the index of texts had rows of its own while it was empty, and could not be read whole.
    tables: sql`select name from pragma_table_list
      where schema = 'main' and type = 'table' and name <> 'sqlite_schema'`,
  },
  postgresql: {
    steps: postgresqlMigrations,
    createTable: CompiledQuery.raw(CREATE_TABLE),
    tables: sql`select tablename as name from pg_tables where schemaname = current_schema()`,
  },
};

function catalogueOf(db: Db): Catalogue {
  return catalogues[db.engine];
}

/**
 * Applies what is missing, each step in a transaction of its own. The transaction is also the
 * lock: of several programs that start at once, one applies a step and the others then see it applied.
 *
 * @param now the instant that is recorded.
 * @param given other steps than those of the engine.
 * @param keepBackup makes a backup of the database as it stands, and is called before the first step that
 * changes a database with data. It runs under the lock, so that nothing is written in between.
 * @returns the names of the steps that this call applied.
 * @throws DatabaseRefused when a newer version of the program has migrated the database.
 */
export async function migrate(
  database: OpenDatabase,
  now: Instant,
  given?: readonly Migration[],
  keepBackup: (firstStep: string) => Promise<void> = async () => {},
): Promise<string[]> {
  // What is up to date can be served also while another program has the lock.
  if ((await schemaState(database, given)) === "current") return [];
  const steps = await database.changeSchema(async (trx) => {
    const { createTable, steps } = catalogueOf(trx);
    await trx.executeQuery(createTable);
    return given ?? steps;
  });
  const applied: string[] = [];
  const applyOnce = async (trx: Db, step: Migration): Promise<boolean> => {
    const done = await appliedSteps(trx);
    refuseNewer(done, steps);
    if (done.has(step.name)) return false;
    if (applied.length === 0 && (await hasData(trx))) await keepBackup(step.name);
    await apply(trx, step, now);
    return true;
  };
  for (const step of steps)
    if (await database.changeSchema((trx) => applyOnce(trx, step))) applied.push(step.name);
  return applied;
}

async function apply(trx: Db, step: Migration, now: Instant): Promise<void> {
  for (const statement of step.statements) await trx.executeQuery(CompiledQuery.raw(statement));
  await trx.insertInto("schema_migrations").values({ name: step.name, applied_at: now }).execute();
}

/** Whether the database is at this program's version, behind it, or ahead of it. */
export async function schemaState(
  database: Database,
  given?: readonly Migration[],
): Promise<SchemaState> {
  return database.read(async (db) => {
    const done = (await hasTable(db)) ? await appliedSteps(db) : new Set<string>();
    return stateAfter(done, given ?? catalogueOf(db).steps);
  });
}

/** How a database to which these steps were applied stands to this program. */
export function stateAfter(done: ReadonlySet<string>, steps: readonly Migration[]): SchemaState {
  if (unknownStep(done, steps) !== undefined) return "newer";
  return steps.every((step) => done.has(step.name)) ? "current" : "older";
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

async function hasTable(db: Db): Promise<boolean> {
  return (await tablesOf(db)).includes("schema_migrations");
}

async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await catalogueOf(db).tables.execute(db);
  return rows.map(({ name }) => name);
}

async function appliedSteps(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom("schema_migrations").select("name").execute();
  return new Set(rows.map((row) => row.name));
}

function unknownStep(done: ReadonlySet<string>, steps: readonly Migration[]): string | undefined {
  return [...done].find((name) => !steps.some((step) => step.name === name));
}

function refuseNewer(done: Set<string>, steps: readonly Migration[]): void {
  const unknown = unknownStep(done, steps);
  if (unknown !== undefined)
    throw new DatabaseRefused(
      `The database was migrated by a newer version of Caseload (${unknown}). Run that version, or restore a backup made before the upgrade.`,
    );
}
