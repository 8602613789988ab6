import { compare } from "../lib/compare.ts";
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

/** An encounter's hand-overs, with their lines. */
interface HandedOver {
  encounterId: string;
  billed: readonly { batch: string | null; line?: Partial<BillingLine> | null }[];
}

/**
 * The file of a batch: a row for each of its hand-overs, taken back or not, as it was handed over. So it is the same
 * whatever has changed since, until something is added to the batch.
 */
export function batchSheet(
  columns: readonly string[],
  batch: string,
  encounters: readonly HandedOver[],
): ReturnType<typeof spreadsheetOf> {
  const rows = encounters.flatMap(({ encounterId, billed }) =>
    billed.filter((one) => one.batch === batch).map(({ line }) => ({ ...line, encounterId })),
  );
  return spreadsheetOf(columns, rows.toSorted(compareRows));
}

const ORDER = ["date", "patientLastName", "patientFirstName", "encounterId"] as const;

function compareRows(a: Partial<BillingLine>, b: Partial<BillingLine>): number {
  for (const name of ORDER) {
    const order = compare(a[name] ?? "", b[name] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

/** The columns of a line. */
export function columnsOf(line: object): string[] {
  return Object.keys(line).filter((name) => !NO_COLUMNS.includes(name));
}

/** The columns of a batch's file: of what was handed over, whatever it is now. */
export function columnsOfBatch(line: object): string[] {
  return columnsOf(line).filter((name) => name !== "problems" && name !== "state");
}
