import {
  CompiledQuery,
  type InsertQueryBuilder,
  type InsertResult,
  type RawBuilder,
  type SqlBool,
  sql,
} from "kysely";
import type { Db } from "./database.ts";
import { type Engine, isOneOf } from "./engine.ts";
import { executorOf } from "./executor.ts";
import type { Schema } from "./schema.ts";
import { rowsForStatement, type Scratch } from "./scratch.ts";

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
  if (executorOf(trx).engine === "postgresql") return work();
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
    if (anew.includes("sessions")) await countAnew(trx, organizationId, sessionCounts);
    return result;
  } finally {
    await setCache(trx, USUAL_CACHE);
  }
}

/**
 * From here on, the users that a transaction writes wait to be counted by `countUsers`: on PostgreSQL, whoever counts
 * them at once keeps all others from making users until the transaction ends.
 */
export async function countUsersLater(trx: Db): Promise<void> {
  if (executorOf(trx).engine === "postgresql")
    await sql`set local caseload.users_are_counted_later = 'on'`.execute(trx);
}

/** Counts an organization's users anew. Nobody else may write any meanwhile. */
export async function countUsers(trx: Db, organizationId: string): Promise<void> {
  if (executorOf(trx).engine === "postgresql") await countAnew(trx, organizationId, userCounts);
}

/** A table of how many rows there are, which triggers keep: the columns of a group, and how each comes of a row. */
interface Count {
  table: keyof Schema;
  /** What is counted, as the column of the number has it. */
  of: keyof Schema;
  /** Smaller groups whose numbers make up those of this table, and which are there already; else rows are counted. */
  sumOf?: keyof Schema;
  groups: Record<string, string>;
}

const userCounts: Count[] = [
  {
    table: "user_month_counts",
    of: "users",
    groups: { month: "substr(created_at, 1, 7)", role: "role", is_active: "is_active" },
  },
  {
    table: "user_counts",
    of: "users",
    sumOf: "user_month_counts",
    groups: { role: "role", is_active: "is_active" },
  },
];
const sessionCounts: Count[] = [
  { table: "session_counts", of: "sessions", groups: { day: "substr(start_time, 1, 10)" } },
  {
    table: "session_month_counts",
    of: "sessions",
    sumOf: "session_counts",
    groups: { month: "substr(day, 1, 7)" },
  },
];

async function countAnew(trx: Db, organizationId: string, counts: Count[]): Promise<void> {
  for (const { table, of, sumOf, groups } of counts) {
    const columns = sql.join(Object.keys(groups).map((column) => sql.ref(column)));
    const values = sql.join(Object.values(groups).map((value) => sql.raw(value)));
    const number = sumOf === undefined ? sql`count(*)` : sql`sum(${sql.ref(of)})`;
    await sql`delete from ${sql.table(table)} where organization_id = ${organizationId}`.execute(
      trx,
    );
    await sql`
      insert into ${sql.table(table)} (organization_id, ${columns}, ${sql.ref(of)})
      select organization_id, ${values}, ${number} from ${sql.table(sumOf ?? of)}
      where organization_id = ${organizationId}
      group by organization_id, ${values}
    `.execute(trx);
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

/**
 * Whether a user names others, as SQL. Those who name nobody are written first: SQLite would look through all users for
 * each who is named before being there, 80 s for 20,000 of them.
 */
export const NAMES_ANOTHER_USER = "(caregiver_id is not null or primary_clinician_id is not null)";

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
  const form = forms[executorOf(trx).engine];
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
  if (executorOf(trx).engine === "sqlite") {
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
