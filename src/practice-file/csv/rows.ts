import type { TObject, TSchema } from "@sinclair/typebox";
import type { CalendarDate } from "../../lib/calendar-date.ts";
import { remembered } from "../../lib/remembered.ts";
import type { TimeZone } from "../../lib/time-zone.ts";
import type { RecordType } from "../../schema/record-types.ts";
import { EnumField } from "../../schema/fields.ts";
import { isFormulaError } from "../../lib/cells/oddities.ts";
import { variantsOf } from "../model.ts";
import type { Path, Problem } from "../kinds/problem.ts";
import { type Fields, isFields } from "../read-record.ts";
import { type Variants, valuesOf } from "../kinds/record-kind.ts";
import {
  type Column,
  columnsOf,
  DELETED,
  formerColumns,
  OFFICE_TIMES,
  readCell,
  truthOf,
} from "./columns.ts";
import { OddCells, type RowPlace } from "./odd-cells.ts";
import type { Cell, Cells } from "./table.ts";
import { type Calendar, readDate, readTimeOn } from "../../lib/cells/times.ts";

/** The object of a row, and the errors of its cells. */
export interface RowInput {
  input: Fields;
  problems: Problem[];
}

const TIME_FIELDS = ["startTime", "endTime"] as const;

/** Converts rows of CSV to objects. */
export class RowReader {
  readonly #calendar: Calendar;
  readonly #shortYears: number[] = [];
  readonly #oddCells = new OddCells();
  /** By variant, or by all variants where it is unknown: the same for all rows, of which there may be many. */
  readonly #columns = new Map<TObject | Variants, Map<string, Column | "none">>();

  constructor(zone: TimeZone | undefined, today: CalendarDate) {
    this.#calendar = { zone, today, onShortYear: (year) => void this.#shortYears.push(year) };
  }

  /** Notes on how cells were understood, and on those that a spreadsheet has probably spoilt. */
  get notes(): string[] {
    return [...this.#yearNotes(), ...this.#oddCells.sentences()];
  }

  #yearNotes(): string[] {
    const { length } = this.#shortYears;
    if (length === 0) return [];
    const sorted = this.#shortYears.toSorted((one, other) => one - other);
    const years = [...new Set([sorted[0], sorted.at(-1)])].join(" to ");
    return [
      `${length.toLocaleString("en-US")} ${length === 1 ? "year has" : "years have"} two digits, read as ${years}`,
    ];
  }

  /**
   * The object of a record's row, or of one that deletes it.
   *
   * @param row its number, and its file if there are several.
   */
  recordOf(type: RecordType, cells: Cells, row: RowPlace): RowInput {
    const deleted = cells.get(DELETED) ?? "";
    if (truthOf(deleted) === true)
      return { input: { type, publicId: cells.get("publicId"), deleted: true }, problems: [] };
    const { input, problems } = this.entryOf(variantsOf(type), cells, row, { type });
    if (type === "session" && cells.has(OFFICE_TIMES.date))
      this.#readOfficeTimes(cells, { input, problems });
    if (deleted !== "" && truthOf(deleted) === undefined)
      problems.push({ path: [DELETED], message: "must be yes or no", value: deleted });
    return { input, problems };
  }

