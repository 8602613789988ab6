/** CSV for spreadsheets (RFC 4180), which names of people and other texts of a practice cannot make do anything. */

/**
 * What makes a cell a formula, at its beginning, or behind a semicolon: some spreadsheets take that for the end of a
 * cell. White space in front does not matter to them, and some take wide characters for narrow ones.
 */
const FORMULA = /(^|;)(?=\s*[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

/**
 * A cell. A formula gets a leading apostrophe, with which spreadsheets show it as text.
 *
 * @example
 * csvCell("=1+1"); // "'=1+1"
 * csvCell("Park, Leo"); // "\"Park, Leo\""
 */
export function csvCell(value: string | number | null): string {
  if (value === null || typeof value === "number") return String(value ?? "");
  const text = value.replaceAll(FORMULA, "$1'");
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A row, without the end of its line. */
export function csvRow(values: readonly (string | number | null)[]): string {
  return values.map(csvCell).join(",");
}
