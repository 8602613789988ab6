import type { CalendarDate } from "../src/lib/calendar-date.ts";
import type { Instant } from "../src/lib/instant.ts";

/** Functions for describing tables in `tables.ts`, and the TypeScript types of their rows. */

/** A stored boolean. */
export type Bit = 0 | 1;

/** A column. `Value` is the type of its values. */
export interface Column<Value = unknown> {
  type: "text" | "integer" | "real";
  isNullable: boolean;
  reference?: { table: string } & ReferenceRules;
  /** Never set; carries the type. */
  value?: Value;
}

/** A column with a default, which an insert may omit. */
export interface DefaultColumn<Value = unknown> extends Column<Value> {
  default: string | number;
}

export interface ReferenceRules {
  /** Checked at the end of the transaction instead of after each statement. */
  isDeferred?: boolean;
  /** Deleting the referenced row deletes this row. Without it, a referenced row cannot be deleted. */
  isCascading?: boolean;
}

function column<Value>(type: Column["type"]): Column<Value> {
  return { type, isNullable: false };
}

export const text = column<string>("text");
export const integer = column<number>("integer");
export const real = column<number>("real");
export const bit = column<Bit>("integer");
/** UTC, with fixed width, so that instants compare as text. */
export const instant = column<Instant>("text");
/** `YYYY-MM-DD`. */
export const date = column<CalendarDate>("text");

export function nullable<Value>(of: Column<Value>): Column<Value | null> {
  return { ...of, isNullable: true } as Column<Value | null>;
}

export function withDefault<Value extends string | number>(
  of: Column<Value>,
  value: Value,
): DefaultColumn<Value> {
  return { ...of, default: value };
}

/**
 * The `public_id` of a row of another table in the same organization; for the column `organization_id`, of
 * `organizations`.
 */
export function reference(table: string, rules: ReferenceRules = {}): Column<string> {
  return { ...text, reference: { table, ...rules } };
}

export type Columns = Record<string, Column>;

/** Columns in order, and optionally an SQL condition for a partial index. */
export interface Index<Name extends string = string> {
  columns: readonly Name[];
  where?: string;
}

/** A foreign key. */
export interface Reference<Name extends string = string> extends ReferenceRules {
  columns: readonly Name[];
  table: string;
  /** The referenced columns. */
  to: readonly string[];
}

export interface Table<Of extends Columns = Columns> {
  columns: Of;
  key: readonly string[];
  unique: readonly (readonly string[])[];
  references: readonly Reference[];
  checks: readonly string[];
  /** By the suffix of their names, which begin with the table's name. */
  indexes: Record<string, Index>;
  /** Rows are stored in key order (SQLite's `without rowid`): for narrow rows, and rows read in that order. */
  isInKeyOrder: boolean;
}

/** A table's definition besides its columns. */
interface Rest<Name extends string> {
  key: readonly Name[];
  unique?: readonly (readonly Name[])[];
  /** Foreign keys of several columns. Those of one column are declared with the column. */
  references?: readonly Reference<Name>[];
  /** Check constraints, as SQL for both engines. */
  checks?: readonly string[];
  indexes?: Record<string, readonly Name[] | Index<Name>>;
  isInKeyOrder?: boolean;
}

/** A table without organization. */
export function sharedTable<const Of extends Columns>(
  columns: Of,
  rest: Rest<keyof Of & string>,
): Table<Of> {
  return newTable(columns, rest, []);
}

type WithOrganization<Of> = { organization_id: Column<string> } & Of;

/**
 * A table of organizations' rows. `organization_id` is the first column of the table and of every key, unique
 * constraint, index and reference, so that no row can refer to another organization's.
 */
export function organizationTable<const Of extends Columns>(
  columns: Of,
  rest: Rest<keyof Of & string>,
): Table<WithOrganization<Of>> {
  return newTable({ organization_id: text, ...columns }, rest, ["organization_id"]);
}

type WithId<Of> = { public_id: Column<string> } & Of & {
    sequence: DefaultColumn<number>;
    first_sequence: DefaultColumn<number>;
  };

/**
 * A table of records of the practice file: an organization's rows with a public id, and the numbers of the
 * organization's writes that last changed the record, and that made it.
 */
export function recordTable<const Of extends Columns>(
  columns: Of,
  {
    indexes,
    ...rest
  }: Omit<Rest<(keyof Of & string) | "public_id" | "sequence" | "first_sequence">, "key"> = {},
): Table<WithOrganization<WithId<Of>>> {
  const number = withDefault(integer, 0);
  const all = { public_id: text, ...columns, sequence: number, first_sequence: number };
  return organizationTable<Columns>(all, {
    ...rest,
    key: ["public_id"],
    indexes: { by_sequence: ["sequence"], ...indexes },
  }) as Table<WithOrganization<WithId<Of>>>;
}

function newTable<Of extends Columns>(
  columns: Of,
  {
    key,
    unique = [],
    references = [],
    checks = [],
    indexes = {},
    isInKeyOrder = false,
  }: Rest<string>,
  prefix: readonly string[],
): Table<Of> {
  const prefixed = (names: readonly string[]) => [...prefix, ...names];
  const single = Object.entries(columns).flatMap(([name, { reference }]): Reference[] => {
    if (reference === undefined) return [];
    return name === "organization_id"
      ? [{ ...reference, columns: [name], to: ["public_id"] }]
      : [{ ...reference, columns: prefixed([name]), to: prefixed(["public_id"]) }];
  });
  const several = references.map((reference) => ({
    ...reference,
    columns: prefixed(reference.columns),
    to: prefixed(reference.to),
  }));
  return {
    columns,
    key: prefixed(key),
    unique: unique.map(prefixed),
    references: [...single, ...several],
    checks,
    indexes: Object.fromEntries(
      Object.entries(indexes).map(([name, index]) => {
        const { columns, ...others } = "columns" in index ? index : { columns: index };
        return [name, { columns: prefixed(columns), ...others }];
      }),
    ),
    isInKeyOrder,
  };
}

type ValueOf<Of> = Of extends Column<infer Value> ? Value : never;

type DefaultsIn<Of> = {
  [Name in keyof Of]: Of[Name] extends DefaultColumn ? Name : never;
}[keyof Of];

/** A complete row as it is written, without columns that get their default. */
export type RowOf<Of> = { [Name in Exclude<keyof Of, DefaultsIn<Of>>]: ValueOf<Of[Name]> };

/** The columns with a default. */
export type DefaultsOf<Of> = { [Name in DefaultsIn<Of>]: ValueOf<Of[Name]> };
