import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Db, Engine } from "./database.ts";
import { OtherDatabase } from "./errors.ts";
import type { Step } from "./steps.ts";
import type { Table } from "./table.ts";

/**
 * The columns of a database compared with `tables.ts`. Where a table has changed without a step, a list would lack a
 * field, and a write fail.
 */

/** A column of the database. */
export interface FoundColumn {
  table: string;
  name: string;
}

export const SQLITE_COLUMNS = `select found.name as "table", info.name
  from sqlite_schema as found cross join pragma_table_info(found.name) as info where found.type = 'table'`;

const columnsOf: Record<Engine, RawBuilder<FoundColumn>> = {
  sqlite: sql.raw(SQLITE_COLUMNS),
  postgresql: sql`select relname as "table", attname as name
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped`,
};

/** Differences that a message names. */
const NAMED = 3;

/**
 * Checks that the tables of a database have the columns of this program, and no others. Tables that this program does
 * not have are not looked at.
 *
 * @param database names it in the message.
 * @throws OtherDatabase
 */
export function requireOwnColumns(
  found: readonly FoundColumn[],
  tables: Readonly<Record<string, Table>>,
  database: string,
): void {
  const columns = new Set(found.map(({ table, name }) => `${table}.${name}`));
  const present = new Set(found.map(({ table }) => table));
  const own = Object.entries(tables).flatMap(([table, { columns }]) =>
    present.has(table) ? Object.keys(columns).map((name) => `${table}.${name}`) : [table],
  );
  const differences = [
    ...own.filter((name) => !columns.delete(name)).map((name) => `${name} is missing`),
    ...[...columns]
      .filter((name) => Object.hasOwn(tables, name.slice(0, name.indexOf("."))))
      .map((name) => `${name} is unknown`),
  ];
  if (differences.length === 0) return;
  const more = differences.length > NAMED ? `, and ${differences.length - NAMED} more` : "";
  throw new OtherDatabase(
    `${database} has other tables than this version of Caseload (${differences.slice(0, NAMED).join(", ")}${more}). Export its practices with the version that made it, and import them into a new database.`,
  );
}

/** @throws OtherDatabase unless a database has the columns that a step changes. */
export async function checkColumnsBefore(db: Db, { from }: Step): Promise<void> {
  const { rows } = await columnsOf[db.engine].execute(db);
  if (columnsHash(rows) !== from.columns)
    throw new OtherDatabase(
      "The database has other tables than the version that can be brought up to date (commit 2085c87d). Export its practices with the version that made it, and import them into a new database.",
    );
}

/** A hash of the columns of all tables, by which those of a released version are known. */
export function columnsHash(found: readonly FoundColumn[]): string {
  const columns = found
    .filter(({ table }) => !ENGINES_OWN.test(table))
    .map(({ table, name }) => `${table}.${name}`)
    .sort();
  return createHash("sha256").update(columns.join("\n")).digest("hex");
}

/** Tables that SQLite, or an extension of PostgreSQL, has made. */
const ENGINES_OWN = /^(sqlite|pg|citus)_/;

/** @throws OtherDatabase unless a database has the columns of this program. */
export async function checkColumns(db: Db): Promise<void> {
  // Not before: a new database needs no comparison.
  const { tables } = await import("./tables.ts");
  const { rows } = await columnsOf[db.engine].execute(db);
  requireOwnColumns(rows, tables, "The database");
}
