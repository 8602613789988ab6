import type { Static, TLiteral, TObject } from "@sinclair/typebox";
import { type Bit, fromBit, type Schema, toBit } from "../../db/schema.ts";
import { remembered } from "../lib/remembered.ts";

/**
 * Maps the fields of a record on the wire to columns, with the conversion between the two. There is one map per record.
 * Schemas define which fields an operation has, and in which order. From a map and a schema, the functions below
 * generate the code that presents, creates, imports or exports the record.
 */

/** Converts the values of a field between the wire and the column. */
export interface Codec<Wire> {
  present(stored: never): Wire;
  store(value: Wire): string | number | null;
  /** The form in a practice file, if it differs from the API's. */
  export?(stored: never): unknown;
}

/** How a field is stored. */
interface Field<Column, Wire> {
  column: Column;
  /** If undefined, values are stored as they are. */
  codec: Codec<Wire> | undefined;
  /** The default where a record gives no value; without a default, null is stored. */
  unlessGiven: Wire | undefined;
}

type ColumnOf<Table extends keyof Schema> = Table extends keyof Schema
  ? keyof Schema[Table] & string
  : never;
type FieldsOf<Table extends keyof Schema> = Readonly<
  Record<string, Field<ColumnOf<Table>, unknown>>
>;

/** The fields of a record by their names on the wire, and the record's table. */
export interface RecordMap<
  Table extends keyof Schema = keyof Schema,
  Fields extends FieldsOf<Table> = FieldsOf<Table>,
> {
  table: Table;
  fields: Fields;
}

export function recordMap<const Table extends keyof Schema, const Fields extends FieldsOf<Table>>(
  table: Table,
  fields: Fields,
): RecordMap<Table, Fields> {
  return { table, fields };
}

/** Marks a field whose type on the wire is the type of the column. */
declare const asStored: unique symbol;
type AsStored = typeof asStored;

/** Declares a field: its column, conversion and default. */
export function field<const Column extends string>(column: Column): Field<Column, AsStored>;
export function field<const Column extends string, Wire>(
  column: Column,
  codec: Codec<Wire>,
  unlessGiven?: Wire,
): Field<Column, Wire>;
export function field<Column, Wire>(
  column: Column,
  codec?: Codec<Wire>,
  unlessGiven?: Wire,
): Field<Column, Wire> {
  return { column, codec, unlessGiven };
}

/** A text with a default. */
export const text: Codec<string> = {
  present: (stored: string) => stored,
  store: (value) => value,
};

/** A number with a default. */
export const number: Codec<number> = {
  present: (stored: number) => stored,
  store: (value) => value,
};

/** A boolean, stored as 0 or 1. */
export const bit: Codec<boolean> = {
  present: (stored: Bit) => fromBit(stored),
  store: (value) => toBit(value),
};

/** An object, stored as JSON text. No query reads its properties. Exports omit properties that are null. */
export const json: Codec<object> = {
  present: (stored: string) => JSON.parse(stored) as object,
  store: (value) => JSON.stringify(value),
  export: (stored: string) => {
    const entries = Object.entries(JSON.parse(stored) as object).filter(
      ([, value]) => value !== null,
    );
    return Object.fromEntries(entries);
  },
};

/** A list, stored as JSON text. No query reads its elements. */
export const list: Codec<readonly unknown[]> = {
  present: (stored: string) => JSON.parse(stored) as unknown[],
  store: (value) => JSON.stringify(value),
};

/** Like `list`; the empty list is stored as null. */
export const listOrNone: Codec<readonly unknown[]> = {
  present: (stored: string | null) => JSON.parse(stored ?? "[]") as unknown[],
  store: (value) => (value.length === 0 ? null : JSON.stringify(value)),
};

/** A set of texts, stored sorted as JSON text; the empty set is stored as null. */
export const textSet: Codec<readonly string[]> = {
  present: (stored: string | null) => (JSON.parse(stored ?? "[]") as string[]).sort(),
  store: (texts) => (texts.length === 0 ? null : JSON.stringify([...new Set(texts)].sort())),
};

/** A text that is null in the column and empty on the wire if there is none. */
export const textOrEmpty: Codec<string> = {
  present: (stored: string | null) => stored ?? "",
  store: (text) => text || null,
};

type Names<Kind extends TObject> = keyof Kind["properties"] & string;

type ColumnsFor<Map extends RecordMap, Kind extends TObject> = Kind extends TObject
  ? Map["fields"][Names<Kind> & keyof Map["fields"]]["column"]
  : never;

/** Fields of a record that are neither columns nor constants, such as lists; passed in addition to the row. */
type Beside<Map extends RecordMap, Kind extends TObject> = {
  [
    Name in Exclude<Names<Kind>, keyof Map["fields"]> as Kind["properties"][Name] extends TLiteral
      ? never
      : Name
  ]: Static<Kind>[Name];
};

/** Converts a row and its additional fields to a record. */
type FromRow<Map extends RecordMap, Kind extends TObject, Presented, Others> = (
  row: { readonly [Column in ColumnsFor<Map, Kind>]: unknown },
  ...beside: keyof Others extends never ? [] : [Others]
) => Presented;

/** The distinct columns that a query has to select for some schemas of a record. */
export function columnsFor<Map extends RecordMap, Kinds extends readonly TObject[]>(
  { fields }: Map,
  ...kinds: Kinds
): ColumnsFor<Map, Kinds[number]>[] {
  const names = kinds.flatMap(({ properties }) => Object.keys(properties));
  const columns = names.flatMap((name) => fields[name]?.column ?? []);
  return [...new Set(columns)] as ColumnsFor<Map, Kinds[number]>[];
}

