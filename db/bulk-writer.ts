import {
  type CompiledQuery,
  type InsertQueryBuilder,
  type InsertResult,
  type RawBuilder,
  type SqlBool,
  sql,
} from "kysely";
import type { Db, Engine } from "./database.ts";
import type { Schema } from "./schema.ts";
import { rowsForStatement, type Scratch } from "./scratch.ts";

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

/** How an engine takes many rows with one statement. */
interface Form {
  /** How many of the rows that are left go into the next statement. */
  sizeFor(left: number): number;
  /** The statement without its conflicts; its values are placeholders. */
  insertion(trx: Db, rows: TableRows, size: number): Promise<Insertion>;
  parameters(organizationId: string, values: TableRows["values"]): unknown[];
  /** Is done after the first statement for a table. */
  begun(trx: Db, table: string): Promise<void>;
}

type Insertion = InsertQueryBuilder<Schema, keyof Schema, InsertResult>;

const values: Form = {
  sizeFor: rowsForStatement,
  async insertion(trx, { table, columns }, size) {
    const row = Object.fromEntries(["organization_id", ...columns].map((column) => [column, ""]));
    return trx.insertInto(table).values(Array.from({ length: size }, () => row) as never);
  },
  parameters: (organizationId, rows) => rows.flatMap((row) => [organizationId, ...row]),
  begun: async () => {},
};

/** Rows of PostgreSQL travel as an array a column: its triggers run once a statement, and a plan suits any number. */
const arrays: Form = {
  sizeFor: (left) => left,
  async insertion(trx, { table, columns }) {
    const types = await typesOf(trx, table);
    const lists = columns.map((column) => sql`${[]}::${sql.raw(types.get(column) ?? "text")}[]`);
    return trx
      .insertInto(table)
      .columns(["organization_id", ...columns] as never)
      .expression(sql`select ${""}::text, * from unnest(${sql.join(lists)})`);
  },
  parameters: (organizationId, rows) => [
    organizationId,
    ...(rows[0] ?? []).map((_, column) => rows.map((row) => row[column])),
  ],
  begun: describeToPlanner,
};

/** Rows beyond which the planner has known enough of a table for long. */
const WELL_KNOWN = 1_000;

/**
 * Tells PostgreSQL's planner what is in a table that was empty. Not knowing, it looks a reference up through any index
 * that begins with the organization, keeps to that plan for the whole transaction, and passes by all rows that there
 * are by then: 100,000 sessions with what hangs on them took 140 s instead of 16.
 */
async function describeToPlanner(trx: Db, table: string): Promise<void> {
  const { rows } = await sql<{ rows: number }>`
    select reltuples as rows from pg_class
    where oid = ${table}::regclass and not exists (select 1 from pg_extension where extname = 'citus')
  `.execute(trx);
  if ((rows[0]?.rows ?? WELL_KNOWN) < WELL_KNOWN)
    await sql`analyze (skip_locked) ${sql.table(table)}`.execute(trx);
}

const forms: Record<Engine, Form> = { sqlite: values, postgresql: arrays };

async function typesOf(trx: Db, table: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0
  `.execute(trx);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** Each statement is compiled once: to compile one takes Kysely longer than to run it takes SQLite. */
export function bulkWriter(trx: Db, organizationId: string): BulkWriter {
  const form = forms[trx.engine];
  const compiled = new Map<string, CompiledQuery>();
  const begun = new Set<string>();

  async function write(rows: TableRows, replaces: boolean): Promise<void> {
    const { table, columns, values } = rows;
    for (let start = 0; start < values.length;) {
      const size = form.sizeFor(values.length - start);
      const key = `${replaces} ${table} ${form === arrays ? "" : size} ${columns.join(" ")}`;
      let statement = compiled.get(key);
      if (statement === undefined) {
        const insertion = await form.insertion(trx, rows, size);
        statement = (replaces ? replacing(insertion, rows) : insertion).compile();
        compiled.set(key, statement);
      }
      const parameters = form.parameters(organizationId, values.slice(start, start + size));
      await trx.executeQuery({ ...statement, parameters });
      if (!begun.has(table)) await form.begun(trx, table);
      begun.add(table);
      start += size;
    }
  }

  return {
    insert: (rows) => write(rows, false),
    upsert: (rows) => write(rows, true),
  };
}

/** Rows of a scratch that go into the table of the same name. */
export interface ScratchSelection extends Omit<TableRows, "values"> {
  /** Whether they are written whole, whether their `public_id` exists or not; else none exists. */
  replaces: boolean;
  /** Which of them, as SQL. */
  condition: string;
}

/** Rows that pass through the program at once. The first few are enough for `describeToPlanner`, and cost little without it. */
const FIRST_ROWS = 100;
const ROWS_PER_PAGE = 2_000;

/**
 * Moves rows of a scratch into the database. Those of a scratch on the same connection, as SQLite's are, do not pass
 * through the program.
 */
export async function moveInto(
  trx: Db,
  organizationId: string,
  scratch: Scratch,
  rows: ScratchSelection,
): Promise<void> {
  const { table, columns, replaces, condition } = rows;
  if (trx.engine === "sqlite") {
    const insertion = trx
      .insertInto(table)
      .columns(["organization_id", ...columns] as never)
      .expression(
        sql`select ${organizationId}, ${sql.join(columns.map((column) => sql.ref(column)))}
          from ${sql.table(`scratch.${table}`)} where ${sql.raw(condition)} order by rowid`,
      );
    await (replaces ? replacing(insertion, rows) : insertion).execute();
    return;
  }
  const writer = bulkWriter(trx, organizationId);
  const write = replaces ? writer.upsert : writer.insert;
  const list = ["rowid", ...columns.map((column) => `"${column}"`)].join(", ");
  let written: Promise<void> | undefined;
  for (let last = 0; ;) {
    const page = scratch.values(
      `select ${list} from scratch.${table} where ${condition} and rowid > ? order by rowid limit ?`,
      last,
      last === 0 ? FIRST_ROWS : ROWS_PER_PAGE,
    );
    if (page.length === 0) return written;
    last = page.at(-1)?.[0] as number;
    const next = write({ table, columns, values: page.map(([, ...values]) => values) });
    // It fails for whoever waits for it in the end.
    next.catch(() => {});
    // The server works on one page while the next is made ready; of the first, the planner is told before.
    await (written ?? next);
    written = next;
  }
}

function replacing(
  insertion: Insertion,
  { table, columns }: Pick<TableRows, "table" | "columns">,
): Insertion {
  const others = columns.filter((column) => column !== "public_id");
  return insertion.onConflict((conflict) =>
    conflict
      .columns(["organization_id", "public_id"] as never)
      .doUpdateSet(excluded(others))
      .where(differs(table, others)),
  );
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
