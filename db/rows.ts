import { type CompiledQuery, sql } from "kysely";
import type { Db } from "./database.ts";
import { byEngine } from "./engine.ts";
import type { Schema } from "./schema.ts";

/** PostgreSQL's statistics are not refreshed for tables with more rows than this. */
const MAX_ANALYZED_ROWS = 10_000;
/** Statistics are refreshed when a table has this many times as many rows as before. */
const GROWTH = 5;

/**
 * Inserts rows with the same columns in one statement with one parameter, the rows as JSON.
 *
 * @param key columns of a unique key: rows overwrite those with the same values in them. Without one, rows must be new.
 */
export async function writeRows(
  trx: Db,
  table: keyof Schema,
  rows: readonly object[],
  key?: readonly string[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const json = JSON.stringify(rows);
  const values = columns.map((column) => sql`value ->> ${sql.lit(`$.${column}`)}`);
  const names = columns.map((column) => sql.ref(column));
  const insertion = trx
    .insertInto(table)
    .columns(columns as never)
    .expression(
      byEngine({
        // Without `materialized`, SQLite would write the text of a row anew for each of its columns. Without a condition,
        // it would parse `on conflict` as a join condition.
        sqlite: sql`with each as materialized (select value from json_each(${json})) select ${sql.join(values)} from each where true`,
        postgresql: sql`select ${sql.join(names)} from json_populate_recordset(null::${sql.table(table)}, ${json})`,
      }),
    );
  if (key === undefined) return void (await insertion.execute());
  const others = columns.filter((column) => !key.includes(column));
  const replaced = others.map((column) => [column, sql.ref(`excluded.${column}`)]);
  await insertion
    .onConflict((conflict) =>
      conflict.columns(key as never).doUpdateSet(Object.fromEntries(replaced) as never),
    )
    .execute();
}

/** Writes rows to tables that may grow from empty to large within the transaction. */
export class RowWriter {
  /** Rows per table, now and at the last `analyze`. PostgreSQL only. */
  readonly #sizes = new Map<string, { rows: number; analyzed: number }>();

  constructor(private readonly trx: Db) {}

  /** Inserts rows with the same columns. */
  async insert(table: keyof Schema, rows: readonly object[]): Promise<void> {
    await writeRows(this.trx, table, rows);
    await this.#analyzeIfGrown(table, rows.length);
  }

  /** Inserts rows, or overwrites those with the same `organization_id` and `public_id`. */
  async upsert(table: keyof Schema, rows: readonly object[]): Promise<void> {
    await writeRows(this.trx, table, rows, ["organization_id", "public_id"]);
    await this.#analyzeIfGrown(table, rows.length);
  }

  /** Refreshes the statistics of all tables that have grown much since, for queries that join what was written. */
  async analyzeGrown(): Promise<void> {
    for (const [table, size] of this.#sizes) {
      if (size.rows < 2 * size.analyzed) continue;
      size.analyzed = size.rows;
      await sql`analyze (skip_locked) ${sql.table(table)}`.execute(this.trx);
    }
  }

  /**
   * PostgreSQL plans the check of a foreign key once per connection. A plan made while the table was empty scans all
   * rows, so statistics are refreshed as the table grows.
   */
  async #analyzeIfGrown(table: string, added: number): Promise<void> {
    if (this.trx.engine === "sqlite" || added === 0) return;
    let size = this.#sizes.get(table);
    if (size === undefined) {
      const rows = await knownRows(this.trx, table);
      this.#sizes.set(table, (size = { rows, analyzed: rows }));
    }
    size.rows += added;
    if (size.analyzed >= MAX_ANALYZED_ROWS || size.rows < GROWTH * size.analyzed) return;
    size.analyzed = size.rows;
    await sql`analyze (skip_locked) ${sql.table(table)}`.execute(this.trx);
  }
}

/** The planner's estimate of a table's rows. On Citus, which keeps its own statistics, a number that is never analyzed. */
async function knownRows(trx: Db, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select greatest(reltuples, 0) as rows from pg_class
    where oid = ${table}::regclass and not exists (select 1 from pg_extension where extname = 'citus')
  `.execute(trx);
  return rows[0]?.rows ?? MAX_ANALYZED_ROWS;
}

/**
 * Streams the rows of a query in batches, so that results of any size need little memory. Kysely's own `stream` yields
 * single rows, which doubles the time.
 */
export async function* streamRows<Row>(
  db: Db,
  query: { compile(): CompiledQuery<Row> },
  rowsAtATime: number,
): AsyncGenerator<Row[]> {
  for await (const { rows } of db.getExecutor().stream(query.compile(), rowsAtATime)) yield rows;
}
