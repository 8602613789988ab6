import {
  hasInvisible,
  oddityOf,
  visibleText,
  withDecimalPoint,
} from "../../../../lib/cells/oddities.ts";
import {
  type Calendar,
  isDayFirst,
  type Read,
  readDate,
  readTime,
  readTimeOn,
} from "../../../../lib/cells/times.ts";
import type { CalendarDate, Instant, TimeZone } from "../base/dates.ts";
import { phoneValue } from "../base/format.ts";
import { type Field, FIELDS, OTHER_GUARDIAN } from "./fields.ts";
import { plain } from "./names.ts";
import { type Mistake, type Note, Notes } from "./notes.ts";
import { type Sheet, totalsOf } from "./sheet.ts";
import { FIXED, LEFT_EMPTY, type Option, optionsOfKind, valueOfWord } from "./words.ts";

/** Reads the cells of a sheet: what they mean, what is odd about them, and what is wrong. */

export interface ReadRow {
  number: number;
  /** A cell without what nobody sees; empty where the sheet has no such column. */
  get(field: string): string;
}

/** A word of a column, how often it occurs, and what it means. */
export interface Word {
  word: string;
  count: number;
  value: string | undefined;
  options: readonly Option[];
}

/** The note on empty cells of what is stored. */
export const EMPTY_CELLS = "empty cells";

/** What is chosen at a note for its other option. */
export const OTHERWISE = "otherwise";

const DAYS = new Set<Field["meaning"]>(["day", "birth"]);

export class SheetReader {
  readonly notes = new Notes();
  readonly mistakes: Mistake[] = [];
  readonly rows: ReadRow[];
  /** The words of columns that stand for values or records, by field. */
  readonly words = new Map<string, Map<string, Word>>();
  /** Fields without a column of which rows need a value for all rows. */
  readonly needed = new Set<string>();
  /** How many cells left what is stored. */
  emptyCells = 0;
  /** Those of which nothing is proposed. */
  readonly asked = new Set<string>();
  readonly #calendar: Calendar;

