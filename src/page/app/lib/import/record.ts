import type { Line } from "../base/lines.ts";
import { FIELDS, type Meaning } from "./fields.ts";
import { PROVIDERS } from "./practice.ts";
import { choiceOf, EMPTY_CELLS, type SheetReader } from "./reader.ts";
import { personIn, recordIn } from "./resolving.ts";
import type { ReadRow } from "./row.ts";

/** Records from the rows of a sheet, of whatever type. */

/** How the cells of fields are read whose records have something else than their text. Empty for empty ones. */
const READERS: Partial<Record<Meaning, (row: ReadRow, field: string) => unknown>> = {
  day: (row, field) => row.day(field),
  birth: (row, field) => row.day(field),
  number: (row, field) => row.figure(field),
  word: keptWord,
  truth: (row, field) => {
    const value = row.choice(field);
    return value && value === "true";
  },
  payor: (row, field) => recordIn(row, field, "payor"),
  locations: (row, field) => {
    const text = row.get(field);
    const isKnown = (name: string): boolean => row.practice.named("location", name) !== undefined;
    const parts = text.split(/\s*[;,\n]\s*/);
    // A comma may be in the name of one.
    const names = !isKnown(text) && parts.every(isKnown) ? parts : text.split(/\s*[;\n]\s*/);
    const ids = names.flatMap((name) => recordIn(row.with(field, name), field, "location") ?? []);
    return ids.length > 0 ? ids : undefined;
  },
  person: (row, field) => personIn(row, field, PROVIDERS)?.publicId,
  people: (row, field) => {
    const names = row.get(field).split(/[;\n]|\s&\s/);
    const people = names.flatMap(
      (name) => personIn(row.with(field, name.trim()), field, PROVIDERS) ?? [],
    );
    return people.length > 0 ? people.map(({ publicId }) => publicId) : undefined;
  },
};

/** The value of a word; as it is if it means none that is known. */
function keptWord(row: ReadRow, field: string): string {
  const value = row.word(field);
  if (value === undefined)
    row.note(field, "is none of the known words, kept as it is", row.get(field));
  return value ?? row.get(field);
}

/** A record from the rows of a sheet with the same key. */
export class RecordOfRows {
  readonly fields: Record<string, unknown> = {};
  readonly reader: SheetReader;
  /** The first of its rows. */
  readonly row: ReadRow;

  constructor(
    readonly id: string,
    readonly rows: readonly [ReadRow, ...ReadRow[]],
    readonly stored: Line | undefined,
  ) {
    [this.row] = rows;
    this.reader = this.row.reader;
  }

  /** The row that says something of a field, else the first. Others must say the same. */
  rowOf(field: string): ReadRow {
    const filled = this.rows.filter((row) => row.says(field));
    const [first = this.row] = filled;
    const other = filled.find((row) => row.get(field) !== first.get(field));
    other?.mistake(field, `differs from row ${first.number}, which is the same record`);
    return first;
  }

  /**
   * Sets a field of which the sheet has a column: an empty cell leaves what is stored, unless it is to be emptied.
   *
   * @param column the field of the sheet.
   */
  set(field: string, value: unknown, column = field): void {
    if (!this.reader.has(column)) return;
    if (value !== undefined && value !== "") this.fields[field] = value;
    else if (!this.rows.some((row) => row.says(column))) this.#setEmpty(field);
  }

  /** An empty cell of a field that the stored record has. */
  #setEmpty(field: string): void {
    const before = this.stored?.[field] ?? "";
    if (before === "" || (Array.isArray(before) && before.length === 0)) return;
    const { notes, sheet } = this.reader;
    if (sheet.answers[EMPTY_CELLS] !== undefined) this.fields[field] = null;
    notes.add({
      ...{ key: EMPTY_CELLS, heading: "", row: this.row.number, what: EMPTY_CELLS },
      options: choiceOf("Leave what is stored", "Empty them"),
    });
    this.reader.emptyCells += 1;
  }

  /** Sets the fields that stand in the record as they are read. */
  setOwn(): void {
    for (const [field, { isOwn, meaning }] of Object.entries(FIELDS[this.reader.sheet.type])) {
      if (!isOwn || !this.reader.has(field)) continue;
      const read = READERS[meaning] ?? ((row: ReadRow) => row.get(field));
      this.set(field, read(this.rowOf(field), field));
    }
  }

  /** Mistakes for what a new record must have, each in one of some columns, and its rows do not. */
  require(...fields: readonly (readonly string[])[]): void {
    const missing = fields.filter((ways) => !this.rows.some((row) => row.says(...ways)));
    if (this.stored === undefined) for (const ways of missing) this.row.missing(...ways);
  }
}

/**
 * Makes records of a type of rows. Rows of one key are one record.
 *
 * @param keyOf undefined for a row that is a record by itself.
 * @param storedFor the stored record of a row that has no id.
 * @param fill false for a record that cannot be made.
 */
export function makeRecords(
  type: string,
  rows: readonly ReadRow[],
  about: {
    idOf?: (row: ReadRow) => string | undefined;
    keyOf: (row: ReadRow) => string | undefined;
    storedFor: (row: ReadRow) => Line | undefined;
  },
  fill: (record: RecordOfRows) => void | false,
): void {
  const { keyOf, storedFor } = about;
  const { idOf = (row: ReadRow) => row.practice.idGiven(type, row.get("publicId")) } = about;
  const keyed = Map.groupBy(rows, (row) => {
    // Of a row with an id, too: what is wrong in it is said.
    const key = keyOf(row) ?? `${row.reader.sheet.name} ${row.number}`;
    return idOf(row) ?? key;
  });
  for (const [key, of] of keyed) {
    const [row] = of as [ReadRow];
    const { practice } = row;
    const given = idOf(row);
    const stored = given === undefined ? storedFor(row) : practice.storedOf(type, given);
    const id = given ?? stored?.publicId ?? practice.ids.idOf(type, key);
    const record = new RecordOfRows(id, of as [ReadRow], stored);
    if (fill(record) === false) continue;
    for (const each of record.rows) practice.write({ type, publicId: id, ...record.fields }, each);
  }
}
