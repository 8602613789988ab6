import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { RowWriter } from "../../db/rows.ts";
import type { Schema } from "../../db/schema.ts";
import { counts, tables } from "../../db/tables.ts";
import { NAMES_ANOTHER_USER } from "../users/repository.ts";

/** The tables of organizations' rows, each after those that its rows refer to. Triggers count the copied rows anew. */
const TABLES = (Object.keys(tables) as (keyof Schema)[]).filter(
  (name) => "organization_id" in tables[name].columns && !(name in counts),
);

type Row = Record<string, unknown>;

const ROWS_AT_A_TIME = 500;

/** Copies the rows of all organizations, and those of none, into a database that has nothing but a schema. */
export async function copyRows(from: Db, to: Db, organizations: readonly string[]): Promise<void> {
  await copyOrganizations(from, to);
  // Triggers have made heads, and whoever prepared the empty database rows; the trail that is copied takes their place.
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
  const children: Row[] = [];
  const rows: Row[] = [];
  const all = from
    .selectFrom(table as "goals")
    .selectAll()
    .where("organization_id", "=", organization);
  const ordered = table === "users" ? all.orderBy(sql.raw(NAMES_ANOTHER_USER)) : all;
  for await (const row of ordered.stream(ROWS_AT_A_TIME)) {
    // A child may come before its parent, and is told of it when all are there.
    const isChild = table === "goals" && row.parent_goal_id !== null;
    if (isChild) children.push({ ...row });
    rows.push(isChild ? { ...row, parent_goal_id: null } : { ...row });
    if (rows.length === ROWS_AT_A_TIME) await writer.insert(table, rows.splice(0));
  }
  await writer.insert(table, rows);
  await writer.upsert(table, children);
}

/** How many rows each table has that is copied. */
export async function countRows(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of ["organizations", ...TABLES]) {
    const { total } = await db
      .selectFrom(table as "users")
      .select((select) => select.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    counts.set(table, total);
  }
  return counts;
}
