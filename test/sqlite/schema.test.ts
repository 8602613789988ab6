import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import type { Table as ListedTable } from "../../db/table.ts";
import { counts, tables as listed } from "../../db/tables.ts";
import { newDatabase } from "../support/harness.ts";
import { linesOfList, linesOfSqlite } from "../support/tables.ts";

/** The architecture's rules for tables, checked in SQLite's catalogue. */

const database = await newDatabase();

async function catalogue<Row>(query: string): Promise<Row[]> {
  return database.read(async (db) => (await sql<Row>`${sql.raw(query)}`.execute(db)).rows);
}

interface Table {
  name: string;
  strict: 0 | 1;
}

interface Index {
  name: string;
  columns: string[];
}

interface ForeignKey {
  target: string;
  from: string[];
  to: string[];
}

const tables = await catalogue<Table>(
  `select name, strict from pragma_table_list
   where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name`,
);

/** Tables whose rows do not belong to an organization. */
const outsideOrganizations = [
  "organizations",
  "schema_migrations",
  "versions",
  "audit_spools",
  // The organization of each key, which is looked up before the organization is known.
  "key_organizations",
  "secrets",
];

const owned = tables.filter(({ name }) => !outsideOrganizations.includes(name));

/** Primary key, unique constraints and indexes of a table. */
async function indexesOf(table: string): Promise<Index[]> {
  const rows = await catalogue<{ name: string; column: string | null }>(
    `select list.name as name, info.name as "column"
     from pragma_index_list('${table}') as list, pragma_index_info(list.name) as info
     order by list.name, info.seqno`,
  );
  return [...Map.groupBy(rows, (row) => row.name)].map(([name, parts]) => ({
    name,
    columns: parts.map((part) => part.column ?? "an expression"),
  }));
}

async function primaryKeyOf(table: string): Promise<string[]> {
  const rows = await catalogue<{ name: string }>(
    `select name from pragma_table_info('${table}') where pk > 0 order by pk`,
  );
  return rows.map((row) => row.name);
}

async function foreignKeysOf(table: string): Promise<ForeignKey[]> {
  const rows = await catalogue<{ id: number; table: string; from: string; to: string }>(
    `select id, "table", "from", "to" from pragma_foreign_key_list('${table}') order by id, seq`,
  );
  return [...Map.groupBy(rows, (row) => row.id).values()].map((parts) => ({
    target: parts[0]?.table ?? "",
    from: parts.map((part) => part.from),
    to: parts.map((part) => part.to),
  }));
}

test("the catalogue has the tables, columns, keys, references, checks and indexes of db/tables.ts", async () => {
  expect(tables.length).toBeGreaterThan(30);
  expect(await database.read(linesOfSqlite)).toEqual(linesOfList());
});

test.each(tables)("$name is STRICT", ({ strict }) => {
  expect(strict).toBe(1);
});

describe.each(owned)("every row of $name belongs to an organization", ({ name }) => {
  test("the primary key begins with organization_id", async () => {
    expect((await primaryKeyOf(name))[0]).toBe("organization_id");
  });

  test("unique constraints and indexes begin with organization_id", async () => {
    const others = (await indexesOf(name)).filter(
      ({ columns }) => columns[0] !== "organization_id",
    );
    expect(others).toEqual([]);
  });

  test("foreign keys begin with organization_id on both sides", async () => {
    const others = (await foreignKeysOf(name)).filter(({ target, from, to }) => {
      const organization = target === "organizations" ? "public_id" : "organization_id";
      return from[0] !== "organization_id" || to[0] !== organization;
    });
    expect(others).toEqual([]);
  });

  test("organization_id is never null", async () => {
    const [column] = await catalogue<{ notnull: number }>(
      `select "notnull" from pragma_table_info('${name}') where name = 'organization_id'`,
    );
    expect(column).toEqual({ notnull: 1 });
  });
});

/**
 * Whether each row of a table refers to an organization, itself or by a reference to a row of the same organization
 * that does. A reference with a null is not checked, so it does not count.
 */
function refersToOrganization(name: string): boolean {
  const { columns, references } = (listed as Record<string, ListedTable>)[name]!;
  return references.some(({ columns: from, table, to }) => {
    if (from[0] !== "organization_id" || from.some((column) => columns[column]?.isNullable))
      return false;
    if (table === "organizations") return from.length === 1 && to[0] === "public_id";
    return table !== name && to[0] === "organization_id" && refersToOrganization(table);
  });
}

test("each table of organizations refers to them, except the audit trail and counters of triggers", () => {
  const others = owned.map(({ name }) => name).filter((name) => !refersToOrganization(name));
  const exceptions = ["audit_entries", "audit_heads", ...Object.keys(counts)];
  expect(others.toSorted()).toEqual(exceptions.toSorted());
});
