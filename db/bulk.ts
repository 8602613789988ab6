import { CompiledQuery, sql } from "kysely";
import type { Db } from "./database.ts";
import type { Schema } from "./schema.ts";

/** SQLite's own size of the page cache, and the one for a bulk, in kibibytes. */
const USUAL_CACHE = 2_000;
const BULK_CACHE = 64 * 1024;

/**
 * Runs work that may put very many rows into some tables.
 *
 * Indexes of a table that is empty are made after the work: sorting a million entries at once takes a second,
 * to find the place of each in a tree that outgrows every cache takes four or more. An import of a million
 * sessions takes half the time so. Where the table has rows already, its indexes stay, since to make them
 * anew would cost more than a small file.
 */
export async function writeInBulk<Result>(
  trx: Db,
  tables: readonly (keyof Schema)[],
  work: () => Promise<Result>,
): Promise<Result> {
  const indexes: IndexRow[] = [];
  for (const table of tables)
    if (await isEmpty(trx, table)) indexes.push(...(await indexesOf(trx, table)));
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(trx);
  await setCache(trx, BULK_CACHE);
  try {
    const result = await work();
    for (const index of indexes) await trx.executeQuery(CompiledQuery.raw(index.sql));
    return result;
  } finally {
    await setCache(trx, USUAL_CACHE);
  }
}

interface IndexRow {
  name: string;
  sql: string;
}

async function isEmpty(trx: Db, table: keyof Schema): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(trx);
  return rows.length === 0;
}

/** Those that are made by a statement of their own; the ones of keys and unique columns have none. */
async function indexesOf(trx: Db, table: keyof Schema): Promise<IndexRow[]> {
  const { rows } = await sql<IndexRow>`
    select name, sql from sqlite_schema
    where type = 'index' and tbl_name = ${table} and sql is not null
    order by name
  `.execute(trx);
  return rows;
}

async function setCache(trx: Db, kibibytes: number): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(`pragma cache_size = -${kibibytes}`));
}
