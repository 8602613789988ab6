import type { Option } from "./words.ts";

/** What is said of a sheet: everything that is not as the sheet has it, and what is wrong at which row. */

export interface Note {
  /** What it is about, for a choice that is kept. */
  key: string;
  /** The heading; empty if it is about rows. */
  heading: string;
  what: string;
  /** The first cell, and what it is now. */
  example?: { from: string; to?: string };
  /** In the order of the sheet, each once. */
  rows: number[];
  /** What can be chosen instead. */
  options?: readonly Option[];
}

export interface Mistake {
  row: number;
  /** The heading; empty if it is about the row. */
  column: string;
  message: string;
}

/** How many rows are named. */
const NAMED = 3;

/** `2, 5, 9 and 4 more` */
export function rowsText(rows: readonly number[]): string {
  const named = rows.slice(0, NAMED).join(", ");
  return rows.length > NAMED ? `${named} and ${rows.length - NAMED} more` : named;
}

/** `Zip Code: ZIP code that lost its zero, 1970 → 01970 (rows 2, 3, 4 and 6 more)` */
export function noteText({ heading, what, example, rows }: Note): string {
  const shown = (text: string): string => (text === "" ? "empty" : text);
  const to = example?.to === undefined ? "" : ` → ${shown(example.to)}`;
  const cells = example === undefined ? "" : `, ${example.from}${to}`;
  const where =
    rows.length === 0 ? "" : ` (${rows.length === 1 ? "row" : "rows"} ${rowsText(rows)})`;
  return `${heading === "" ? "" : `${heading}: `}${what}${cells}${where}`;
}

/** Notes that are made one row after the other. */
export class Notes {
  readonly #notes = new Map<string, Note>();

  add(
    note: Omit<Note, "rows" | "key"> & { key?: string; row?: number; rows?: readonly number[] },
  ): void {
    const { row, rows = row === undefined ? [] : [row], ...own } = note;
    const id = `${own.heading} ${own.what}`;
    const known = this.#notes.get(id);
    if (known === undefined) this.#notes.set(id, { key: id, ...own, rows: [...rows] });
    else known.rows.push(...rows.filter((each) => !known.rows.includes(each)));
  }

  get all(): Note[] {
    return [...this.#notes.values()].map((note) => ({
      ...note,
      rows: note.rows.toSorted((a, b) => a - b),
    }));
  }
}

/** One mistake of several rows. */
export interface MistakeGroup {
  column: string;
  message: string;
  rows: number[];
}

/** Groups mistakes by column and message, in the order of their first rows. */
export function groupedMistakes(mistakes: readonly Mistake[]): MistakeGroup[] {
  const groups = Map.groupBy(mistakes, ({ column, message }) => JSON.stringify([column, message]));
  return [...groups.values()].map((group) => ({
    column: group[0]?.column ?? "",
    message: group[0]?.message ?? "",
    rows: [...new Set(group.map(({ row }) => row))],
  }));
}
