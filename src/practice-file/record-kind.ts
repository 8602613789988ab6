import type { Db } from "../../db/database.ts";
import type { Schema } from "../../db/schema.ts";
import type { Instant } from "../lib/instant.ts";
import type { OwnedType } from "../schema/record-types.ts";
import type { Problem } from "./mistakes.ts";

/** Tables whose rows are found by the organization and a public id. */
export type RecordTable = {
  [Table in keyof Schema]: Schema[Table] extends { organization_id: string; public_id: string }
    ? Table
    : never;
}[keyof Schema];

/** Tables of an organization's own rows. */
export type OwnedTable = {
  [Table in keyof Schema]: Schema[Table] extends { organization_id: string } ? Table : never;
}[keyof Schema];

export type Row = Record<string, unknown>;

/** A record in the database: its own row, and those of its lists, in order. */
export interface RecordRows {
  row: Row;
  lists: { [Table in OwnedTable]?: Row[] };
}

/** A table with the rows of a list of records. */
export interface List {
  table: OwnedTable;
  /** The column for the record that has the list. */
  owner: string;
  /** The columns by which its rows are in order. */
  order: readonly string[];
}

/** Notes that something is wrong with a record. */
export type Refuse = (problem: Problem) => void;

/** What is known of the records that a record names: the facts of their kinds. */
export type Named = <Type extends OwnedType>(
  type: Type,
  id: string | null | undefined,
) => Row | undefined;

/** What a record is turned into rows with. */
export interface RowContext {
  organizationId: string;
  now: Instant;
  /** The record as it was; undefined of one that is made. */
  stored: RecordRows | undefined;
}

/** What is done with the records of a type. */
export interface RecordKind<Record = never> {
  table: RecordTable;
  /** What is deleted with a record, and replaced where it changes. */
  lists: readonly List[];
  /** Columns that others who name such a record need to know. */
  facts: readonly string[];
  /** Rules of a record by itself that its schema does not have. */
  check?(record: Record, refuse: Refuse): void;
  /** Rules of a record and those that it names. */
  agree?(record: Record, named: Named, refuse: Refuse): void;
  rows(record: Record, context: RowContext): RecordRows;
  /** The record as an export writes it. */
  present(rows: RecordRows): object;
  /** Reads the lists of some rows, where more than their tables is to be looked at. */
  readLists?(db: Db, organizationId: string, rows: readonly Row[]): Promise<RecordRows[]>;
}
