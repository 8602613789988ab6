import type { Db } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import type { OwnedType } from "../schema/record-types.ts";
import type { Problem } from "./mistakes.ts";

/** Tables whose rows have an organization and a public id. */
export type RecordTable = {
  [Table in keyof Schema]: Schema[Table] extends { organization_id: string; public_id: string }
    ? Table
    : never;
}[keyof Schema];

/** Tables with rows of organizations. */
export type OwnedTable = {
  [Table in keyof Schema]: Schema[Table] extends { organization_id: string } ? Table : never;
}[keyof Schema];

export type Row = Record<string, unknown>;

/** A stored record: its row, and the rows of its lists, in order. */
export interface RecordRows {
  row: Row;
  lists: { [Table in OwnedTable]?: Row[] };
}

/** A table with the rows of a record's list. */
export interface List {
  table: OwnedTable;
  /** The column of the record that has the list. */
  owner: string;
  /** The columns that order the rows. */
  order: readonly string[];
}

/** Reports a problem of a record. */
export type Refuse = (problem: Problem) => void;

/** Looks up records that a record refers to: the `facts` of their types. */
export type Named = <Type extends OwnedType>(
  type: Type,
  id: string | null | undefined,
) => Row | undefined;

/** Input for converting a record to rows. */
export interface RowContext {
  organizationId: string;
  now: Instant;
  /** The stored record; undefined if the record is new. */
  stored: RecordRows | undefined;
}

/** How records of a type are checked, stored and exported. */
export interface RecordKind<Record = never> {
  table: RecordTable;
  /** Dependent rows: deleted with the record, replaced when it changes. */
  lists: readonly List[];
  /** Columns needed for checking records that refer to this one. */
  facts: readonly string[];
  /** Checks rules of the record alone that its schema cannot express. */
  check?(record: Record, refuse: Refuse): void;
  /** Checks rules between the record and records it refers to. */
  agree?(record: Record, named: Named, refuse: Refuse): void;
  rows(record: Record, context: RowContext): RecordRows;
  /** Converts stored rows to the exported record. */
  present(rows: RecordRows): object;
  /** Reads the lists of rows, if reading the list tables is not enough. */
  readLists?(db: Db, organizationId: string, rows: readonly Row[]): Promise<RecordRows[]>;
}
