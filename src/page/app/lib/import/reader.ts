import {
  type CellMeaning,
  hasInvisible,
  oddityOf,
  visibleText,
} from "../../../../lib/cells/oddities.ts";
import { type Calendar, isDayFirst, withoutWeekDay } from "../../../../lib/cells/times.ts";
import type { CalendarDate, Instant, TimeZone } from "../base/dates.ts";
import { countText, phoneValue } from "../base/format.ts";
import { labelOf } from "../base/labels.ts";
import { FIELDS, guardianOf, type Meaning } from "./fields.ts";
import { isFilled } from "./grid.ts";
import { type Note, Notes } from "./notes.ts";
import type { Practice } from "./practice.ts";
import { type Sheet, totalsOf } from "./sheet.ts";
import type { Row } from "./text-file.ts";
import type { Option } from "./words.ts";

/** Reads a sheet: its rows without what is odd about their cells, and what is said of them. */

/** What an import is made in. */
export interface Context {
  practice: Practice;
  /** Guardians of all sheets: one for all rows with the same email, else the same name and phone. */
  guardians: Map<string, string>;
  zone: TimeZone;
  today: CalendarDate;
  now: Instant;
}

/** A word of a column, the rows that have it, and what it means. */
export interface Word {
  word: string;
  rows: Set<number>;
  value: string | undefined;
  options: readonly Option[];
}

/** The note on empty cells of what is stored. */
export const EMPTY_CELLS = "empty cells";

/** What is chosen at a note for its other option. */
const OTHERWISE = "otherwise";

/** A field, or those of which the first that the sheet has is meant. */
export type Fields = string | readonly string[];

/** What the cells of records are. */
const KINDS: Partial<Record<Meaning, CellMeaning["kind"]>> = {
  ...{ truth: "word", locations: "word", payor: "word" },
  ...{ person: "name", people: "name" },
};

/** Those whose names may have two columns. */
const IN_PARTS = ["client", "provider", "insurance.holder", "insurance2.holder"];

export class SheetReader {
  readonly notes = new Notes();
  readonly mistakes = new Notes();
  /** Its rows, with their cells by field. */
  readonly rows: { number: number; cells: ReadonlyMap<string, string> }[];
  /** The words of columns that stand for values or records, by field. */
  readonly words = new Map<string, Map<string, Word>>();
  /** Fields without a column of which rows need a value for all rows. */
  readonly needed = new Set<string>();
  /** Those of which nothing is proposed. */
  readonly asked = new Set<string>();
  /** What is proposed for all rows, by field, from the first row on that needs it. */
  readonly proposals = new Map<string, string>();
  /** How many cells are empty of which something is stored. */
  emptyCells = 0;
  readonly calendar: Calendar;

  constructor(
    readonly sheet: Sheet,
    readonly context: Context,
  ) {
    const { grid, fields, type, uncalculated = [], unclosed } = sheet;
    for (const { what, rows } of grid.left) this.#leaveOut(what, rows);
    const totals = totalsOf(sheet).map(({ number }) => number);
    this.#leaveOut("totals", totals);
    const isNameless = (cell: string, column: number): boolean =>
      isFilled(cell) && !grid.headings[column] && !fields[column];
    const beyond = grid.rows.filter(({ cells }) => cells.some(isNameless));
    this.#leaveOut(
      "cells without a heading",
      beyond.map(({ number }) => number),
    );
    this.#sayOfRows("formula without a value: empty", uncalculated);
    if (unclosed !== undefined) this.mistake(unclosed, "", "A quotation mark is not closed");
    const guardians = type === "patients" ? grid.headings.map(guardianOf) : [];
    const own = guardians.filter((_, column) => fields[column]?.startsWith("guardian."));
    for (const [column, heading] of grid.headings.entries()) {
      const isSecond = own.length > 0 && ![undefined, ...own].includes(guardians[column]);
      if (isSecond && !fields[column])
        this.notes.add({ heading, what: "left out: a second guardian" });
    }
    this.rows = grid.rows
      .filter(({ number }) => !totals.includes(number))
      .map((row) => {
        const read = new Map<string, string>();
        for (const [column, field] of fields.entries()) {
          if (field === undefined) continue;
          const text = this.#cleaned(field, column, row);
          // Of several columns, such as phones, the first with something in the row counts.
          const first = read.get(field);
          if (!first) read.set(field, text);
          else if (text !== "" && text !== first)
            this.notes.add({
              ...{ heading: grid.headings[column] ?? "", row: row.number },
              ...{ what: "left out: the row has another one", example: { from: text } },
            });
        }
        for (const person of IN_PARTS) {
          const parts = [read.get(`${person}First`), read.get(`${person}Last`)].filter(Boolean);
          if (!read.get(person) && parts.length > 0) read.set(person, parts.join(" "));
        }
        return { number: row.number, cells: read };
      });
    this.calendar = { ...context, isDayFirst: this.#isDayFirst(), onShortYear() {} };
  }

