import { remembered } from "../../../../lib/remembered.ts";
import type { Option } from "./words.ts";

/** What is said of a sheet: everything that is not as the sheet has it, and what is wrong in which rows. */

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
  readonly #notes = new Map<string, { note: Omit<Note, "rows">; rows: Set<number> }>();

  constructor(notes: readonly Note[] = []) {
    for (const note of notes) this.add(note);
  }

  add(
    note: Omit<Note, "rows" | "key"> & { key?: string; row?: number; rows?: readonly number[] },
  ): void {
    const { row, rows = row === undefined ? [] : [row], ...own } = note;
    const key = `${own.heading} ${own.what}`;
    const known = remembered(this.#notes, key, () => {
      return { note: { key, ...own }, rows: new Set<number>() };
    });
    for (const each of rows) known.rows.add(each);
  }

  get all(): Note[] {
    return [...this.#notes.values()].map(({ note, rows }) => ({
      ...note,
      rows: [...rows].sort((a, b) => a - b),
    }));
  }
}
