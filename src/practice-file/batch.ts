import type { Schema } from "../../db/schema.ts";
import type { OwnedTable, RecordTable, RowOf } from "./repository.ts";

/** Rows of a table, all with the same columns. */
export interface BatchRows {
  table: OwnedTable;
  /** Whether a row whose id exists replaces it; else none exists. */
  replaces: boolean;
  columns: string[];
  values: unknown[][];
}

/** What hangs on some records and is deleted before the new versions are written. */
export interface BatchDeletion {
  table: OwnedTable;
  column: string;
  ids: string[];
}

/** What some records of one type come to in the database: deletions, then rows, in the order of their tables. */
export class Batch {
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
    const known = this.deletions.find((one) => one.table === table);
    if (known !== undefined) known.ids.push(id);
    else this.deletions.push({ table, column, ids: [id] });
  }

  #add(table: OwnedTable, replaces: boolean, row: object): void {
    let rows = this.rows.find((one) => one.table === table);
    if (rows === undefined) {
      const columns = Object.keys(row).filter((column) => column !== "organization_id");
      this.rows.push((rows = { table, replaces, columns, values: [] }));
    }
    rows.values.push(rows.columns.map((column) => row[column as keyof typeof row]));
  }
}
