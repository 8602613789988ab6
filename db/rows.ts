import { sql } from "kysely";
import type { Db } from "./database.ts";
import { byEngine } from "./engine.ts";
import type { Schema } from "./schema.ts";

/** A row by column. All values have JSON types. */
type Row = Readonly<Record<string, unknown>>;

/** PostgreSQL's statistics are not refreshed for tables with more rows than this. */
const WELL_KNOWN = 10_000;
/** Statistics are refreshed when a table has this many times as many rows as before. */
const GROWTH = 5;

/** Writes many rows of a table in one statement with one parameter, the rows as JSON. */
export class RowWriter {
  /** Rows per table, now and at the last `analyze`. PostgreSQL only. */
  readonly #sizes = new Map<string, { rows: number; analyzed: number }>();

  constructor(private readonly trx: Db) {}

  /** Inserts rows with the same columns. */
  insert(table: keyof Schema, rows: readonly Row[]): Promise<void> {
    return this.#write(table, rows, false);
  }

  /** Inserts rows, or overwrites those with the same `organization_id` and `public_id`. */
  upsert(table: keyof Schema, rows: readonly Row[]): Promise<void> {
    return this.#write(table, rows, true);
  }

  async #write(table: keyof Schema, rows: readonly Row[], replaces: boolean): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    const columns = Object.keys(first);
    const json = JSON.stringify(rows);
    const values = columns.map((column) => sql`value ->> ${sql.lit(`$.${column}`)}`);
    const names = columns.map((column) => sql.ref(column));
    const insertion = this.trx
      .insertInto(table)
      .columns(columns as never)
      .expression(
        byEngine({
          // Without `where`, SQLite would parse the `on` of `on conflict` as a join condition.
          sqlite: sql`select ${sql.join(values)} from json_each(${json}) where true`,
          postgresql: sql`select ${sql.join(names)} from json_populate_recordset(null::${sql.table(table)}, ${json})`,
        }),
      );
    const others = columns.filter((column) => !KEY.includes(column));
    const excluded = others.map((column) => [column, sql.ref(`excluded.${column}`)]);
    const statement = replaces
      ? insertion.onConflict((conflict) =>
          conflict.columns(KEY as never).doUpdateSet(Object.fromEntries(excluded) as never),
        )
      : insertion;
    await statement.execute();
    if (this.trx.engine === "postgresql") await this.#analyzeIfGrown(table, rows.length);
  }

  /**
   * Runs `analyze` after large growth. PostgreSQL plans a foreign key check once and keeps the plan; if the table was
   * empty then, the check scans all rows.
   */
  async #analyzeIfGrown(table: string, added: number): Promise<void> {
    let size = this.#sizes.get(table);
    if (size === undefined) {
      const rows = await knownRows(this.trx, table);
      this.#sizes.set(table, (size = { rows, analyzed: rows }));
    }
    size.rows += added;
    if (size.analyzed >= WELL_KNOWN || size.rows < GROWTH * size.analyzed) return;
    size.analyzed = size.rows;
    await sql`analyze (skip_locked) ${sql.table(table)}`.execute(this.trx);
  }
}

const KEY = ["organization_id", "public_id"];

/** PostgreSQL's estimate of the table's rows. Citus tables are skipped, as they have their own statistics. */
async function knownRows(trx: Db, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select greatest(reltuples, 0) as rows from pg_class
    where oid = ${table}::regclass and not exists (select 1 from pg_extension where extname = 'citus')
  `.execute(trx);
  return rows[0]?.rows ?? WELL_KNOWN;
}