/**
 * Generates the function that converts a row to the record of a schema, with fields in the order of the schema. It
 * validates nothing: rows were validated when they were written, and by constraints of the tables.
 *
 * @example
 * const presentLocation = presenter(locationMap, Location);
 * presentLocation({ public_id: "loc_main", name: "Main clinic" }); // { publicId: "loc_main", name: "Main clinic" }
 */
export function presenter<Map extends RecordMap, Kind extends TObject>(
  { fields }: Map,
  kind: Kind,
): FromRow<Map, Kind, Static<Kind>, Beside<Map, Kind>> {
  return fromRow(fields, kind, "present");
}

/** Like `presenter`, for a practice file, which has all fields: without a value they are null or an empty list. */
export function exporter<Map extends RecordMap, Kind extends TObject>(
  { fields }: Map,
  kind: Kind,
): FromRow<Map, Kind, object, Record<keyof Beside<Map, Kind>, unknown>> {
  return fromRow(fields, kind, "export");
}

function fromRow(
  fields: FieldsOf<keyof Schema>,
  { properties }: TObject,
  way: "present" | "export",
): never {
  const conversions: Conversions = {};
  const values = Object.entries(properties).map(([name, property]): Property => {
    if ("const" in property) return [name, JSON.stringify(property.const)];
    const kept = fields[name];
    const none = property.type === "array" ? "[]" : "null";
    if (kept === undefined)
      return [name, way === "export" ? `beside.${name} ?? ${none}` : `beside.${name}`];
    const stored = `row.${kept.column}`;
    const convert = kept.codec?.[way] ?? kept.codec?.present;
    if (convert !== undefined) conversions[name] = convert;
    const value = convert === undefined ? stored : `convert.${name}(${stored})`;
    return [name, way === "export" ? `${stored} === null ? ${none} : ${value}` : value];
  });
  return compiled("row, beside", values, conversions);
}

type Former = (record: object) => Record<string, unknown>;

/** By schema. */
const formers = new Map<TObject, Former>();

/**
 * The fields of a schema with their values, in the order of the schema. Those that are absent or null are false, an empty
 * list or null. For records that are stored as a whole, in the form of an export.
 */
export function inForm(kind: TObject, record: object): Record<string, unknown> {
  return remembered(formers, kind, () => newFormer(kind))(record);
}

function newFormer({ properties }: TObject): Former {
  const values = Object.entries(properties).map(([name, property]): Property => {
    if ("const" in property) return [name, JSON.stringify(property.const)];
    const none = { array: "[]", boolean: "false" }[String(property.type)] ?? "null";
    return [name, `record.${name} ?? ${none}`];
  });
  return compiled("record", values, {});
}

/** The value of a field on the wire. */
type WireOf<Row, Kept> =
  Kept extends Field<infer Column extends keyof Row, infer Wire>
    ? Wire extends AsStored
      ? NonNullable<Row[Column]>
      : Wire
    : never;

/** The given fields of a record; null or absent means no value. */
type Values<Table extends keyof Schema, Fields extends FieldsOf<Table>> = {
  readonly [Name in keyof Fields]?: WireOf<Schema[Table], Fields[Name]> | null | undefined;
};

/** The columns of a map. */
type Columns<Table extends keyof Schema, Fields extends FieldsOf<Table>> = Pick<
  Schema[Table],
  Fields[keyof Fields]["column"]
>;

/** Generates the function that converts a record to all columns of the map; absent fields get their defaults. */
export function storer<Table extends keyof Schema, Fields extends FieldsOf<Table>>({
  fields,
}: RecordMap<Table, Fields>): (record: Values<Table, Fields>) => Columns<Table, Fields> {
  const conversions: Conversions = {};
  const values = Object.entries(fields).map(([name, { column, codec, unlessGiven }]): Property => {
    if (codec !== undefined) conversions[name] = codec.store;
    const value = codec === undefined ? `record.${name}` : `convert.${name}(record.${name})`;
    const none = unlessGiven === undefined ? null : (codec?.store(unlessGiven) ?? unlessGiven);
    return [column, `record.${name} == null ? ${JSON.stringify(none)} : ${value}`];
  });
  return compiled("record", values, conversions);
}

/** Generates the function that converts the given fields of an update to the columns it changes; null clears a field. */
export function updater<Table extends keyof Schema, Fields extends FieldsOf<Table>>(
  map: RecordMap<Table, Fields>,
): (record: Values<Table, Fields>) => Partial<Columns<Table, Fields>> {
  const store = storer(map);
  const fields = Object.entries<Field<string, unknown>>(map.fields);
  return (record) => {
    const columns: Record<string, unknown> = store(record);
    for (const [name, { column }] of fields) if (record[name] === undefined) delete columns[column];
    return columns as Partial<Columns<Table, Fields>>;
  };
}

/** Conversions by field, for use in generated code. */
type Conversions = Record<string, unknown>;
type Property = readonly [name: string, expression: string];

/**
 * Compiles a function that returns an object with these properties. Generated code, as in TypeBox's validators, is
 * several times as fast as setting properties in a loop. Safe: names and expressions come from our maps and schemas,
 * never from input.
 */
function compiled(
  parameters: string,
  properties: readonly Property[],
  convert: Conversions,
): never {
  const literal = properties.map(([name, expression]) => `${name}: ${expression}`).join(", ");
  const compile = () =>
    new Function("convert", `return (${parameters}) => ({ ${literal} });`)(convert);
  // On the first call: compiling all of them would take milliseconds of every start.
  let convertRecord: ReturnType<typeof compile>;
  return ((first: unknown, second: unknown) =>
    (convertRecord ??= compile())(first, second)) as never;
}