  /**
   * The object of a row. Empty cells are null; columns that are no fields are skipped.
   *
   * @param input with the fields that are no cells.
   */
  entryOf(form: Variants, cells: Cells, row: RowPlace, input: Fields = {}): RowInput {
    const variant = this.#variantOf(form, cells);
    const columns = remembered(this.#columns, variant ?? form, () => new Map());
    const problems: Problem[] = [];
    const objects = new Set<string>();
    for (const [name, cell] of cells) {
      const column = remembered(columns, name, () => meantColumn(form, variant, name));
      if (column === "none") continue;
      const { path, schema, isRequired } = column;
      if (path.length > 1) objects.add(path[0] as string);
      if (isNothing(cell, schema, isRequired)) {
        put(input, path, null);
        continue;
      }
      if (isFormulaError(cell)) {
        put(input, path, cell);
        problems.push({ path, message: "is an error of a formula", value: cell });
        continue;
      }
      this.#oddCells.note(column, cell, cells, row);
      const read = readCell(cell, column, this.#calendar);
      put(input, path, "value" in read ? read.value : cell);
      if ("message" in read) problems.push({ path, message: read.message, value: cell });
    }
    for (const name of objects)
      if (isEmptyObject(input[name]) && variant?.required?.includes(name) !== true)
        input[name] = null;
    return { input, problems };
  }

  /** The variant whose word is in the row's discriminating cell; undefined if there is none. */
  #variantOf({ variants, discriminator: name }: Variants, cells: Cells): TObject | undefined {
    if (name === undefined) return variants[0];
    const cell = cells.get(name) ?? "";
    return variants.find((variant) => {
      const schema = variant.properties[name] as TSchema;
      const read = readCell(cell, { path: [name], schema }, this.#calendar);
      return "value" in read && valuesOf(variant, name).includes(read.value);
    });
  }

  /** Joins the date of a session with its times. */
  #readOfficeTimes(cells: Cells, { input, problems }: RowInput): void {
    const dateColumn = OFFICE_TIMES.date;
    const date = cells.get(dateColumn) ?? "";
    const times = TIME_FIELDS.map((field) => ({
      field,
      time: cells.get(OFFICE_TIMES[field]) ?? "",
    }));
    if (date === "" && times.every(({ time }) => time === ""))
      return void Object.assign(input, { startTime: null, endTime: null });
    const day = readDate(date, this.#calendar, false);
    if ("message" in day) {
      problems.push({ path: ["startTime"], column: dateColumn, message: day.message, value: date });
      // Any end is valid: one mistake is enough.
      return void Object.assign(input, {
        startTime: date,
        endTime: `${this.#calendar.today}T00:00:00.000Z`,
      });
    }
    for (const { field, time } of times) {
      const read = readTimeOn(day.value, time, this.#calendar);
      input[field] = "value" in read ? read.value : time;
      if ("message" in read) problems.push({ path: [field], message: read.message, value: time });
    }
  }
}

/** The name of a field's column in a row with an office's times. */
export function officeColumn(path: Path): Path {
  const column = new Map<unknown, string>(Object.entries(OFFICE_TIMES)).get(path[0]);
  return column === undefined ? path : [column];
}

/** The column of a name in a variant, or in all of them if it is unknown. It is required if it is in each that is possible. */
function meantColumn(
  { variants }: Variants,
  variant: TObject | undefined,
  name: string,
): Column | "none" {
  const possible = variant === undefined ? variants : [variant];
  const column = columnIn(possible, name) ?? columnIn(variants, name) ?? formerColumns.get(name);
  const isRequired = possible.every((each) => columnsOf(each).get(name)?.isRequired === true);
  return column === undefined ? "none" : { ...column, isRequired };
}

/**
 * The column of a name in some variants. If it has another word in each of them, as `measurementType` has, then with all
 * of these: the variant may only be known when the stored record is.
 */
function columnIn(variants: readonly TObject[], name: string): Column | undefined {
  const columns = variants.flatMap((variant) => columnsOf(variant).get(name) ?? []);
  const [first] = columns;
  const words = columns.flatMap(({ schema }) =>
    typeof schema.const === "string" ? schema.const : [],
  );
  return first && words.length > 1 ? { ...first, schema: EnumField(words) } : first;
}

/** Whether a cell is null: an empty cell; or empty quotes, unless the field is a required text. */
function isNothing(cell: Cell, schema: TSchema, isNeeded: boolean): cell is null {
  if (cell === null) return true;
  return cell === "" && !(isNeeded && schema.type === "string" && schema.format === undefined);
}

function isEmptyObject(value: unknown): boolean {
  return isFields(value) && Object.values(value).every((inner) => inner === null);
}

function put(input: Fields, [name = "", ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) input[name] = value;
  else put((input[name] ??= {}) as Fields, inner, value);
}
