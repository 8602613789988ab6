import { CompiledQuery, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "./database.ts";
import { executorOf } from "./executor.ts";
import type { Schema } from "./schema.ts";

/** SQLite's own size of the page cache, and the one for a bulk, in kibibytes. */
const USUAL_CACHE = 2_000;
const BULK_CACHE = 64 * 1024;

/**
 * Runs work that may put very many rows into some tables.
 *
 * Where a table at least doubles or so, its indexes are made after the work: sorting a million entries at once takes a
 * second, to find the place of each in a tree that outgrows every cache takes four or more. An import of a million
 * sessions takes half the time so. Elsewhere its indexes stay, since to make them anew would cost more.
 *
 * @param coming how many rows may come into each table.
 */
export async function writeInBulk<Result>(
  trx: Db,
  coming: Partial<Record<keyof Schema, number>>,
  work: () => Promise<Result>,
): Promise<Result> {
  // PostgreSQL would keep readers away until the indexes were there again.
  if (executorOf(trx).engine === "postgresql") return work();
  const indexes: IndexRow[] = [];
  for (const [table, rows] of Object.entries(coming))
    if (rows > ANEW_FROM * (await rowsAtMost(trx, table)))
      indexes.push(...(await indexesOf(trx, table)));
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

/** To put a row into the indexes takes some three times as long as to sort it into new ones. */
const ANEW_FROM = 0.5;

interface IndexRow {
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

/** Those that are made by a statement of their own; the ones of keys and unique columns have none. */
async function indexesOf(trx: Db, table: string): Promise<IndexRow[]> {
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

/** Rows of a table of an organization's own, all with the same columns. */
export interface TableRows {
  table: keyof Schema;
  columns: readonly string[];
  values: readonly (readonly unknown[])[];
}

/** Writes many rows of an organization with few statements. */
export interface BulkWriter {
  /** Writes rows that are not there yet. */
  insert(rows: TableRows): Promise<void>;
  /**
   * Writes rows whole, whether their `public_id` exists or not. A row that is the same already is left alone: SQLite
   * would put it anew into each of its indexes.
   */
  upsert(rows: TableRows): Promise<void>;
}

/** How many rows a statement writes: as many as are left of the largest of these. */
const ROWS_PER_STATEMENT = [64, 8, 1];

/** Each statement is compiled once: to compile one takes Kysely longer than to run it takes SQLite. */
export function bulkWriter(trx: Db, organizationId: string): BulkWriter {
  const compiled = new Map<string, CompiledQuery>();

  async function write({ table, columns, values }: TableRows, replaces: boolean): Promise<void> {
    for (let start = 0; start < values.length;) {
      const left = values.length - start;
      const size = ROWS_PER_STATEMENT.find((rows) => rows <= left) ?? 1;
      const key = `${replaces} ${table} ${size} ${columns.join(" ")}`;
      let statement = compiled.get(key);
      if (statement === undefined) {
        statement = compile(trx, { table, columns, values: [] }, size, replaces);
        compiled.set(key, statement);
      }
      const parameters = values
        .slice(start, start + size)
        .flatMap((row) => [organizationId, ...row]);
      await trx.executeQuery({ ...statement, parameters });
      start += size;
    }
  }

  return {
    insert: (rows) => write(rows, false),
    upsert: (rows) => write(rows, true),
  };
}

function compile(
  trx: Db,
  { table, columns }: TableRows,
  size: number,
  replaces: boolean,
): CompiledQuery {
  const row = Object.fromEntries(["organization_id", ...columns].map((column) => [column, ""]));
  const insert = trx.insertInto(table).values(Array.from({ length: size }, () => row) as never);
  if (!replaces) return insert.compile();
  const others = columns.filter((column) => column !== "public_id");
  return insert
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "public_id"] as never)
        .doUpdateSet(excluded(others))
        .where(differs(table, others)),
    )
    .compile();
}

/** Of an upsert: each column as the insert would have had it. */
function excluded(columns: readonly string[]): never {
  return Object.fromEntries(
    columns.map((column) => [column, sql.ref(`excluded.${column}`)]),
  ) as never;
}

/** Of an upsert: whether the row that is there has another value in any of the columns. */
function differs(table: string, columns: readonly string[]): RawBuilder<SqlBool> {
  const differences = columns.map(
    (column) =>
      sql`${sql.ref(`${table}.${column}`)} is distinct from ${sql.ref(`excluded.${column}`)}`,
  );
  return sql<SqlBool>`(${sql.join(differences, sql` or `)})`;
}
