import { CompiledQuery, sql } from "kysely";
import type { Db } from "./database.ts";
import { isOneOf } from "./engine.ts";
import type { Schema } from "./schema.ts";
import { type Count, counts } from "./tables.ts";

/** SQLite's own size of the page cache, and the one for a bulk, in kibibytes. */
const USUAL_CACHE = 2_000;
const BULK_CACHE = 64 * 1024;

/** What is about to be written. */
export interface Bulk {
  /** The only one whose rows are written. */
  organizationId: string;
  /** How many rows may come into each table. */
  coming: Partial<Record<keyof Schema, number>>;
}

/**
 * Runs work that may put very many rows into some tables.
 *
 * Where a table at least doubles or so, its indexes are made after the work: sorting a million entries at once takes a
 * second, to find the place of each in a tree that outgrows every cache takes four or more. An import of a million
 * sessions takes half the time so. Its rows are counted after the work, too, and not one by one. Elsewhere all stays,
 * since to make it anew would cost more.
 */
export async function writeInBulk<Result>(
  trx: Db,
  { organizationId, coming }: Bulk,
  work: () => Promise<Result>,
): Promise<Result> {
  // PostgreSQL would keep readers away until the indexes were there again.
  if (trx.engine === "postgresql") return work();
  const anew: (keyof Schema)[] = [];
  for (const [table, rows] of Object.entries(coming) as [keyof Schema, number][])
    if (rows > ANEW_FROM * (await rowsAtMost(trx, table))) anew.push(table);
  const parts = await partsOf(trx, anew);
  for (const { type, name } of parts)
    await sql`drop ${sql.raw(type)} ${sql.ref(name)}`.execute(trx);
  await setCache(trx, BULK_CACHE);
  try {
    const result = await work();
    for (const part of parts) await trx.executeQuery(CompiledQuery.raw(part.sql));
    for (const [table, count] of Object.entries(counts))
      if (anew.includes(count.of)) await recount(trx, organizationId, table, count);
    return result;
  } finally {
    await setCache(trx, USUAL_CACHE);
  }
}

/** To put a row into the indexes takes some three times as long as to sort it into new ones. */
const ANEW_FROM = 0.5;

/** An index or a trigger. */
interface PartRow {
  type: string;
  name: string;
  sql: string;
}

/** As many rows as the table has had; to count them would read all of them. */
async function rowsAtMost(trx: Db, table: string): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(rowid) as last from ${sql.table(table)}
  `.execute(trx);
  return rows[0]?.last ?? 0;
}

/** Those of some tables that are made by a statement of their own; indexes of keys and unique columns have none. */
async function partsOf(trx: Db, tables: readonly string[]): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`
    select type, name, sql from sqlite_schema
    where type in ('index', 'trigger') and ${isOneOf("tbl_name", tables)} and sql is not null
    order by type, name
  `.execute(trx);
  return rows;
}

async function setCache(trx: Db, kibibytes: number): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(`pragma cache_size = -${kibibytes}`));
}

/** Counts anew what no trigger has counted. */
async function recount(
  trx: Db,
  organizationId: string,
  table: string,
  { of, number, groups }: Count,
): Promise<void> {
  const columns = sql.join(Object.keys(groups).map((column) => sql.ref(column)));
  const values = sql.join(Object.values(groups).map((value) => sql.raw(value(""))));
  await sql`delete from ${sql.table(table)} where organization_id = ${organizationId}`.execute(trx);
  await sql`
    insert into ${sql.table(table)} (organization_id, ${columns}, ${sql.ref(number)})
    select organization_id, ${values}, count(*) from ${sql.table(of)}
    where organization_id = ${organizationId} group by organization_id, ${values}
  `.execute(trx);
}
