import { isKnownHeading } from "./fields.ts";
import { plain } from "./names.ts";
import type { Row } from "./text-file.ts";

/** Where the headings of a table are, and the rows of it that are no records. */

export interface Grid {
  headings: string[];
  /** The row of the headings. */
  headingRow: number;
  rows: Row[];
  /** What was left out, with the rows. */
  left: { what: string; rows: number[] }[];
}

/** How many rows may be the headings. */
const MAX_ABOVE = 15;
const MAX_TOTALS = 3;

const THINGS =
  "(?:clients?|patients?|rows?|records?|employees?|staff|appointments?|sessions?|authorizations?|results?|entries|items?|units|hours)";
const TOTALS = new RegExp(
  [
    `^(?:(?:grand|sub)?[ -]*totals?(?: ${THINGS})?|sum|(?:${THINGS} )?count)\\b\\s*:?\\s*[\\d,.$]*(?:\\s+${THINGS})?$`,
    `^[\\d,]+\\s+(?:total\\s+)?${THINGS}\\b`,
    "^total (?:number )?of\\b",
    "^end of (?:report|list|file|data)\\b",
    "^page \\d+(?: of \\d+)?$",
  ].join("|"),
  "i",
);

/** The table below the headings: of the first rows, that of which most cells are known headings. */
export function gridOf(all: readonly Row[]): Grid {
  const filled = all.filter(({ cells }) => cells.some(isFilled));
  const knownIn = ({ cells }: Row): number => cells.filter((each) => isKnownHeading(each)).length;
  const first = all.slice(0, MAX_ABOVE).filter(({ cells }) => cells.some(isFilled));
  const most = Math.max(0, ...first.map(knownIn));
  const head = (most === 0 ? undefined : first.find((row) => knownIn(row) === most)) ?? filled[0];
  if (head === undefined) return { headings: [], headingRow: 0, rows: [], left: [] };
  const below = all.filter(({ number }) => number > head.number);
  const headings = Array.from({ length: widthOf([head, ...below]) }, (_, at) =>
    (head.cells[at] ?? "").trim(),
  );
  const compared = headings.map(plain);
  const isRepeated = ({ cells }: Row): boolean =>
    cells.some(isFilled) && compared.every((each, at) => each === plain(cells[at] ?? ""));
  const isEmpty = emptinessOf(below.filter((row) => !isRepeated(row)));
  const isRecord = (row: Row): boolean => !isRepeated(row) && !isEmpty(row);
  const numbers = (rows: readonly Row[]): number[] => rows.map(({ number }) => number);
  const left = [
    { what: "above the headings", rows: filled.filter(({ number }) => number < head.number) },
    { what: "empty", rows: below.filter((row) => isEmpty(row) && !isRepeated(row)) },
    { what: "the headings again", rows: below.filter(isRepeated) },
  ];
  return {
    ...{ headings, headingRow: head.number, rows: below.filter(isRecord) },
    left: left.map(({ what, rows }) => ({ what, rows: numbers(rows) })),
  };
}

/** How many columns some rows have. A million rows are too many for the arguments of a function. */
function widthOf(rows: readonly Row[]): number {
  return rows.reduce((most, { cells }) => Math.max(most, cells.findLastIndex(isFilled) + 1), 0);
}

export function isFilled(cell: string | undefined): cell is string {
  return cell !== undefined && cell.trim() !== "";
}

/** Whether a row has nothing, or only what every other row but sums has alike, such as a state that was filled down. */
function emptinessOf(rows: readonly Row[]): (row: Row) => boolean {
  const all = rows.filter(({ cells }) => cells.some(isFilled));
  const sums = totalsIn(all, []);
  const filled = all.filter((row) => !sums.includes(row));
  const alike = new Set<number>();
  const width = widthOf(filled);
  for (let at = 0; at < width; at += 1) {
    const [value = "", ...others] = new Set(filled.map(({ cells }) => (cells[at] ?? "").trim()));
    if (value !== "" && others.length === 0) alike.add(at);
  }
  const isPlain = ({ cells }: Row): boolean =>
    cells.every((cell, at) => !isFilled(cell) || alike.has(at));
  // Rows that are alike in everything are records that stand there twice.
  const areAll = filled.every(isPlain);
  return (row) => !row.cells.some(isFilled) || (!areAll && isPlain(row));
}

/** Whether a cell says nothing of a record: nothing, a number, or what it sums up. */
function isSum(cell: string): boolean {
  return /^[\d,.$]*$/.test(cell) || TOTALS.test(cell);
}

/**
 * The rows at the end that sum up the others.
 *
 * @param required the columns that a row must have.
 */
export function totalsIn(rows: readonly Row[], required: readonly number[]): Row[] {
  const found: Row[] = [];
  for (const row of rows.slice(-MAX_TOTALS).toReversed()) {
    const cells = row.cells.map((cell) => cell.trim());
    const said = required.filter((column) => !isSum(cells[column] ?? "")).length;
    // A first name `Sum` beside a last name is a person.
    if (!TOTALS.test(cells.find(Boolean) ?? "") || (said > 0 && said * 2 >= required.length)) break;
    found.unshift(row);
  }
  return found;
}
