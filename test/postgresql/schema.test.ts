import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "kysely";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { NOW, temporaryFolder } from "../harness.ts";
import { newDatabaseUrl } from "./databases.ts";
import { newTestServer } from "./server.ts";

/** The tables of both engines have the same columns, of corresponding types. */

const server = await newTestServer();
afterAll(() => server.remove());

const types: Record<string, string> = { TEXT: "text", INTEGER: "int8", REAL: "float8" };

async function columnsOf(database: OpenDatabase): Promise<string[]> {
  await migrate(database, NOW as Instant);
  const tables = await database.read((db) => db.introspection.getTables());
  await database.close();
  return tables
    .filter(({ name }) => !name.startsWith("sqlite_"))
    .flatMap(({ name, columns }) =>
      columns.map(
        ({ name: column, dataType, isNullable }) =>
          `${name}.${column} ${types[dataType.toUpperCase()] ?? dataType}${isNullable ? "" : " not null"}`,
      ),
    )
    .sort();
}

test("both engines have the same tables, with the same columns", async () => {
  const file = await connect(join(temporaryFolder(), "caseload.db"), "create");
  const url = await newDatabaseUrl(server.url, "caseload", "template0");
  expect(await columnsOf(await connect(url, "existing"))).toEqual(await columnsOf(file));
});

/** Keys of what is no organization's, or tells whose something is. */
const OF_NO_ORGANIZATION = [
  "api_keys (hash)",
  "api_keys (id)",
  "audit_spools (id)",
  "organizations (public_id)",
  "schema_migrations (name)",
];

test("every key, unique constraint and reference begins with the organization, so that tables can be distributed by it", async () => {
  const database = await connect(
    await newDatabaseUrl(server.url, "distributable", "template0"),
    "existing",
  );
  await migrate(database, NOW as Instant);
  const { rows } = await database.read((db) =>
    sql<{ key: string; first: string }>`
      select conrelid::regclass || ' (' || string_agg(attname, ', ' order by place) || ')' as key,
        (array_agg(attname::text order by place))[1] as first
      from pg_constraint
      cross join unnest(conkey) with ordinality as columns (number, place)
      join pg_attribute on attrelid = conrelid and attnum = number
      where contype in ('p', 'u', 'f') and connamespace = 'public'::regnamespace
      group by pg_constraint.oid, conrelid order by 1
    `.execute(db),
  );
  await database.close();
  expect(rows.length).toBeGreaterThan(80);
  const others = rows.filter(({ first }) => first !== "organization_id");
  expect([...new Set(others.map(({ key }) => key))]).toEqual(OF_NO_ORGANIZATION);
});
