import { csvOf, type Rows } from "./spreadsheet.ts";

/** Hands the reader rows as a file of CSV to save. */
export function saveCsv(name: string, rows: Rows): void {
  // Spreadsheets take a file without this mark for one in an encoding of their own.
  save(name, `\uFEFF${csvOf(rows)}`, "text/csv");
}

export function saveText(name: string, text: string): void {
  save(name, text, "text/plain");
}

function save(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
