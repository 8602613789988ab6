import { withDecimalPoint } from "../../../../lib/cells/oddities.ts";
import {
  type Calendar,
  type Read,
  readDate,
  readTime,
  readTimeOn,
} from "../../../../lib/cells/times.ts";
import { remembered } from "../../../../lib/remembered.ts";
import type { CalendarDate, Instant } from "../base/dates.ts";
import { FIELDS } from "./fields.ts";
import type { Practice } from "./practice.ts";
import type { Fields, SheetReader, Word } from "./reader.ts";
import type { Sheet } from "./sheet.ts";
import { kindOf, LEFT_EMPTY, type Option, optionsOfKind, valueOfWord } from "./words.ts";

/** What may stand behind a number. */
const UNITS = /\s*(?:units?|hours?|hrs?|h)\.?$/i;
const MINUTES = /\s*min(?:ute)?s?\.?$/i;

/** The rows of a sheet. */
export function rowsOf(reader: SheetReader): ReadRow[] {
  return reader.rows.map(({ number, cells }) => new ReadRow(reader, number, cells));
}

/** A row of a sheet: what its cells mean, and what is said of it. What is wrong is a mistake, and undefined. */
export class ReadRow {
  readonly practice: Practice;
  readonly sheet: Sheet;

  constructor(
    readonly reader: SheetReader,
    readonly number: number,
    private readonly cells: ReadonlyMap<string, string>,
  ) {
    this.practice = reader.context.practice;
    this.sheet = reader.sheet;
  }

  /** A cell without what nobody sees; empty where the sheet has no such column. */
  get(field: string): string {
    return this.cells.get(field) ?? "";
  }

  /** Whether one of some cells has something. */
  says(...fields: string[]): boolean {
    return fields.some((field) => this.get(field) !== "");
  }

  /** The row with another cell. */
  with(field: string, cell: string): ReadRow {
    return new ReadRow(this.reader, this.number, new Map(this.cells).set(field, cell));
  }

  mistake(field: Fields, message: string): undefined {
    this.reader.mistake(this.number, field, message);
  }

  /** A mistake of what must be there. */
  missing(...fields: string[]): undefined {
    const isThere = this.reader.has(...fields);
    return this.mistake(fields, isThere ? "is empty" : "has no column: choose one");
  }

  /** @param from what the row has, as an example, and `to` what it becomes. */
  note(field: Fields, what: string, from?: string, to?: string): void {
    const example =
      from === undefined ? {} : { example: { from, ...(to !== undefined && { to }) } };
    this.reader.notes.add({
      ...{ heading: this.reader.headingOf(field), what, row: this.number },
      ...example,
    });
  }

  /** Undefined for an empty cell. */
  day(field: string): CalendarDate | undefined {
    const cell = this.get(field);
    if (cell === "") return undefined;
    const isBirth = FIELDS[this.sheet.type][field]?.meaning === "birth";
    return this.#read(field, (calendar) => readDate(cell, calendar, isBirth));
  }

  /** A time of day on a date, as an instant; or a day and time in one cell. */
  time(field: string, cell: string, date?: CalendarDate): Instant | undefined {
    return this.#read(field, (calendar) =>
      date === undefined ? readTime(cell, calendar) : readTimeOn(date, cell, calendar),
    ) as Instant | undefined;
  }

  #read<Value extends string>(
    field: string,
    read: (calendar: Calendar) => Read<Value>,
  ): Value | undefined {
    let shortYear: number | undefined;
    const found = read({ ...this.reader.calendar, onShortYear: (year) => (shortYear = year) });
    if ("message" in found) return this.mistake(field, found.message);
    if (shortYear !== undefined)
      this.note(field, "years of two digits", this.get(field), found.value);
    return found.value;
  }

  /** Whether a cell has a day with its time. */
  isMoment(cell: string): boolean {
    return "value" in readTime(cell, this.reader.calendar);
  }

  /** Undefined for an empty cell. */
  figure(field: string): number | undefined {
    const unit = field === "billingUnitMinutes" ? MINUTES : UNITS;
    const cell = this.get(field)
      .replace(/^\$\s*/, "")
      .replace(unit, "");
    if (cell === "") return undefined;
    const { isSeparatedBySemicolons } = this.sheet;
    if (isSeparatedBySemicolons && /^\d{1,3}\.\d{3}$/.test(cell))
      return this.mistake(field, "may have a point between thousands: write it without");
    // With more digits it would be no number that can be stored.
    if (/^-?\d{1,15}(?:\.\d+)?(?:E[+-]?\d{1,2})?$/i.test(cell)) return Number(cell);
    const isDecimal = isSeparatedBySemicolons && /^-?\d+,\d{3}$/.test(cell);
    if (!isDecimal && /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(cell))
      return Number(cell.replaceAll(",", ""));
    const decimal = isDecimal ? cell.replace(",", ".") : withDecimalPoint(cell);
    if (decimal === undefined) return this.mistake(field, "must be a number");
    this.note(field, "decimal comma", cell, decimal);
    return Number(decimal);
  }

  /**
   * What the word in a cell means; empty for a word that is to be left out.
   *
   * @param match its value by a guess.
   */
  meaning(
    field: string,
    match: () => string | undefined,
    options: () => readonly Option[],
  ): string | undefined {
    const word = this.get(field);
    const ofField = remembered(this.reader.words, field, () => new Map<string, Word>());
    const { rows, value } = remembered(ofField, word, () => {
      const chosen = this.sheet.words[field]?.[word] || match();
      return { word, rows: new Set<number>(), value: chosen, options: options() };
    });
    rows.add(this.number);
    return value === LEFT_EMPTY ? "" : value;
  }

  /** The value of a field whose values are fixed; empty without one, undefined for a word that means none. */
  word(field: string): string | undefined {
    const [word, kind] = [this.get(field), kindOf(field)];
    if (word === "") return "";
    const match = () => valueOfWord(kind, word);
    return this.meaning(field, match, () => optionsOfKind(kind));
  }

  /** Likewise; a word that means none is a mistake. */
  choice(field: string, otherwise = "is none of the known words: choose what it means") {
    return this.word(field) ?? this.mistake(field, `“${this.get(field)}” ${otherwise}`);
  }
}
