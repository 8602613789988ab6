import type { TimeZone } from "../base/dates.ts";
import type { Line } from "../base/lines.ts";
import type { Practice } from "./practice.ts";
import { EMPTY_CELLS, type ReadRow, type SheetReader } from "./reader.ts";
import type { Resolving } from "./resolving.ts";

/** Records from the rows of a sheet, of whatever type. */

export interface Making {
  practice: Practice;
  resolving: Resolving;
  /** Guardians of all sheets: one for all rows with the same email, else the same name and phone. */
  guardians: Map<string, string>;
  /** The value of a field for all rows. */
  constant(reader: SheetReader, field: string): string;
  zone: TimeZone;
}

/** A record from the rows of a sheet with the same key. */
export class RecordOfRows {
  readonly fields: Record<string, unknown> = {};

  constructor(
    readonly reader: SheetReader,
    readonly rows: readonly ReadRow[],
    readonly stored: Line | undefined,
  ) {}

  get row(): ReadRow {
    return this.rows[0] as ReadRow;
  }

  /** What the rows say of a field: the first that says something. Others must say the same. */
  text(field: string): string {
    const filled = this.rows.filter((row) => row.get(field) !== "");
    const [first] = filled;
    const value = first?.get(field) ?? "";
    const other = filled.find((row) => row.get(field) !== value);
    if (other !== undefined)
      this.reader.mistake(
        other.number,
        field,
        `differs from row ${first?.number}, which is the same record`,
      );
    return value;
  }

  /** The row that says something of a field, else the first. */
  rowOf(field: string): ReadRow {
    this.text(field);
    return this.rows.find((row) => row.get(field) !== "") ?? this.row;
  }

  /**
   * Sets a field of which the sheet has a column: an empty cell leaves what is stored, unless it is to be emptied.
   *
   * @param column the field of the sheet; undefined if it has none.
   */
  set(field: string, column: string, value: unknown): void {
    if (!this.reader.has(column)) return;
    if (value !== undefined && value !== "") this.fields[field] = value;
    else if (this.rows.every((row) => row.get(column) === "")) this.setEmpty(field);
  }

  /** An empty cell of a field that the stored record has. */
  setEmpty(field: string): void {
    const before = this.stored?.[field];
    if (before === undefined || before === null || before === "") return;
    if (Array.isArray(before) && before.length === 0) return;
    const isEmptied = this.reader.answer(EMPTY_CELLS) !== undefined;
    if (isEmptied) this.fields[field] = null;
    this.reader.notes.add({
      ...{ key: EMPTY_CELLS, heading: "", row: this.row.number },
      what: EMPTY_CELLS,
      options: EMPTYING,
    });
    this.reader.emptyCells += 1;
  }
}

const EMPTYING = [
  { value: "", name: "Leave what is stored" },
  { value: "otherwise", name: "Empty them" },
];

/** Rows by key, those without one alone. */
export function byKey(
  rows: readonly ReadRow[],
  keyOf: (row: ReadRow) => string | undefined,
): ReadRow[][] {
  const groups = Map.groupBy(rows, (row) => keyOf(row) ?? `row ${row.number}`);
  return [...groups.values()];
}

/** The value of a word; undefined if it means none, which is a mistake. */
export function requiredWord(reader: SheetReader, row: ReadRow, field: string): string | undefined {
  const value = reader.fixed(row, field);
  if (value === undefined)
    reader.mistake(
      row.number,
      field,
      `“${row.get(field)}” is none of the known words: choose what it means`,
    );
  return value;
}
