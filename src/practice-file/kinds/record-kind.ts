import type { Static, TObject } from "@sinclair/typebox";
import type { Schema } from "../../../db/schema.ts";
import type { Instant } from "../../lib/instant.ts";
import { sortedSet } from "../../lib/text.ts";
import { exporter, type RecordMap, storer } from "../../schema/record-map.ts";
import type { Problem } from "./problem.ts";

/** Tables whose rows have an organization and a public id. */
export type RecordTable = {
  [Table in keyof Schema]: Schema[Table] extends { organization_id: string; public_id: string }
    ? Table
    : never;
}[keyof Schema];

export type OwnedTable = {
  [Table in keyof Schema]: Schema[Table] extends { organization_id: string } ? Table : never;
}[keyof Schema];

export type Row = Record<string, unknown>;

/** A stored record: its row, and the rows of its lists, in order. */
export interface RecordRows {
  row: Row;
  lists: { [Table in OwnedTable]?: Row[] };
}

export interface List {
  table: OwnedTable;
  /** The column of the record that has the list. */
  owner: string;
  order: readonly string[];
}

export type Refuse = (problem: Problem) => void;

export interface RowContext {
  organizationId: string;
  now: Instant;
  /** The stored record; undefined if the record is new. */
  stored: RecordRows | undefined;
}

export interface SequenceContext {
  stored: RecordRows | undefined;
  /** The number of this write. */
  sequence: number;
}

/** The schemas of a type of record: one, or one for each value of a field. Fields are in the order of exports. */
export interface Variants {
  variants: readonly TObject[];
  /** The field whose value determines the variant, if there are several. */
  discriminator?: string;
}

/** How records of a type are checked, stored and exported. */
export interface RecordKind<Record = never> extends Variants {
  table: RecordTable;
  /** Dependent rows: deleted with the record, replaced when it changes. */
  lists: readonly List[];
  /** Checks rules of the record, and of what becomes of a stored one, that its schema cannot express. */
  check?(record: Record, refuse: Refuse, before?: Partial<Record>): void;
  rows(record: Record, context: RowContext): RecordRows;
  /** Further columns with the number of the last write that changed something. */
  sequences?(rows: RecordRows, context: SequenceContext): Row;
  /** Converts stored rows to the exported record. */
  present(rows: RecordRows): object;
}

/** A type of record whose fields are columns, or lists of ids. `createdAt` is the time of the import unless given. */
export function plainKind<Map extends RecordMap<RecordTable>, Variant extends TObject>(
  map: Map,
  variants: readonly Variant[],
  {
    links = {},
    derive,
    ...rules
  }: Pick<RecordKind<Static<Variant>>, "check" | "discriminator"> & {
    links?: Links;
    /** Columns that are derived from fields. */
    derive?: (record: Static<Variant>) => Row;
  } = {},
): RecordKind<Static<Variant>> {
  const columns = storer(map) as (record: object) => object;
  const present = variantExporter(map, { variants, ...rules });
  const { lists, ...tables } = linkTables(links);
  return {
    ...rules,
    variants,
    table: map.table,
    lists,
    rows(record, { organizationId: organization_id, now }) {
      const row: Row = Object.assign(columns(record as object), derive?.(record), {
        organization_id,
      });
      if ("created_at" in row) row.created_at ??= now;
      return { row, lists: tables.rows(record as Row, organization_id) };
    },
    present: ({ row, lists }) => present(row, tables.ids(lists)),
  };
}

/** The values of the discriminator that determine a variant. */
export function valuesOf({ properties }: TObject, discriminator: string): readonly unknown[] {
  const schema = properties[discriminator] as { const?: unknown; enum?: unknown[] };
  return schema.enum ?? [schema.const];
}

/** Generates the function that converts a row, and fields that are no columns, to the record of the row's variant. */
export function variantExporter(
  map: RecordMap<RecordTable>,
  { variants, discriminator }: Variants,
): (row: Row, beside: object) => object {
  type Export = (row: Row, beside: object) => object;
  const exporters = variants.map((variant) => exporter(map, variant) as unknown as Export);
  const [only] = exporters as [Export];
  if (discriminator === undefined) return only;
  const { column, codec } = map.fields[discriminator] as NonNullable<(typeof map.fields)[string]>;
  const byValue = new Map<unknown, Export>();
  for (const [index, variant] of variants.entries())
    for (const value of valuesOf(variant, discriminator))
      byValue.set(codec === undefined ? value : codec.store(value), exporters[index] as Export);
  return (row, beside) => (byValue.get(row[column]) as Export)(row, beside);
}

/** Lists of ids by field: the table with a row for each id, and its columns of the record and of the id. */
type Links = Readonly<Record<string, { table: OwnedTable; owner: string; linked: string }>>;

/** The tables of lists of ids, and functions that convert the lists to rows and back. */
export function linkTables(links: Links) {
  const fields = Object.entries(links);
  return {
    lists: fields.map(([, { table, owner, linked }]): List => ({ table, owner, order: [linked] })),

    rows(record: Row, organization_id: string): RecordRows["lists"] {
      const lists: RecordRows["lists"] = {};
      for (const [name, { table, owner, linked }] of fields) {
        const ids = record[name] as string[] | undefined;
        if (ids === undefined) continue;
        lists[table] = sortedSet(ids).map((id) => ({
          organization_id,
          [owner]: record.publicId,
          [linked]: id,
        }));
      }
      return lists;
    },

    ids(lists: RecordRows["lists"]): object {
      const ids: Record<string, unknown> = {};
      for (const [name, { table, linked }] of fields)
        ids[name] = lists[table]?.map((row) => row[linked]);
      return ids;
    },
  };
}
