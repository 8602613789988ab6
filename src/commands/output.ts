/** Where a command writes: results to standard output, words to standard error. */
export interface Output {
  result(line: string): void;
  words(line: string): void;
}

/** What moves a terminal's cursor, colors its text or turns its direction, and ends a line. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Text as it may stand within a line that a person reads: a name that somebody imported may hold what a terminal takes
 * for a command. It is shown as JSON writes it, so that JSON stays the same value.
 *
 * @example
 * printable("Leo\u001b[2J"); // "Leo\\u001b[2J"
 */
export function printable(text: string): string {
  return text.replaceAll(CONTROLS, escaped);
}

/** The same of a text of several lines, or of cells between tabs. */
export function printableLines(text: string): string {
  return text.replaceAll(CONTROLS, (control) =>
    control === "\n" || control === "\t" ? control : escaped(control),
  );
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Lines of a table: columns as wide as their widest cell, with a head. */
export function tableLines(head: string[], rows: string[][]): string[] {
  const lines = [head, ...rows.map((row) => row.map(printable))];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ""))),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function pad(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - Bun.stringWidth(cell)));
}
