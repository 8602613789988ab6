import type { Issue } from "../base/failure.ts";
import { plainText } from "../base/mistakes.ts";

/** What is wrong with an imported sheet, as its office reads it. */

/** One mistake of several rows. */
export interface MistakeGroup {
  /** The heading of the column; empty if it is about the rows. */
  column: string;
  message: string;
  rows: number[];
}

/** How many rows of a group are named. */
const NAMED = 3;

/**
 * Groups mistakes by column and message, in the order of their first rows.
 *
 * @param headingOf the sheet's own heading of a field.
 * @param sources the sheet's rows of the rows that were sent; the headings are the first row of both.
 */
export function groupedMistakes(
  issues: readonly Issue[],
  headingOf: (field: string) => string,
  sources: readonly number[],
): MistakeGroup[] {
  const groups = new Map<string, MistakeGroup>();
  for (const issue of issues) {
    const [line, field] = issue.path;
    const row = typeof line === "number" ? (sources[line - 2] ?? line) : 1;
    const column = field === undefined ? "" : headingOf(String(field));
    const message = plainText(issue);
    const key = JSON.stringify([column, message]);
    const group = groups.get(key) ?? { column, message, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** `2, 5, 9 and 12 more` */
export function rowsText({ rows }: MistakeGroup): string {
  const named = rows.slice(0, NAMED).join(", ");
  return rows.length > NAMED ? `${named} and ${rows.length - NAMED} more` : named;
}
