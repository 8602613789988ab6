import type { BillingLine } from "./model.ts";

/** Lines as rows of a spreadsheet, for whoever bills them. */

/** The fields of a line that are no columns: what became of it is not for a payor. */
const NO_COLUMNS = ["changedFields", "billed"];

/** The names of the columns, then a row of each line; lists have `;` between their elements. */
export function spreadsheetOf(
  columns: readonly string[],
  lines: readonly Partial<BillingLine>[],
): (string | number | null)[][] {
  return [[...columns], ...lines.map((line) => columns.map((name) => cellOf(line[name as never])))];
}

function cellOf(value: unknown): string | number | null {
  if (Array.isArray(value)) return value.join(";");
  return (value ?? null) as string | number | null;
}

/** The columns of a line. */
export function columnsOf(line: object): string[] {
  return Object.keys(line).filter((name) => !NO_COLUMNS.includes(name));
}
