import type { Schema } from "../../db/schema.ts";
import type { OwnedTable, RecordTable, RowOf } from "./repository.ts";

/** What is known of the rows that go into a table. */
export interface BatchTable {
  table: OwnedTable;
  /** Whether a row whose id exists replaces it; else none exists. */
  replaces: boolean;
  columns: readonly string[];
}

interface BatchRows extends BatchTable {
  /** Of one row after the other: the line of its record, then its columns. */
  values: unknown[];
}

/** What hangs on a record and is deleted before its new version is written. */
export interface BatchDeletion {
  line: number;
  table: OwnedTable;
  column: string;
  id: string;
}

/** What some records of one type come to in the database: deletions, then rows, in the order of their tables. */
export class Batch {
  /** Of the record that is being written. */
  line = 0;
  readonly deletions: BatchDeletion[] = [];
  readonly rows: BatchRows[] = [];

  /** Writes a row whole, whether its id exists or not. */
  upsert<Table extends RecordTable>(table: Table, row: RowOf<Table>): void {
    this.#add(table, true, row);
  }

  /** Writes a row that is not there yet. */
  insert<Table extends OwnedTable>(table: Table, row: RowOf<Table>): void {
    this.#add(table, false, row);
  }

  /** Deletes what hangs on a record. */
  delete<Table extends OwnedTable>(
    table: Table,
    column: keyof Schema[Table] & string,
    id: string,
  ): void {
    this.deletions.push({ line: this.line, table, column, id });
  }

  #add(table: OwnedTable, replaces: boolean, row: object): void {
    let rows = this.rows.find((one) => one.table === table);
    if (rows === undefined) {
      const columns = Object.keys(row).filter((column) => column !== "organization_id");
      this.rows.push((rows = { table, replaces, columns, values: [] }));
    }
    rows.values.push(this.line);
    for (const column of rows.columns) rows.values.push(row[column as keyof typeof row]);
  }
}
