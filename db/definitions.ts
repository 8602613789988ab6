import type { Column, Reference, Table } from "./table.ts";
import { NO_HASH, tables } from "./tables.ts";

/** The engine-specific parts of a table definition. */
export interface TableDialect {
  types: Record<Column["type"], string>;
  /** What follows the column list in `create table`. */
  options(table: Table): string;
}

/** The statements that create all tables with keys, references, checks and indexes, for one engine. */
export function tableStatements(dialect: TableDialect): string[] {
  return [
    ...Object.entries(tables).flatMap(([name, table]) => statementsOf(name, table, dialect)),
    // The chain of audit rows without an organization.
    `insert into audit_heads (organization_id, sequence, hash) values ('', 0, '${NO_HASH}')`,
  ];
}

function statementsOf(name: string, table: Table, { types, options }: TableDialect): string[] {
  const lines = [
    ...Object.entries(table.columns).map(
      ([column, of]) => `"${column}" ${types[of.type]}${ruleOf(of)}`,
    ),
    `primary key (${listed(table.key)})`,
    ...table.unique.map((columns) => `unique (${listed(columns)})`),
    ...table.checks.map((condition) => `check (${condition})`),
    ...table.references.map(foreignKey),
  ];
  const indexes = Object.entries(table.indexes).map(
    ([index, { columns, where }]) =>
      `create index ${name}_${index} on ${name} (${listed(columns)})${where === undefined ? "" : ` where ${where}`}`,
  );
  return [`create table ${name} (\n  ${lines.join(",\n  ")}\n)${options(table)}`, ...indexes];
}

function ruleOf(column: Column): string {
  const rule = column.isNullable ? "" : " not null";
  if (!("default" in column)) return rule;
  const value = typeof column.default === "string" ? `'${column.default}'` : column.default;
  return `${rule} default ${value}`;
}

function foreignKey({ columns, table, to, isDeferred, isCascading }: Reference): string {
  return [
    `foreign key (${listed(columns)}) references ${table} (${listed(to)})`,
    ...(isCascading === true ? ["on delete cascade"] : []),
    ...(isDeferred === true ? ["deferrable initially deferred"] : []),
  ].join(" ");
}

/** Quoted, since `window` is a keyword of PostgreSQL. */
function listed(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}