  constructor(
    readonly sheet: Sheet,
    context: { zone: TimeZone; today: CalendarDate },
  ) {
    const { grid, fields } = sheet;
    for (const { what, rows } of grid.left) if (rows.length > 0) this.#leaveOut(what, rows);
    const totals = totalsOf(sheet).map(({ number }) => number);
    if (totals.length > 0) this.#leaveOut("totals", totals);
    if (sheet.uncalculated?.length)
      this.notes.add({
        heading: "",
        what: "formula without a value: empty",
        rows: [...sheet.uncalculated],
      });
    if (sheet.unclosed !== undefined)
      this.mistake(sheet.unclosed, "", "A quotation mark is not closed");
    for (const [column, heading] of grid.headings.entries())
      if (
        sheet.type === "patients" &&
        fields[column] === undefined &&
        OTHER_GUARDIAN.test(plain(heading))
      )
        this.notes.add({ heading, what: "left out: a second guardian" });
    const columns = fields.flatMap((field, column) =>
      field === undefined ? [] : [{ field, column }],
    );
    const state = fields.indexOf("state");
    this.rows = grid.rows
      .filter(({ number }) => !totals.includes(number))
      .map(({ number, cells }) => {
        const read = new Map<string, string>();
        for (const { field, column } of columns) {
          const text = this.#cleaned(field, cells[column] ?? "", {
            number,
            column,
            state: cells[state],
          });
          if (!read.get(field)) read.set(field, text);
        }
        return { number, get: (field) => read.get(field) ?? "" };
      });
    this.#calendar = {
      ...{ ...context, isDayFirst: this.#isDayFirst() },
      onShortYear() {},
    };
  }

  #leaveOut(what: string, rows: number[]): void {
    const counted = what === "empty" ? `${what} ${rows.length === 1 ? "row" : "rows"}` : what;
    this.notes.add({ heading: "", what: `Left out: ${counted}`, rows });
  }

  has(...fields: string[]): boolean {
    return fields.some((field) => this.sheet.fields.includes(field));
  }

  /** The sheet's own heading of a field; of several that of the first that it has. */
  headingOf(...fields: string[]): string {
    const found = fields.find((field) => this.has(field));
    const column = this.sheet.fields.indexOf(found);
    if (found !== undefined && this.sheet.grid.headings[column])
      return this.sheet.grid.headings[column];
    const [field = ""] = fields;
    return FIELDS[this.sheet.type][field]?.label ?? field;
  }

  mistake(row: number, field: string | readonly string[], message: string): void {
    const fields = typeof field === "string" ? [field] : field;
    const column = fields[0] === "" ? "" : this.headingOf(...fields);
    this.mistakes.push({ row, column, message });
  }

  note(
    row: number,
    field: string | readonly string[],
    what: string,
    example?: { from: string; to?: string },
  ) {
    const heading = this.headingOf(...(typeof field === "string" ? [field] : field));
    this.notes.add({ heading, what, row, ...(example && { example }) });
  }

  /** All notes, of empty cells with their number. */
  get said(): Note[] {
    const count = this.emptyCells;
    const counted =
      count === 1 ? "1 empty cell was left as it is" : `${count} empty cells were left as they are`;
    return this.notes.all.map((note) =>
      note.what === EMPTY_CELLS ? { ...note, what: counted } : note,
    );
  }

  /** The chosen option of a note. */
  answer(key: string): string | undefined {
    return this.sheet.answers[key];
  }

  #cleaned(
    field: string,
    cell: string,
    at: { number: number; column: number; state: string | undefined },
  ): string {
    const meaning = FIELDS[this.sheet.type][field]?.meaning ?? "text";
    const about = { kind: meaning, state: at.state };
    const heading = this.sheet.grid.headings[at.column] ?? field;
    const text = visibleText(cell, about);
    if (hasInvisible(cell))
      this.notes.add({
        heading,
        what: "invisible characters",
        row: at.number,
        example: { from: text },
      });
    const odd = oddityOf(text, about);
    if (odd === undefined) return meaning === "phone" ? phoneValue(text) : text;
    const key = `${field} ${odd.note}`;
    const other = odd.otherwise;
    const isOther = other !== undefined && this.answer(key) === OTHERWISE;
    const value = isOther ? other.value : odd.value;
    const first =
      odd.value === "" ? "Leave it empty" : odd.value === text ? "Keep it as it is" : "Correct it";
    this.notes.add({
      ...{ key, heading, what: odd.note, row: at.number },
      example: value === text ? { from: text } : { from: text, to: value },
      ...(other && {
        options: [
          { value: "", name: first },
          { value: OTHERWISE, name: other.name },
        ],
      }),
    });
    return meaning === "phone" ? phoneValue(value) : value;
  }

  /** Days are day first where one of the sheet can be nothing else, and none can be the other way round. */
  #isDayFirst(): boolean {
    const { type, fields, grid } = this.sheet;
    const found = { first: [] as number[], column: 0, isMonthFirst: false };
    for (const [column, field] of fields.entries()) {
      const meaning = field === undefined ? undefined : FIELDS[type][field]?.meaning;
      if (meaning === undefined || !(DAYS.has(meaning) || meaning === "time")) continue;
      for (const { number, cells } of grid.rows) {
        const [day = ""] = (cells[column] ?? "").trim().split(/\s/);
        const isFirst = isDayFirst(day);
        if (isFirst === true) {
          if (found.first.length === 0) found.column = column;
          found.first.push(number);
        } else if (isFirst === false) found.isMonthFirst = true;
      }
    }
    if (found.first.length === 0 || found.isMonthFirst) return false;
    const heading = grid.headings[found.column] ?? "";
    this.notes.add({
      heading,
      what: "day first: all days of this sheet are read so",
      rows: found.first,
    });
    return true;
  }

  /** A day; undefined for an empty cell, and for one that is none, which is a mistake. */
  day(row: ReadRow, field: string): CalendarDate | undefined {
    const cell = row.get(field);
    if (cell === "") return undefined;
    const isBirth = FIELDS[this.sheet.type][field]?.meaning === "birth";
    return this.#read(row, field, (calendar) => readDate(cell, calendar, isBirth));
  }

  /** A time of day on a date, as an instant; or a day and time in one cell. */
  time(
    row: ReadRow,
    field: string,
    cell: string,
    date: CalendarDate | undefined,
  ): Instant | undefined {
    const read = (calendar: Calendar): Read =>
      date === undefined ? readTime(cell, calendar) : readTimeOn(date, cell, calendar);
    return this.#read(row, field, read) as Instant | undefined;
  }

  #read<Value extends string>(
    row: ReadRow,
    field: string,
    read: (calendar: Calendar) => Read<Value>,
  ): Value | undefined {
    let shortYear: number | undefined;
    const found = read({ ...this.#calendar, onShortYear: (year) => (shortYear = year) });
    if ("message" in found) {
      this.mistake(row.number, field, found.message);
      return undefined;
    }
    if (shortYear !== undefined)
      this.note(row.number, field, "years of two digits", {
        ...{ from: row.get(field), to: String(found.value) },
      });
    return found.value;
  }

  /** Whether a cell has a day with its time. */
  isMoment(cell: string): boolean {
    return "value" in readTime(cell, this.#calendar);
  }

  /** A number; undefined for an empty cell, and for one that is none, which is a mistake. */
  number(row: ReadRow, field: string): number | undefined {
    const cell = row
      .get(field)
      .replace(/^\$\s*/, "")
      .replace(/\s*(?:units?|hours?|hrs?|h)\.?$/i, "");
    if (cell === "") return undefined;
    if (this.sheet.isSeparatedBySemicolons && /^\d{1,3}\.\d{3}$/.test(cell)) {
      this.mistake(row.number, field, "may have a point between thousands: write it without");
      return undefined;
    }
    if (/^-?\d+(?:\.\d+)?(?:E[+-]?\d+)?$/i.test(cell)) return Number(cell);
    const isThousands = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(cell);
    const isDecimal = /^-?\d+,\d{3}$/.test(cell) && this.sheet.isSeparatedBySemicolons;
    if (isThousands && !isDecimal) return Number(cell.replaceAll(",", ""));
    const decimal = isDecimal ? cell.replace(",", ".") : withDecimalPoint(cell);
    if (decimal === undefined) {
      this.mistake(row.number, field, "must be a number");
      return undefined;
    }
    this.note(row.number, field, "decimal comma", { from: cell, to: decimal });
    return Number(decimal);
  }

  /**
   * What a word of a column means.
   *
   * @param match its value by a guess.
   */
  word(
    field: string,
    word: string,
    match: (word: string) => string | undefined,
    options: () => readonly Option[],
  ): string | undefined {
    const ofField = this.words.get(field) ?? new Map<string, Word>();
    this.words.set(field, ofField);
    const known = ofField.get(word);
    if (known !== undefined) {
      known.count += 1;
      return known.value === LEFT_EMPTY ? "" : known.value;
    }
    const value = this.sheet.words[field]?.[word] || match(word);
    ofField.set(word, { word, count: 1, value, options: options() });
    return value === LEFT_EMPTY ? "" : value;
  }

  /** The value of a field whose values are fixed; empty without one, undefined for a word that means none. */
  fixed(row: ReadRow, field: string): string | undefined {
    const cell = row.get(field);
    const kind = FIXED[field];
    if (cell === "" || kind === undefined) return cell;
    const match = (word: string) => valueOfWord(String(kind), word);
    return this.word(field, cell, match, () => optionsOfKind(String(kind)));
  }

  /** The place that a cell names; undefined for one that names none, which is a mistake. */
  placeOf(row: ReadRow, field: string): string | undefined {
    const cell = row.get(field);
    const match = (word: string) => valueOfWord("place", word);
    const place = this.word(field, cell, match, () => optionsOfKind("place"));
    if (place === undefined)
      this.mistake(row.number, field, `“${cell}” is no place that is known: choose what it is`);
    return place || undefined;
  }
}
