import { afterAll, describe, expect, spyOn, test } from "bun:test";
import { Client } from "pg";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { REFERENCE_TABLES } from "../../db/postgresql/citus.ts";
import { declarations } from "../../db/prepared.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { endpoints } from "../support/endpoints.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { useEverything } from "../support/everything.ts";
import { isOfAllOrganizations, ofAllOrganizations } from "../support/statements.ts";
import { isDistributed, tablesWithoutOrganization } from "../support/postgresql/plans.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/**
 * The requirements of Citus, checked on plain PostgreSQL. The rows of an organization are on one
 * server. Keys and references therefore begin with the organization, and statements name it.
 */

const server = await newTestServer();

async function newMigrated(name: string) {
  const url = await newDatabaseUrl(server.url, name, "template0");
  const database = await connect(url, "existing");
  await migrate(database, NOW as Instant);
  return { url, database };
}

const { url, database } = await newMigrated("distribution");
const target = await newMigrated("target");
await target.database.close();
// Without rows, since the planner may scan a small table completely, whatever the statement.
const empty = await newMigrated("empty");
await empty.database.close();
const planner = new Client({ connectionString: empty.url });
await planner.connect();
afterAll(async () => {
  await planner.end();
  await database.close();
  await server.remove();
});

async function catalog<Row extends object>(text: string): Promise<Row[]> {
  return (await planner.query<Row>(text)).rows;
}

describe("tables", () => {
  test("without organization_id are reference tables: the organizations of keys, and data about the whole database", () => {
    expect(REFERENCE_TABLES).toEqual([
      "key_organizations",
      "secrets",
      "audit_spools",
      "versions",
      "schema_migrations",
    ]);
  });

  test("have the organization first in every key, unique index and reference", async () => {
    const keys = await catalog<{ table: string; columns: string[] }>(`
      select relname as table, array_agg(attname::text order by place) as columns
      from pg_index
      join pg_class on pg_class.oid = indrelid
      cross join unnest(indkey) with ordinality as parts (number, place)
      join pg_attribute on attrelid = indrelid and attnum = number
      where indisunique and relnamespace = 'public'::regnamespace
      group by indexrelid, relname order by 1, 2
    `);
    const references = await catalog<{ table: string; target: string; columns: string[] }>(`
      select conrelid::regclass::text as table, confrelid::regclass::text as target,
        array_agg(attname::text order by place) as columns
      from pg_constraint
      cross join unnest(conkey) with ordinality as parts (number, place)
      join pg_attribute on attrelid = conrelid and attnum = number
      where contype = 'f' and connamespace = 'public'::regnamespace
      group by pg_constraint.oid order by 1, 2, 3
    `);
    const all = [...keys, ...references];
    expect(all.length).toBeGreaterThan(80);
    const others = all.filter(
      ({ table, columns }) =>
        isDistributed(table) &&
        columns[0] !== (table === "organizations" ? "public_id" : "organization_id"),
    );
    expect(others).toEqual([]);
    const ofReferenceTables = references.filter(({ table, target }) =>
      [table, target].some((name) => REFERENCE_TABLES.includes(name)),
    );
    expect(ofReferenceTables).toEqual([]);
  });
});

describe("statements", async () => {
  const asked = spyOn(Client.prototype, "query");
  const operations = await useEverything({
    ...{ database, url, targetUrl: target.url },
    folder: temporaryFolder(),
  });
  const calls = asked.mock.calls as unknown as [string | { text: string }][];
  asked.mockRestore();
  const texts = calls
    .map(([text]) => (typeof text === "string" ? text : text.text))
    .map((text) => text.replace(/^declare \w+ no scroll cursor for /, "").trim())
    .filter((text) => /^(select|with|insert|update|delete|\()/.test(text));
  const prepared = declarations.flatMap((declared) => declared.texts("postgresql"));
  const statements = [...new Set([...texts, ...prepared.map((text) => text.trim())])];

  test("of every operation are covered", () => {
    const declared = endpoints.map(({ method, path }) => `${method} ${path}`);
    const used = operations.map((operation) => operation.replaceAll(/:(\w+)/g, "{$1}"));
    // Those outside the API are not declared.
    expect(used.filter((operation) => operation.includes(" /v1/")).sort()).toEqual(declared.sort());
  });

  test("of every prepared query are covered", () => {
    // Other tests of this process may have prepared more, on either engine.
    const untried = declarations.filter(
      ({ texts }) => texts("postgresql").length + texts("sqlite").length === 0,
    );
    expect(untried.map(({ build }) => String(build))).toEqual([]);
  });

  test("name the organization of all rows that they use, except for a few of operators", async () => {
    expect(statements.length).toBeGreaterThan(200);
    const unnamed: string[] = [];
    for (const text of statements)
      if ((await tablesWithoutOrganization(planner, text)).length > 0) unnamed.push(text);
    expect(unnamed.filter((text) => !isOfAllOrganizations(text))).toEqual([]);
    const unused = ofAllOrganizations.filter(
      (pattern) => !unnamed.some((text) => pattern.test(text)),
    );
    expect(unused).toEqual([]);
  });

  test.each([
    ["select name from locations where public_id = $1", ["locations"]],
    ["select name from locations where organization_id <> $1", ["locations"]],
    ["select name from locations where organization_id = $1 or public_id = $2", ["locations"]],
    ["select name from locations where organization_id = $1 and public_id = $2", []],
    [
      "select 1 from users join locations on locations.public_id = primary_location_id where users.organization_id = $1",
      ["locations"],
    ],
    [
      "select 1 from users join locations on locations.organization_id = users.organization_id where users.organization_id = $1",
      [],
    ],
    ["select (select name from payors limit 1) from users where organization_id = $1", ["payors"]],
    [
      "select (select name from payors where payors.organization_id = users.organization_id limit 1) from users where organization_id = $1",
      ["payors"],
    ],
    ["update locations set name = $1 where public_id = $2", ["locations"]],
    ["update organizations set name = $1 where public_id = $2", []],
    ["delete from audit_heads", ["audit_heads"]],
    ["insert into locations (public_id, name) values ($1, $2)", ["locations"]],
    ["insert into locations (organization_id, public_id, name) values ($1, $2, $3)", []],
    ["select organization_id from key_organizations where hash = $1", []],
  ])("tablesWithoutOrganization: %s", async (text, tables) => {
    expect(await tablesWithoutOrganization(planner, text)).toEqual(tables);
  });
});
