import { sql } from "kysely";
import type { Db } from "../database.ts";
import { DatabaseError } from "../errors.ts";

/**
 * Tables without an organization column, which Citus replicates to every server: lookups before the organization is
 * known, and data about the whole database.
 */
export const REFERENCE_TABLES = [
  "key_organizations",
  "secrets",
  "audit_spools",
  "versions",
  "schema_migrations",
];

interface TableRow {
  name: string;
  /** Tables to which its rows refer. */
  needed: string[];
}

/**
 * Distributes the tables over the servers of a Citus cluster, by organization. Tables that are already distributed are
 * skipped, so that tables of later versions can be added.
 *
 * @returns the names of the tables distributed by this call.
 * @throws DatabaseError if Citus is missing, this is not the coordinator, or the database already has an
 * organization.
 */
export async function distributeTables(trx: Db): Promise<string[]> {
  await requireCoordinator(trx);
  const local = await localTables(trx);
  if (local.some(({ name }) => name === "organizations")) await requireNoOrganization(trx);
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(trx);
  const distributed: string[] = [];
  for (let left = local; left.length > 0;) {
    const waiting = (name: string) => left.some((table) => table.name === name);
    const next = left.filter(({ needed }) => !needed.some(waiting));
    if (next.length === 0) throw new TypeError("Tables refer to each other in a circle");
    for (const { name } of next) await distribute(trx, name);
    distributed.push(...next.map(({ name }) => name));
    left = left.filter((table) => !next.includes(table));
  }
  // Citus copies the rows and leaves the old ones, hidden, in the local table.
  for (const name of distributed)
    await sql`select truncate_local_data_after_distributing_table(${name})`.execute(trx);
  return distributed;
}

async function requireCoordinator(db: Db): Promise<void> {
  const { rows: extensions } = await sql`
    select 1 from pg_extension where extname = 'citus'
  `.execute(db);
  if (extensions.length === 0)
    throw new DatabaseError(
      'The database has no Citus; install it, and "create extension citus" in the databases of the coordinator and its workers.',
    );
  const { rows } = await sql<{ coordinates: boolean }>`
    select citus_is_coordinator() as coordinates
  `.execute(db);
  if (rows[0]?.coordinates !== true)
    throw new DatabaseError("The database is a worker of Citus; give the coordinator's URL.");
}

/** Distribution copies rows and so would fire the triggers again. */
async function requireNoOrganization(db: Db): Promise<void> {
  const { rows } = await sql`select 1 from organizations limit 1`.execute(db);
  if (rows.length > 0)
    throw new DatabaseError(
      "The database has organizations already; distribute an empty one, and copy this one into it.",
    );
}

async function localTables(db: Db): Promise<TableRow[]> {
  const { rows } = await sql<TableRow>`
    select relname as name, array(
      select distinct confrelid::regclass::text from pg_constraint
      where contype = 'f' and conrelid = pg_class.oid and confrelid <> conrelid
    ) as needed
    from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_dist_partition where logicalrelid = pg_class.oid)
    order by relname <> 'organizations', relname
  `.execute(db);
  return rows;
}

async function distribute(trx: Db, table: string): Promise<void> {
  if (REFERENCE_TABLES.includes(table))
    await sql`select create_reference_table(${table})`.execute(trx);
  else if (table === "organizations")
    await sql`select create_distributed_table(${table}, 'public_id')`.execute(trx);
  else
    await sql`
      select create_distributed_table(${table}, 'organization_id', colocate_with => 'organizations')
    `.execute(trx);
}
