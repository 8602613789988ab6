import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import type { Column, Table } from "../../db/table.ts";
import { tables } from "../../db/tables.ts";

/** The tables by `db/tables.ts` and by the catalogue of an engine, as lines that can be compared. */

/** Indexes that the engines define themselves. */
const ENGINES_OWN = /users_by_(text|creation|update|name)/;

const listed = (columns: readonly string[]) => `(${columns.join(", ")})`;

export function linesOfList(): string[] {
  return Object.entries(tables as Record<string, Table>)
    .flatMap(([name, table]) => [
      ...Object.entries(table.columns).map(([column, of]) => columnLine(name, column, of)),
      `${name} key ${listed(table.key)}`,
      ...table.unique.map((columns) => `${name} unique ${listed(columns)}`),
      ...table.references.map(
        ({ columns, table: target, to, isCascading }) =>
          `${name} ${listed(columns)} to ${target} ${listed(to)}${isCascading === true ? " cascade" : ""}`,
      ),
      `${name} deferred ${table.references.filter(({ isDeferred }) => isDeferred).length}`,
      `${name} checks ${table.checks.length}`,
      ...Object.entries(table.indexes).map(
        ([index, { columns, where }]) =>
          `${name} index ${name}_${index} ${listed(columns)}${where === undefined ? "" : " where"}`,
      ),
    ])
    .sort();
}

function columnLine(table: string, name: string, column: Column): string {
  const rule = column.isNullable ? "" : " not null";
  const value = "default" in column ? ` default ${column.default}` : "";
  return `${table}.${name} ${column.type}${rule}${value}`;
}

async function rowsOf<Row>(db: Db, query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return (await query.execute(db)).rows;
}

/** The lines of SQLite's catalogue. */
export async function linesOfSqlite(db: Db): Promise<string[]> {
  const found = await rowsOf(
    db,
    sql<{
      name: string;
      text: string;
    }>`select name, sql as text from sqlite_schema where type = 'table'`,
  );
  const lines: string[] = [];
  for (const { name, text } of found) {
    const columns = await rowsOf(
      db,
      sql<{ name: string; type: string; rule: 0 | 1; value: string | null; pk: number }>`
        select name, type, "notnull" as rule, dflt_value as value, pk from pragma_table_info(${name})`,
    );
    lines.push(
      ...columns.map(
        ({ name: column, type, rule, value }) =>
          `${name}.${column} ${type.toLowerCase()}${rule === 1 ? " not null" : ""}${value === null ? "" : ` default ${value.replaceAll("'", "")}`}`,
      ),
      `${name} key ${listed(
        columns
          .filter(({ pk }) => pk > 0)
          .sort((a, b) => a.pk - b.pk)
          .map((column) => column.name),
      )}`,
      `${name} deferred ${text.split("deferrable initially deferred").length - 1}`,
      `${name} checks ${text.split("check (").length - 1}`,
    );
    const indexes = await rowsOf(
      db,
      sql<{ name: string; origin: string; partial: 0 | 1; columns: string }>`
        select name, origin, partial, (
          select group_concat(name, ', ' order by seqno) from pragma_index_info(list.name)
        ) as columns from pragma_index_list(${name}) as list where origin <> 'pk'`,
    );
    for (const { name: index, origin, partial, columns } of indexes)
      lines.push(
        origin === "u"
          ? `${name} unique (${columns})`
          : `${name} index ${index} (${columns})${partial === 1 ? " where" : ""}`,
      );
    const references = await rowsOf(
      db,
      sql<{ target: string; columns: string; to: string; rule: string }>`
        select "table" as target, on_delete as rule, group_concat("from", ', ' order by seq) as columns,
          group_concat("to", ', ' order by seq) as "to"
        from pragma_foreign_key_list(${name}) group by id`,
    );
    for (const { target, columns, to, rule } of references)
      lines.push(
        `${name} (${columns}) to ${target} (${to})${rule === "CASCADE" ? " cascade" : ""}`,
      );
  }
  return lines.filter((line) => !ENGINES_OWN.test(line)).sort();
}

const postgresqlTypes: Record<string, string> = {
  text: "text",
  bigint: "integer",
  "double precision": "real",
};

/** The lines of PostgreSQL's catalogue. */
export async function linesOfPostgresql(db: Db): Promise<string[]> {
  const columns = await rowsOf(
    db,
    sql<{ table: string; name: string; type: string; rule: boolean; value: string | null }>`
      select relname as table, attname as name, format_type(atttypid, null) as type, attnotnull as rule,
        pg_get_expr(adbin, adrelid) as value
      from pg_attribute join pg_class on pg_class.oid = attrelid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0
        and not attisdropped`,
  );
  const constraints = await rowsOf(
    db,
    sql<{
      table: string;
      kind: "p" | "u" | "f" | "c";
      columns: string;
      target: string | null;
      to: string;
      rule: string;
      deferred: boolean;
    }>`
      select conrelid::regclass::text as table, contype as kind, condeferred as deferred, confdeltype as rule,
        nullif(confrelid, 0)::regclass::text as target,
        (select string_agg(attname, ', ' order by number) from unnest(conkey) with ordinality as key (column_number, number)
          join pg_attribute on attrelid = conrelid and attnum = column_number) as columns,
        (select string_agg(attname, ', ' order by number) from unnest(confkey) with ordinality as key (column_number, number)
          join pg_attribute on attrelid = confrelid and attnum = column_number) as "to"
      from pg_constraint
      where connamespace = current_schema()::regnamespace and contype in ('p', 'u', 'f', 'c')`,
  );
  const indexes = await rowsOf(
    db,
    sql<{ table: string; name: string; columns: string; partial: boolean }>`
      select indrelid::regclass::text as table, indexrelid::regclass::text as name, indpred is not null as partial,
        (select string_agg(attname, ', ' order by number) from unnest(indkey) with ordinality as key (column_number, number)
          join pg_attribute on attrelid = indrelid and attnum = column_number) as columns
      from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = current_schema()::regnamespace and not indisunique`,
  );
  const names = [...new Set(columns.map(({ table }) => table))];
  const numberOf = (
    table: string,
    isCounted: (constraint: (typeof constraints)[number]) => boolean,
  ) => constraints.filter((one) => one.table === table && isCounted(one)).length;
  return [
    ...columns.map(
      ({ table, name, type, rule, value }) =>
        `${table}.${name} ${postgresqlTypes[type] ?? type}${rule ? " not null" : ""}${value === null ? "" : ` default ${value.replace(/^'(.*)'::.*$/, "$1")}`}`,
    ),
    ...constraints.flatMap(({ table, kind, columns, target, to, rule }) => {
      if (kind === "p") return [`${table} key (${columns})`];
      if (kind === "u") return [`${table} unique (${columns})`];
      if (kind === "f")
        return [`${table} (${columns}) to ${target} (${to})${rule === "c" ? " cascade" : ""}`];
      return [];
    }),
    ...names.map((name) => `${name} deferred ${numberOf(name, ({ deferred }) => deferred)}`),
    ...names.map((name) => `${name} checks ${numberOf(name, ({ kind }) => kind === "c")}`),
    ...indexes.map(
      ({ table, name, columns, partial }) =>
        `${table} index ${name} (${columns})${partial ? " where" : ""}`,
    ),
  ]
    .filter((line) => !ENGINES_OWN.test(line))
    .sort();
}
