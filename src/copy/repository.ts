import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { RowWriter } from "../../db/rows.ts";
import { countRows } from "../../db/page.ts";
import type { Schema } from "../../db/schema.ts";
import { counts, tables } from "../../db/tables.ts";
import { NAMES_ANOTHER_USER } from "../users/repository.ts";

/** The tables with organizations' rows, each after those it refers to. Counters are omitted: triggers maintain them. */
const TABLES = (Object.keys(tables) as (keyof Schema)[]).filter(
  (name) => "organization_id" in tables[name].columns && !(name in counts),
);

type Row = Record<string, unknown>;

const ROWS_AT_A_TIME = 500;

/** Copies the rows of all organizations, and those without one, into a database that has only a schema. */
export async function copyRows(from: Db, to: Db, organizations: readonly string[]): Promise<void> {
  await copyOrganizations(from, to);
  // Removes the heads and rows that triggers and the preparation of the target have created, in favor of the copied
  // trail.
  await to.deleteFrom("audit_heads").execute();
  await to.deleteFrom("audit_entries").execute();
  for (const organization of [...organizations, ""])
    for (const table of TABLES) await copyTable(from, to, table, organization);
}

async function copyOrganizations(from: Db, to: Db): Promise<void> {
  const rows = await from.selectFrom("organizations").selectAll().orderBy("public_id").execute();
  for (const row of rows) await to.insertInto("organizations").values(row).execute();
}

async function copyTable(
  from: Db,
  to: Db,
  table: keyof Schema,
  organization: string,
): Promise<void> {
  const writer = new RowWriter(to);
  const rows: Row[] = [];
  const all = from
    .selectFrom(table as "goals")
    .selectAll()
    .where("organization_id", "=", organization);
  const ordered = table === "users" ? all.orderBy(sql.raw(NAMES_ANOTHER_USER)) : all;
  for await (const row of ordered.stream(ROWS_AT_A_TIME)) {
    rows.push({ ...row });
    if (rows.length === ROWS_AT_A_TIME) await writer.insert(table, rows.splice(0));
  }
  await writer.insert(table, rows);
  await writer.analyze();
}

/** The row counts of the copied tables. */
export async function rowCounts(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of ["organizations", ...TABLES])
    counts.set(table, await countRows(db.selectFrom(table as "users")));
  return counts;
}
