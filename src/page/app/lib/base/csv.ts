import { csvRow } from "../../../../lib/csv.ts";

export type Rows = readonly (readonly (string | number | null)[])[];

/** Rows as CSV for a spreadsheet. */
export function csvOf(rows: Rows): string {
  return rows.map((row) => `${csvRow(row)}\r\n`).join("");
}
