import { sql } from "kysely";
import type { Db } from "./database.ts";
import { byEngine } from "./engine.ts";
import type { Schema } from "./schema.ts";

/** A row by its columns, all of them of types that JSON has. */
type Row = Readonly<Record<string, unknown>>;

/** Rows beyond which PostgreSQL's planner keeps to the plans that it has. */
const WELL_KNOWN = 10_000;
/** How many times as many rows a table has before its statistics are made anew. */
const GROWTH = 5;

/**
 * Writes many rows of a table with one statement, which has one parameter: the rows as JSON. So there is one statement a
 * table, however many rows it is given.
 */
export class RowWriter {
  /** How many rows each table has, and how many it had when the planner was last told; on PostgreSQL alone. */
  readonly #sizes = new Map<string, { rows: number; analyzed: number }>();

  constructor(private readonly trx: Db) {}

  /** Adds rows, all with the same columns. */
  insert(table: keyof Schema, rows: readonly Row[]): Promise<void> {
    return this.#write(table, rows, false);
  }

  /** Adds rows, or puts them in the place of those with the same `organization_id` and `public_id`. */
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
          // SQLite would take `on` for the beginning of a join.
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
   * PostgreSQL plans the check of a foreign key for the table as it was when it was first checked, and keeps the plan:
   * of one that was empty it goes through all rows. It is told each time that a table has grown.
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

/** How many rows PostgreSQL's planner takes a table to have. Citus, which has statistics of its own, is left alone. */
async function knownRows(trx: Db, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select greatest(reltuples, 0) as rows from pg_class
    where oid = ${table}::regclass and not exists (select 1 from pg_extension where extname = 'citus')
  `.execute(trx);
  return rows[0]?.rows ?? WELL_KNOWN;
}
