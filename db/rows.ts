import { type CompiledQuery, sql } from "kysely";
import { remembered } from "../src/lib/remembered.ts";
import type { Db } from "./database.ts";
import { byEngine } from "./engine.ts";
import { type Compilable, statements } from "./prepared.ts";
import type { Schema } from "./schema.ts";

/** As many rows written to a table may make PostgreSQL's plans and statistics of it useless. */
const MANY_ROWS = 500;
/** With as many rows written, PostgreSQL analyzes a table by itself: some minutes later. */
const SOME_ROWS = 50;
/** Plans are made anew whenever this many times as many rows were written to a table. */
const GROWTH = 5;

/** Statements that insert rows, by table, columns and key. */
const insertions = new Map<string, ReturnType<typeof statements<{ json: string }, never>>>();

/**
 * Inserts rows with the same columns in one statement with one parameter, the rows as JSON. PostgreSQL inserts them while
 * the next ones are prepared; those before have been inserted, so that memory is bounded.
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
  const insertionOfRows = remembered(insertions, JSON.stringify([table, columns, key]), () =>
    statements((db, { json }) => insertionOf(db, { table, columns, key, json })),
  );
  // SQLite finds a value in a list faster than in an object.
  const listOf = (row: object) => columns.map((column) => row[column as keyof object]);
  const json = JSON.stringify(trx.engine === "sqlite" ? rows.map(listOf) : rows);
  const insertion = insertionOfRows(trx, { json });
  await trx.executor.added();
  trx.executor.add(insertion.sql, insertion.parameters);
}

function insertionOf(
  db: Db,
  insertion: {
    table: keyof Schema;
    columns: readonly string[];
    key: readonly string[] | undefined;
    json: string;
  },
) {
  const { table, columns, key, json } = insertion;
  const values = columns.map((_, index) => sql`value ->> ${sql.lit(index)}`);
  const names = columns.map((column) => sql.ref(column));
  const query = db
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
  if (key === undefined) return query;
  const others = columns.filter((column) => !key.includes(column));
  const replaced = others.map((column) => [column, sql.ref(`excluded.${column}`)]);
  return query.onConflict((conflict) =>
    conflict.columns(key as never).doUpdateSet(Object.fromEntries(replaced) as never),
  );
}

/**
 * Writes many rows in one transaction. A PostgreSQL connection keeps its plans, also those of the checks of foreign keys,
 * and one made while a table was empty scans all of it. So plans are discarded while tables grow.
 */
export class RowWriter {
  /** Rows written per table, and at how many of them plans are made anew. PostgreSQL only. */
  readonly #sizes = new Map<keyof Schema, { rows: number; next: number }>();

  constructor(private readonly trx: Db) {}

  /** Inserts rows with the same columns. */
  async insert(table: keyof Schema, rows: readonly object[]): Promise<void> {
    await writeRows(this.trx, table, rows);
    await this.#replan(table, rows.length);
  }

  /** Inserts rows, or overwrites those with the same `organization_id` and `public_id`. */
  async upsert(table: keyof Schema, rows: readonly object[]): Promise<void> {
    await writeRows(this.trx, table, rows, ["organization_id", "public_id"]);
    await this.#replan(table, rows.length);
  }

  /**
   * Refreshes the statistics of tables with many new rows, and of those with some and no useful statistics: plans would
   * ascribe one row to the organization, and read all of them again and again. Call it only before a commit.
   */
  async analyze(): Promise<void> {
    for (const [table, { rows }] of this.#sizes) {
      if (rows < SOME_ROWS) continue;
      if (rows >= MANY_ROWS || !(await hasUsefulStatistics(this.trx, table)))
        await analyze(this.trx, table);
    }
  }

  async #replan(table: keyof Schema, added: number): Promise<void> {
    if (this.trx.engine === "sqlite") return;
    const size = remembered(this.#sizes, table, () => ({ rows: 0, next: MANY_ROWS }));
    size.rows += added;
    if (size.rows < size.next) return;
    size.next = GROWTH * size.rows;
    await sql`discard plans`.execute(this.trx);
    if (!(await hasUsefulStatistics(this.trx, table))) await analyze(this.trx, table);
  }
}

function analyze(trx: Db, table: string): Promise<unknown> {
  // The number of rows stays after a rollback, unlike the statistics, so nothing may depend on it.
  return sql`analyze (skip_locked) ${sql.table(table)}`.execute(trx);
}

/**
 * Whether PostgreSQL's statistics have the number of organizations. Of a nearly empty table they have it in proportion to
 * the rows: then, however many rows one organization gets, looking up some of them seems to cost more than reading all.
 * Citus has statistics of its own.
 */
async function hasUsefulStatistics(trx: Db, table: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stats
    where schemaname = any(current_schemas(false)) and tablename = ${table}
      and attname = 'organization_id' and n_distinct > 0
    union all select from pg_extension where extname = 'citus'
  `.execute(trx);
  return rows.length > 0;
}

const ROWS_PER_BATCH = 1_000;

/**
 * Streams the rows of a query in batches, so that results of any size need little memory. Kysely's own `stream` yields
 * single rows, which doubles the time.
 */
export async function* streamRows<Row>(
  db: Db,
  query: { compile(): CompiledQuery<Row> },
): AsyncGenerator<Row[]> {
  for await (const { rows } of db.getExecutor().stream(query.compile(), ROWS_PER_BATCH)) yield rows;
}

/** A query that is compiled once, like `prepared`, and streamed in batches. */
export function preparedStream<Values extends object, Row>(
  build: (db: Db, parameters: Values) => Compilable<Row>,
): (db: Db, values: Values) => AsyncGenerator<Row[]> {
  const statementFor = statements(build);
  return (db, values) => streamRows(db, { compile: () => statementFor(db, values) });
}
