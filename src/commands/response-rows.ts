import type { TSchema } from "@sinclair/typebox";
import { ConfigurationError } from "../config.ts";
import { csvRow } from "../lib/csv.ts";
import { printable } from "./output.ts";

/** A response as rows and columns: those of its list, or itself. */

/** A response of the API, or a page of it. */
export interface Body {
  [name: string]: unknown;
  pagination?: { totalPages: number };
}

/** A column by its place in a row: `period.startDate` is a field of an object. */
interface Column {
  name: string;
  path: string[];
  /** Whether it is a list of objects, for which a table has no room. */
  isList: boolean;
}

export interface Shape {
  /** The name of the list; undefined where the response is one row. */
  list: string | undefined;
  /** A list within a row, whose objects are the rows: the periods of an authorization. */
  inner: string | undefined;
  columns: Column[];
}

/** The rows and columns that a response has by its schema: so an empty list has columns, too. */
export function shapeOf(schema: TSchema): Shape {
  const lists = listsIn(schema);
  const list = lists.find((name) => name === "data") ?? lists.at(-1);
  const row: TSchema = list === undefined ? schema : schema.properties[list].items;
  const inner = list === "data" ? [] : listsIn(row);
  const only = list !== undefined && inner.length === 1 ? inner[0] : undefined;
  return { list, inner: only, columns: columnsOf(row, only) };
}

function listsIn(schema: TSchema): string[] {
  const properties = Object.entries<TSchema>(schema.properties ?? {});
  return properties.filter(([, property]) => isListOfObjects(property)).map(([name]) => name);
}

function isListOfObjects({ type, items }: TSchema): boolean {
  return type === "array" && columnsOf(items).length > 0;
}

function columnsOf(schema: TSchema, inner?: string): Column[] {
  const columns = (schema.anyOf ?? schema.allOf ?? [])
    .flatMap((variant: TSchema) => columnsOf(variant, inner))
    .concat(
      Object.entries<TSchema>(schema.properties ?? {}).flatMap(([name, property]) => {
        const within = columnsOf(name === inner ? property.items : property);
        const isList = isListOfObjects(property);
        return within.length === 0
          ? [{ name, path: [name], isList }]
          : within.map((column) => ({
              ...{ name: `${name}.${column.name}`, path: [name, ...column.path] },
              isList: column.isList,
            }));
      }),
    );
  return [...new Map(columns.map((column: Column) => [column.name, column])).values()] as Column[];
}

/** All columns, or those of some names. @throws ConfigurationError for a name that is none. */
export function chosenColumns(
  columns: readonly Column[],
  names: readonly string[] = columns.map(({ name }) => name),
): Column[] {
  return names.map((name) => {
    const column = columns.find((one) => one.name === name);
    if (column !== undefined) return column;
    const all = columns.map((one) => one.name).join(", ");
    throw new ConfigurationError(`there is no column ${name}; the columns are ${all}`);
  });
}

/** The rows of a response, or of a page. */
export function rowsOf(body: Body, { list, inner }: Shape): object[] {
  if (list === undefined) return [body];
  const rows = body[list] as Record<string, unknown>[];
  if (inner === undefined) return rows;
  return rows.flatMap((row) => (row[inner] as object[]).map((one) => ({ ...row, [inner]: one })));
}

function cellOf(row: object, { path }: Column): string | number | null {
  const value = path.reduce<unknown>(
    (within, name) => (within as Record<string, unknown> | null | undefined)?.[name],
    row,
  );
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "number" ? value : value == null ? null : textOf(value);
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A response as JSON, whose list has the rows of all pages. */
export async function* jsonOf(
  { pagination, ...body }: Body,
  rows: AsyncIterable<object>,
): AsyncGenerator<string> {
  if (pagination === undefined) return yield `${JSON.stringify(body, null, 2)}\n`;
  let separator = "{\n";
  for (const [name, value] of Object.entries(body)) {
    yield `${separator}  ${JSON.stringify(name)}: `;
    separator = ",\n";
    if (name !== "data") {
      yield indented(value, 1);
      continue;
    }
    let before = "[\n";
    for await (const row of rows) {
      yield `${before}    ${indented(row, 2)}`;
      before = ",\n";
    }
    yield before === "[\n" ? "[]" : "\n  ]";
  }
  yield "\n}\n";
}

function indented(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll("\n", `\n${"  ".repeat(depth)}`);
}

export async function* csvOf(
  rows: AsyncIterable<object>,
  columns: readonly Column[],
): AsyncGenerator<string> {
  yield `${csvRow(columns.map(({ name }) => name))}\n`;
  for await (const row of rows) yield `${csvRow(columns.map((column) => cellOf(row, column)))}\n`;
}

const BAR = 20;

/** A table for people, of the columns that have something in some row. It sees all rows before the first is printed. */
export class Table {
  readonly #columns: Column[];
  readonly #widths: number[];
  readonly #units: { committed: Column; authorized: Column } | undefined;

  /** @param isChosen whether somebody has asked for these columns. */
  constructor(columns: readonly Column[], isChosen: boolean) {
    this.#columns = columns.filter(({ isList }) => isChosen || !isList);
    this.#widths = this.#columns.map(() => 0);
    const [committed, authorized] = ["unitsCommitted", "unitsAuthorized"].map((field) =>
      columns.find(({ path }) => path.at(-1) === field),
    );
    if (!isChosen && committed && authorized) this.#units = { committed, authorized };
  }

  /** Makes room for a row. */
  add(row: object): void {
    for (const [index, column] of this.#columns.entries())
      this.#widths[index] = Math.max(this.#widths[index] ?? 0, Bun.stringWidth(shown(row, column)));
  }

  async *lines(rows: AsyncIterable<object>): AsyncGenerator<string> {
    const used = this.#columns.flatMap((column, index) => {
      const width = this.#widths[index] ?? 0;
      return width === 0 ? [] : [{ column, width: Math.max(width, column.name.length) }];
    });
    if (used.length === 0) return;
    const line = (cells: string[]) =>
      `${used.map(({ width }, index) => padded(cells[index] ?? "", width)).join("  ")}  ${cells[used.length] ?? ""}`.trimEnd();
    yield `${line(used.map(({ column }) => column.name))}\n`;
    for await (const row of rows)
      yield `${line([...used.map(({ column }) => shown(row, column)), this.#bar(row)])}\n`;
  }

  /** Committed units in relation to the authorized ones; `+` at the end means over. Any number above 0 is visible. */
  #bar(row: object): string {
    if (this.#units === undefined) return "";
    const [amount, limit] = [this.#units.committed, this.#units.authorized].map((column) =>
      cellOf(row, column),
    ) as [number, number | null];
    if (limit === null) return "";
    if (amount > limit) return `${"█".repeat(BAR)}+`;
    const filled = limit === 0 ? 0 : Math.round((amount / limit) * BAR);
    return (amount > 0 && filled === 0 ? "▏" : "█".repeat(filled)).padEnd(BAR, "░");
  }
}

function shown(row: object, column: Column): string {
  return printable(String(cellOf(row, column) ?? ""));
}

function padded(text: string, width: number): string {
  return text + " ".repeat(width - Bun.stringWidth(text));
}
