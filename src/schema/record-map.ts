import type { Static, TLiteral, TObject } from "@sinclair/typebox";
import { type Bit, fromBit, type Schema, toBit } from "../../db/schema.ts";

/**
 * What a field of a record is called on the wire, in which column it is kept, and how its value is turned between the
 * two, said once for each record. Which fields are shown or taken, and in which order, is said by schemas: what
 * presents, creates, imports or exports a record is a function made of such a schema and of the record's map.
 */

/** How the values of a field are turned between the wire and a column. */
export interface Turn<Wire> {
  present(stored: never): Wire;
  store(value: Wire): string | number | null;
  /** As a practice file has it, where that is not as the API shows it. */
  export?(stored: never): unknown;
}

/** Where a field is kept. */
interface Field<Column, Wire> {
  column: Column;
  /** Without one, values are stored as they are. */
  turn: Turn<Wire> | undefined;
  /** The value of a record that gives none; null is stored unless there is one. */
  unlessGiven: Wire | undefined;
}

type ColumnOf<Table extends keyof Schema> = Table extends keyof Schema
  ? keyof Schema[Table] & string
  : never;
type FieldsOf<Table extends keyof Schema> = Readonly<
  Record<string, Field<ColumnOf<Table>, unknown>>
>;

/** The fields of a record by their names on the wire, and the table whose rows hold them. */
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

/** Stands for the type of the column itself. */
declare const asStored: unique symbol;
type AsStored = typeof asStored;

/** A field that a column holds. */
export function field<const Column extends string>(column: Column): Field<Column, AsStored>;
export function field<const Column extends string, Wire>(
  column: Column,
  turn: Turn<Wire>,
  unlessGiven?: Wire,
): Field<Column, Wire>;
export function field<Column, Wire>(
  column: Column,
  turn?: Turn<Wire>,
  unlessGiven?: Wire,
): Field<Column, Wire> {
  return { column, turn, unlessGiven };
}

/** A text, where a record that gives none has another than null. */
export const text: Turn<string> = {
  present: (stored: string) => stored,
  store: (value) => value,
};

/** The same for a number. */
export const number: Turn<number> = {
  present: (stored: number) => stored,
  store: (value) => value,
};

/** A boolean, stored as 0 or 1. */
export const bit: Turn<boolean> = {
  present: (stored: Bit) => fromBit(stored),
  store: (value) => toBit(value),
};

/** An object that no query looks into, stored as JSON text. Null stands for no value in it, as it does in a row. */
export const json: Turn<object> = {
  present: (stored: string) => JSON.parse(stored) as object,
  store: (value) => JSON.stringify(value),
  export: (stored: string) => {
    const given = Object.entries(JSON.parse(stored) as object).filter(
      ([, value]) => value !== null,
    );
    return Object.fromEntries(given);
  },
};

/** A list that no query looks into, stored as JSON text. */
export const list: Turn<readonly unknown[]> = {
  present: (stored: string) => JSON.parse(stored) as unknown[],
  store: (value) => JSON.stringify(value),
};

/** Texts in no order, shown sorted and without repetition; none at all are stored as null. */
export const textSet: Turn<readonly string[]> = {
  present: (stored: string | null) => (JSON.parse(stored ?? "[]") as string[]).sort(),
  store: (texts) => (texts.length === 0 ? null : JSON.stringify([...new Set(texts)].sort())),
};

/** A text that is empty on the wire where there is none. */
export const textOrEmpty: Turn<string> = {
  present: (stored: string | null) => stored ?? "",
  store: (text) => text || null,
};

type Names<Kind extends TObject> = keyof Kind["properties"] & string;

type ColumnsFor<Map extends RecordMap, Kind extends TObject> = Kind extends TObject
  ? Map["fields"][Names<Kind> & keyof Map["fields"]]["column"]
  : never;

/** What of a record is neither in a column nor constant, such as lists, and is given beside the row. */
type Beside<Map extends RecordMap, Kind extends TObject> = {
  [
    Name in Exclude<Names<Kind>, keyof Map["fields"]> as Kind["properties"][Name] extends TLiteral
      ? never
      : Name
  ]: Static<Kind>[Name];
};

/** From a row, and what is given beside it, to a record. */
type FromRow<Map extends RecordMap, Kind extends TObject, Presented, Given> = (
  row: { readonly [Column in ColumnsFor<Map, Kind>]: unknown },
  ...beside: keyof Given extends never ? [] : [Given]
) => Presented;