  #sayOfRows(what: string, rows: readonly number[]): void {
    if (rows.length > 0) this.notes.add({ heading: "", what, rows });
  }

  #leaveOut(what: string, rows: readonly number[]): void {
    const noun = rows.length === 1 ? " row" : " rows";
    this.#sayOfRows(`Left out: ${what}${what === "empty" ? noun : ""}`, rows);
  }

  has(...fields: string[]): boolean {
    const { fields: own } = this.sheet;
    return fields.some((field) => own.includes(field) || own.includes(`${field}Last`));
  }

  /** The sheet's own heading of a field. */
  headingOf(field: Fields): string {
    const fields = [field].flat();
    const found = fields.find((each) => this.has(each));
    const heading = this.sheet.grid.headings[this.sheet.fields.indexOf(found)];
    const [first = ""] = fields;
    return (found && heading) || (FIELDS[this.sheet.type][first]?.label ?? labelOf(first));
  }

  mistake(row: number, field: Fields, what: string): void {
    const heading = field === "" ? "" : this.headingOf(field);
    this.mistakes.add({ heading, what, row });
  }

  /** All notes, of empty cells with their number. */
  get said(): Note[] {
    const [ofOne, ofSeveral] =
      this.sheet.answers[EMPTY_CELLS] === undefined
        ? ["was left as it is", "were left as they are"]
        : ["empties what is stored", "empty what is stored"];
    const count = this.emptyCells;
    const counted = `${countText(count, "empty cell")} ${count === 1 ? ofOne : ofSeveral}`;
    return this.notes.all.map((note) =>
      note.what === EMPTY_CELLS ? { ...note, what: counted } : note,
    );
  }

  /** The text of a cell without what is odd about it, which is noted. */
  #cleaned(field: string, column: number, { number: row, cells }: Row): string {
    const { grid, type, fields } = this.sheet;
    const { meaning = "text" } = FIELDS[type][field] ?? {};
    const kind = KINDS[meaning] ?? (meaning as CellMeaning["kind"]);
    const about = { kind, state: cells[fields.indexOf("state")] };
    const [cell = "", heading = ""] = [cells[column], grid.headings[column]];
    const text = visibleText(cell, about);
    if (hasInvisible(cell))
      this.notes.add({ heading, what: "invisible characters", row, example: { from: text } });
    const odd = oddityOf(text, about);
    const key = `${field} ${odd?.note}`;
    const other = this.sheet.answers[key] === OTHERWISE ? odd?.otherwise : undefined;
    const { value } = other ?? odd ?? { value: text };
    if (odd !== undefined) {
      const { otherwise, note } = odd;
      const changed = odd.value === "" ? "Leave it empty" : "Correct it";
      const usual = odd.value === text ? "Keep it as it is" : changed;
      this.notes.add({
        ...{ key, heading, what: note, row },
        example: value === text ? { from: text } : { from: text, to: value },
        ...(otherwise && { options: choiceOf(usual, otherwise.name) }),
      });
    }
    return meaning === "phone" ? phoneValue(value) : value;
  }

  /** Days are day first where one of the sheet can be nothing else, and none can be the other way round. */
  #isDayFirst(): boolean {
    const { type, fields, grid } = this.sheet;
    const days = fields.flatMap((field = "", column) => {
      if (!DATED.has(FIELDS[type][field]?.meaning)) return [];
      const heading = grid.headings[column] ?? "";
      return grid.rows.map(({ number, cells }) => {
        const [day = ""] = withoutWeekDay((cells[column] ?? "").trim()).split(/\s/);
        const isSaid = /^\d{1,2}[/.-]\d/.test(day) && SAYS_DAY_FIRST.test(heading);
        return { number, heading, isFirst: isDayFirst(day) ?? (isSaid || undefined) };
      });
    });
    const first = days.filter(({ isFirst }) => isFirst === true);
    if (first[0] === undefined || days.some(({ isFirst }) => isFirst === false)) return false;
    this.notes.add({
      heading: first[0].heading,
      what: "day first: all days of this sheet are read so",
      rows: first.map(({ number }) => number),
    });
    return true;
  }
}

/** `DOB (DD/MM/YYYY)` */
const SAYS_DAY_FIRST = /\bdd?[/.-]mm?\b/i;

const DATED = new Set<Meaning | undefined>(["day", "birth", "time"]);

/** The choice of a note: as it is proposed, or otherwise. */
export function choiceOf(usual: string, otherwise: string): Option[] {
  return [
    { value: "", name: usual },
    { value: OTHERWISE, name: otherwise },
  ];
}
