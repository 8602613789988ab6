import { csvOf, type Rows } from "./csv.ts";

/** Hands the reader rows as a file of CSV to save. */
export function saveCsv(name: string, rows: Rows): void {
  // Spreadsheets take a file without this mark for one in an encoding of their own.
  const url = URL.createObjectURL(new Blob([`\uFEFF${csvOf(rows)}`], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
