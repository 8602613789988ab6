import { csvRow } from "../../../lib/csv.ts";

/** Rows as CSV for a spreadsheet. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${csvRow(row)}\r\n`).join("");
}
