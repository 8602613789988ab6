/** Where a command writes: results to standard output, words to standard error. */
export interface Output {
  result(line: string): void;
  words(line: string): void;
}

/** Lines of a table: columns as wide as their widest cell, with a head. */
export function tableLines(head: string[], rows: string[][]): string[] {
  const lines = [head, ...rows];
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
