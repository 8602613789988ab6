import { CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Instant } from "../src/lib/instant.ts";
import { compareVersions, ownCommit, VERSION } from "../src/version.ts";
import type { Database, Db, Engine, OpenDatabase } from "./database.ts";
import { checkColumns, checkColumnsBefore } from "./columns.ts";
import { DatabaseError, OtherDatabase } from "./errors.ts";
import type { Row } from "./schema.ts";
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

/** The parts of an upgrade that a caller has. */
export interface UpgradeOptions {
  /**
   * Backs up the database. Called before the first change of a database with data, under the lock, so that nothing is
   * written in between.
   */
  keepBackup?: () => Promise<void>;
  /** Makes anew what follows from records by rules of the program: another version may have other rules. */
  refresh?: (trx: Db) => Promise<void>;
}

/**
 * Creates the tables of an empty database, or brings one of an earlier version up to date, in one transaction: a program
 * that is killed leaves the database of before or of after. The transaction also serves as the lock: if several
 * programs start at once, one brings it up to date and the others find that done. Programs of the earlier version must
 * have closed it.
 *
 * @param now the instant to record.
 * @returns the names of the steps applied by this call.
 * @throws DatabaseError if a newer version of the program has migrated the database, if it was created before the first
 * release, if it has tables of another program, or other columns, or if another program keeps it open.
 */
export async function migrate(
  database: OpenDatabase,
  now: Instant,
  options: UpgradeOptions = {},
): Promise<string[]> {
  // Without this check, an up-to-date database could not be served while another program holds the lock.
  const state = await schemaState(database);
  const bringUpToDate = () => database.changeSchema((trx) => makeOrUpgrade(trx, now, options));
  const isOlder = async () => (await schemaState(database)) === "older";
  let applied: string[] | undefined;
  if (state === "older") applied = await database.alone(bringUpToDate, isOlder);
  else if (state !== "current") applied = await bringUpToDate();
  await database.read(checkColumns);
  return applied ?? [];
}

async function makeOrUpgrade(trx: Db, now: Instant, options: UpgradeOptions): Promise<string[]> {
  const { baseline } = await baselines[trx.engine]();
  return (await makeTables(trx, baseline, now)) ? names() : upgrade(trx, now, options);
}

async function upgrade(
  trx: Db,
  now: Instant,
  { keepBackup = async () => {}, refresh = async () => {} }: UpgradeOptions,
): Promise<string[]> {
  const done = await appliedTo(trx);
  if (stateAfter(done) === "current") return [];
  const first = firstMissing(done);
  if (first !== undefined) await checkColumnsBefore(trx, first);
  if (await hasData(trx)) await keepBackup();
  const missing = steps.filter(({ name }) => !done.steps.has(name));
  for (const step of missing) {
    await execute(trx, statementsFor(trx.engine, step));
    await step.change?.(trx);
  }
  const applied = missing.map(({ name }) => name);
  if (applied.length > 0) await note(trx, applied, now);
  await noteVersion(trx, now);
  const { countAnew } = await import("./counts.ts");
  await countAnew(trx);
  await refresh(trx);
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
  const done = await appliedTo(trx);
  requireSupportedSchema(done);
  if (done.steps.size > 0) return false;
  if ((await tablesOf(trx)).length > 0)
    throw new DatabaseError(
      "The database has tables of another program. Give Caseload a database of its own.",
    );
  await execute(trx, baseline);
  // The created tables already include the changes of all steps.
  await note(trx, names(), now);
  await noteVersion(trx, now);
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

/** Notes that this program has made the database, or brought it up to date. */
async function noteVersion(trx: Db, now: Instant): Promise<void> {
  const { position = 0 } =
    (await trx
      .selectFrom("versions")
      .select("position")
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirst()) ?? {};
  const row = { version: VERSION, commit_id: ownCommit(), since: now };
  await trx
    .insertInto("versions")
    .values({ position: position + 1, ...row })
    .execute();
}

/** A version of the program, and when it made a database or brought it up to date. */
export type VersionRow = Pick<Row<"versions">, "version" | "commit_id" | "since">;

/** What this version and earlier ones have applied to a database. */
export interface Applied {
  steps: ReadonlySet<string>;
  /** In order; the first made it. None in a database without tables, or of before 1.0.0. */
  versions: readonly VersionRow[];
}

/** Whether the database is at, before or after this program's version. */
export async function schemaState(database: Database): Promise<SchemaState> {
  return database.read(async (db) => stateAfter(await appliedTo(db)));
}

/** The state of a database to which this was applied. */
export function stateAfter({ steps: done, versions }: Applied): SchemaState {
  if (done.size === 0) return "none";
  if (UNRELEASED.some((name) => done.has(name))) return "unreleased";
  const difference = compareVersions(versions.at(-1)?.version ?? VERSION, VERSION);
  if (difference > 0 || unknownStep(done) !== undefined) return "newer";
  return difference === 0 && names().every((name) => done.has(name)) ? "current" : "older";
}

/** Names the version that made or last brought up to date a database, such as `Caseload 1.0.0 (commit 3f9c1a7b20de)`. */
export function versionOf({ steps: done, versions }: Applied): string {
  const last = versions.at(-1);
  if (last !== undefined) return `Caseload ${last.version} (commit ${last.commit_id})`;
  const unknown = unknownStep(done);
  return unknown === undefined
    ? "a version before the first release of Caseload"
    : `another version of Caseload (${unknown})`;
}

/** The first step that a database lacks. */
export function firstMissing({ steps: done }: Applied): Step | undefined {
  return steps.find(({ name }) => !done.has(name));
}

/** An applied step that this version does not have, so it stems from a newer one. */
function unknownStep(done: ReadonlySet<string>): string | undefined {
  return [...done].find((name) => !names().includes(name));
}

function requireSupportedSchema(done: Applied): void {
  const state = stateAfter(done);
  if (state === "unreleased") throw new OtherDatabase(unreleasedMessage("The database"));
  if (state === "newer") throw new OtherDatabase(newerMessage("The database", done));
}

/** The error message for an `older` database. */
export function olderMessage(database: string, done: Applied): string {
  return `${database} is of ${versionOf(done)}, which is older than this one, ${VERSION} (commit ${ownCommit()}). Bring it up to date with "caseload migrate".`;
}

/** The error message for a `newer` database. */
export function newerMessage(database: string, done: Applied): string {
  return `${database} is of ${versionOf(done)}, which is newer than this one, ${VERSION} (commit ${ownCommit()}). Use that version or a later one, or restore the backup that it made before the upgrade.`;
}

async function hasData(db: Db): Promise<boolean> {
  // A chain has its head even before its first row.
  const others = (await tablesOf(db)).filter(
    (name) => !["schema_migrations", "versions", "audit_heads"].includes(name),
  );
  for (const name of others) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}

/** What was applied to a database; nothing if it has no tables. */
export async function appliedTo(db: Db): Promise<Applied> {
  const present = await tablesOf(db);
  if (!present.includes("schema_migrations")) return { steps: new Set(), versions: [] };
  const rows = await db.selectFrom("schema_migrations").select("name").execute();
  const versions = present.includes("versions")
    ? await db
        .selectFrom("versions")
        .select(["version", "commit_id", "since"])
        .orderBy("position")
        .execute()
    : [];
  return { steps: new Set(rows.map((row) => row.name)), versions };
}

const tableNames: Record<Engine, RawBuilder<{ name: string }>> = {
  sqlite: sql`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`,
  postgresql: sql`select tablename as name from pg_tables where schemaname = current_schema()`,
};

async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await tableNames[db.engine].execute(db);
  return rows.map(({ name }) => name);
}