/** The columns that hold what some kinds of a record have, each once, for a query to select. */
export function columnsFor<Map extends RecordMap, Kinds extends readonly TObject[]>(
  { fields }: Map,
  ...kinds: Kinds
): ColumnsFor<Map, Kinds[number]>[] {
  const names = kinds.flatMap(({ properties }) => Object.keys(properties));
  const columns = names.flatMap((name) => fields[name]?.column ?? []);
  return [...new Set(columns)] as ColumnsFor<Map, Kinds[number]>[];
}

/**
 * Makes the function from a row to the record that a schema describes, in the order of the schema. It checks nothing:
 * what the tables hold was checked before it was written, and by the tables themselves.
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

/** The same as a practice file has it: every field is there, null or an empty list where it has no value. */
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
  const turns: Turns = {};
  const values = Object.entries(properties).map(([name, property]): Property => {
    if ("const" in property) return [name, JSON.stringify(property.const)];
    const kept = fields[name];
    const none = property.type === "array" ? "[]" : "null";
    if (kept === undefined)
      return [name, way === "export" ? `beside.${name} ?? ${none}` : `beside.${name}`];
    const stored = `row.${kept.column}`;
    const turn = kept.turn?.[way] ?? kept.turn?.present;
    if (turn !== undefined) turns[name] = turn;
    const value = turn === undefined ? stored : `turn.${name}(${stored})`;
    return [name, way === "export" ? `${stored} === null ? ${none} : ${value}` : value];
  });
  return compiled("row, beside", values, turns);
}

/** The value of a field on the wire. */
type WireOf<Row, Kept> =
  Kept extends Field<infer Column extends keyof Row, infer Wire>
    ? Wire extends AsStored
      ? NonNullable<Row[Column]>
      : Wire
    : never;

/** What is known of a record: a field that is null or left out has no value. */
type Given<Table extends keyof Schema, Fields extends FieldsOf<Table>> = {
  readonly [Name in keyof Fields]?: WireOf<Schema[Table], Fields[Name]> | null | undefined;
};

/** The columns of a map. */
type Columns<Table extends keyof Schema, Fields extends FieldsOf<Table>> = Pick<
  Schema[Table],
  Fields[keyof Fields]["column"]
>;

/** Makes the function from a record, of which optional fields may be left out, to all columns of the map. */
export function storer<Table extends keyof Schema, Fields extends FieldsOf<Table>>({
  fields,
}: RecordMap<Table, Fields>): (record: Given<Table, Fields>) => Columns<Table, Fields> {
  const turns: Turns = {};
  const values = Object.entries(fields).map(([name, { column, turn, unlessGiven }]): Property => {
    if (turn !== undefined) turns[name] = turn.store;
    const given = turn === undefined ? `record.${name}` : `turn.${name}(record.${name})`;
    const none = unlessGiven === undefined ? null : (turn?.store(unlessGiven) ?? unlessGiven);
    return [column, `record.${name} == null ? ${JSON.stringify(none)} : ${given}`];
  });
  return compiled("record", values, turns);
}

/** Makes the function from what an update gives to the columns that it changes; null takes a value away. */
export function updater<Table extends keyof Schema, Fields extends FieldsOf<Table>>(
  map: RecordMap<Table, Fields>,
): (given: Given<Table, Fields>) => Partial<Columns<Table, Fields>> {
  const store = storer(map);
  const fields = Object.entries<Field<string, unknown>>(map.fields);
  return (given) => {
    const columns: Record<string, unknown> = store(given);
    for (const [name, { column }] of fields) if (given[name] === undefined) delete columns[column];
    return columns as Partial<Columns<Table, Fields>>;
  };
}

/** Functions that the text of another one names. */
type Turns = Record<string, unknown>;
type Property = readonly [name: string, expression: string];

/**
 * A function that answers an object with these properties. It is made from its text, as TypeBox makes its validators:
 * to set one property after the other takes six times as long, and a page has hundreds of them.
 */
function compiled(parameters: string, properties: readonly Property[], turn: Turns): never {
  const literal = properties.map(([name, expression]) => `${name}: ${expression}`).join(", ");
  return new Function("turn", `return (${parameters}) => ({ ${literal} });`)(turn) as never;
}
