import { csvRow } from "../../../../lib/csv.ts";

/** What a spreadsheet has of a column of a list: columns of its own, by their headings. */
export interface Spread<Row> {
  saved?: Record<string, (row: Row) => string | number | null>;
}

/** Rows as a spreadsheet, with its headings. */
export function spreadsheetOf<Row>(columns: readonly Spread<Row>[], rows: readonly Row[]): Rows {
  const saved = columns.flatMap((column) => Object.entries(column.saved ?? {}));
  return [
    saved.map(([heading]) => heading),
    ...rows.map((row) => saved.map(([, value]) => value(row))),
  ];
}

export type Rows = readonly (readonly (string | number | null)[])[];

/** Rows as CSV for a spreadsheet. */
export function csvOf(rows: Rows): string {
  return rows.map((row) => `${csvRow(row)}\r\n`).join("");
}
