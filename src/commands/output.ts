import type { Writable } from "node:stream";

/** The output of a command: results go to standard output, messages to standard error. */
export interface Output {
  result(line: string): void;
  message(line: string): void;
}

/** Standard output or error. */
export type Stream = Writable & { isTTY?: boolean; columns?: number };

/** Control characters and text direction marks that could manipulate a terminal, and line separators. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Escapes text for a line on a terminal: an imported name may contain control sequences. The escapes are those of JSON,
 * so that JSON keeps its value.
 *
 * @example
 * printable("Leo\u001b[2J"); // "Leo\\u001b[2J"
 */
export function printable(text: string): string {
  return text.replaceAll(CONTROLS, escaped);
}

/** `printable` for text with line breaks and tabs. */
export function printableLines(text: string): string {
  return text.replaceAll(CONTROLS, (control) =>
    control === "\n" || control === "\t" ? control : escaped(control),
  );
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The lines of a table with a header; columns are as wide as their widest cell. */
export function tableLines(head: string[], rows: string[][]): string[] {
  const lines = [head, ...rows.map((row) => row.map(printable))];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ""))),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
      .join("  ")
      .trimEnd(),
  );
}

/** The columns of a table of items: the cell of each heading. */
type Columns<Item> = Record<string, (item: Item) => string | number | null>;

export function tableOf<Item>(items: readonly Item[], columns: Columns<Item>): string[] {
  const cells = Object.values(columns);
  return tableLines(
    Object.keys(columns),
    items.map((item) => cells.map((cellOf) => String(cellOf(item) ?? ""))),
  );
}

export function printItems<Item>(
  output: Output,
  items: readonly Item[],
  { json, columns }: { json: boolean | undefined; columns: Columns<Item> },
): void {
  if (json) output.result(JSON.stringify(items, null, 2));
  else for (const line of tableOf(items, columns)) output.result(line);
}

/** Formats `1 row`, `8 rows`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
