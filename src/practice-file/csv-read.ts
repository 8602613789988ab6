import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { TObject, TSchema } from "@sinclair/typebox";
import { CommandError } from "../lib/command-error.ts";
import { parseTimeZone, type TimeZone, UTC } from "../lib/time-zone.ts";
import { type RecordType, recordTypes } from "../schema/record-types.ts";
import {
  columnsOf,
  csvFiles,
  DELETED,
  fileOfList,
  fileOfType,
  OWNER,
  readCell,
  truthOf,
  type UserList,
  userListNames,
  userLists,
} from "./csv-columns.ts";
import { type Cell, type Cells, readTable, type Row } from "./csv-table.ts";
import type { Line } from "./lines.ts";
import { variantsOf } from "./model.ts";
import type { Path, Placed, Problem } from "./mistakes.ts";
import type { Fields } from "./read-record.ts";
import { type Variants, valuesOf } from "./record-kind.ts";

/** The origin of a line of the import. */
interface Origin {
  file: string;
  row: number;
  /** The row numbers of entries, by list of the user. */
  entries?: Partial<Record<string, number[]>>;
}

/** The object of a row, and the errors of its cells. */
interface RowInput {
  input: Fields;
  problems: Problem[];
}

type Entry = RowInput & { row: number };

/** The entries of a list, by user id. */
type Entries = Map<string, Entry[]>;

/** The name of a workbook, which must be saved as CSV. */
export const WORKBOOK = /\.(xlsx|xlsm|xls|ods|numbers)$/i;

/** The file of the folder that another one, such as `session.csv.txt`, probably was to be. */
function meantFile(name: string): string | undefined {
  const stems = [...csvFiles.keys()].map((file) => file.slice(0, -"csv".length));
  const stem = stems.findLast((each) => `${name}.`.toLowerCase().startsWith(each.toLowerCase()));
  return stem && `${stem}csv`;
}

/** Finds the time zone of an existing organization. */
type FindZone = (organizationId: string) => Promise<TimeZone | undefined>;

/**
 * Reads a folder with one CSV file per type of record. Each row is passed on as a line of the import.
 *
 * @throws CommandError if there is no organization file, or a file with an unknown name; while reading lines, if a file
 * is not valid CSV.
 */
export class CsvFolder {
  readonly #files: ReadonlySet<string>;
  readonly #origins: Origin[] = [];

  constructor(readonly path: string) {
    const names = readdirSync(path);
    const files = names.filter((name) => /\.csv$/i.test(name));
    const workbook = names.find((name) => WORKBOOK.test(name));
    for (const file of files)
      if (!csvFiles.has(file))
        throw new CommandError(
          `${join(path, file)} is of no record type; the files are ${[...csvFiles.keys()].join(", ")}.`,
        );
    for (const name of names) {
      const file = meantFile(name);
      if (file !== undefined && !files.includes(file))
        throw new CommandError(
          WORKBOOK.test(name)
            ? `${join(path, name)} is a workbook. Save its sheet as "CSV UTF-8" under the name ${file}.`
            : `${join(path, name)} is not a CSV file. Save it as "CSV UTF-8" under the name ${file}, or remove it.`,
        );
    }
    if (!files.includes(fileOfType("organization")))
      throw new CommandError(
        workbook === undefined
          ? `${path} has no ${fileOfType("organization")}; every practice has one.`
          : `${path} has a workbook, ${workbook}, and no ${fileOfType("organization")}; save each sheet as "CSV UTF-8" under the name of its type, such as session.csv.`,
      );
    this.#files = new Set(files);
  }

  /** The rows of all files, the organization's first. */
  async *lines(findZone: FindZone): AsyncGenerator<Line> {
    const zone = await this.#zone(findZone);
    const entries = new Map<UserList, Entries>();
    for (const list of userListNames)
      if (this.#files.has(fileOfList(list))) entries.set(list, await this.#readEntries(list, zone));
    for (const type of recordTypes) {
      for await (const row of this.#rows(fileOfType(type)))
        yield this.#lineOf(type, row, { entries, zone });
      if (type === "organization" && this.#origins.length === 0)
        throw new CommandError(`${join(this.path, fileOfType(type))} has no row.`);
    }
    yield* this.#entriesOfNobody(entries);
  }

  /** Locates a mistake; for an entry of a list, in the list's file. */
  readonly place = (line: number, path: Path = []): Placed => {
    const { file, row, entries } = this.#origins[line - 1] as Origin;
    const [list = "", index, ...rest] = path;
    const entryRow = entries?.[list]?.[Number(index ?? 0)];
    if (entryRow === undefined) return { at: `${join(this.path, file)}:${row}`, path };
    const at = `${join(this.path, fileOfList(list as UserList))}:${entryRow}`;
    return { at, path: index === undefined ? path : rest };
  };

  /** The practice's time zone: that of its row; if the file has no such column, the stored one. */
  async #zone(findZone: FindZone): Promise<TimeZone | undefined> {
    for await (const row of this.#rows(fileOfType("organization"))) {
      if ("problem" in row) return undefined;
      const { cells } = row;
      const cell = cells.get("timezone");
      if (cell === undefined) return findZone(cells.get("publicId") ?? "");
      // An invalid zone is a mistake itself, so that local times need not be.
      return cell ? (parseTimeZone(cell) ?? UTC) : undefined;
    }
    return undefined;
  }

  #lineOf(
    type: RecordType,
    row: Row,
    { entries, zone }: { entries: Map<UserList, Entries>; zone: TimeZone | undefined },
  ): Line {
    const origin: Origin = { file: fileOfType(type), row: row.number };
    const number = this.#origins.push(origin);
    if ("problem" in row) return { number, problem: row.problem };
    const { cells } = row;
    const deleted = cells.get(DELETED) ?? "";
    if (truthOf(deleted) === true) {
      const input = { type, publicId: cells.get("publicId"), deleted: true };
      if (type === "user")
        for (const ofList of entries.values()) ofList.delete(String(input.publicId));
      return { number, input, problems: [] };
    }
    const { input, problems } = inputOf(cells, variantsOf(type), zone);
    if (deleted !== "" && truthOf(deleted) === undefined)
      problems.push({ path: [DELETED], message: "must be yes or no", value: deleted });
    if (type === "user") origin.entries = attach({ input, problems }, entries);
    return { number, input: { type, ...input }, problems };
  }

  async #readEntries(list: UserList, zone: TimeZone | undefined): Promise<Entries> {
    const file = fileOfList(list);
    const entries: Entries = new Map();
    for await (const row of this.#rows(file)) {
      if ("problem" in row)
        throw new CommandError(`${join(this.path, file)}:${row.number}: ${row.problem}.`);
      // The column of the owner is no field of an entry, and is skipped.
      const read = inputOf(row.cells, { variants: [userLists[list]] }, zone);
      const owner = row.cells.get(OWNER) ?? "";
      const entry = { row: row.number, ...read };
      const known = entries.get(owner);
      if (known === undefined) entries.set(owner, [entry]);
      else known.push(entry);
    }
    return entries;
  }

  *#entriesOfNobody(entries: Map<UserList, Entries>): Generator<Line> {
    for (const [list, ofList] of entries)
      for (const { row } of [...ofList.values()].flat())
        yield {
          number: this.#origins.push({ file: fileOfList(list), row }),
          problem: `${OWNER}: is no user of ${fileOfType("user")}`,
        };
  }

  async *#rows(file: string): AsyncGenerator<Row> {
    if (this.#files.has(file)) yield* readTable(join(this.path, file), csvFiles.get(file) ?? []);
  }
}

/**
 * Moves a user's entries into the record, and returns their row numbers. If a list has a file, users without rows in it
 * get an empty list.
 */
function attach(user: RowInput, entries: Map<UserList, Entries>): Record<string, number[]> {
  const rows: Record<string, number[]> = {};
  const id = String(user.input.publicId);
  for (const [list, ofList] of entries) {
    const own = ofList.get(id) ?? [];
    ofList.delete(id);
    user.input[list] = own.length === 0 ? null : own.map(({ input }) => input);
    rows[list] = own.map(({ row }) => row);
    for (const [index, { problems }] of own.entries())
      for (const problem of problems)
        user.problems.push({ ...problem, path: [list, index, ...problem.path] });
  }
  return rows;
}

/** The variant whose word is in the row's discriminating cell; undefined if there is none. */
function variantOfRow(
  { variants, discriminator: name }: Variants,
  cells: Cells,
): TObject | undefined {
  if (name === undefined) return variants[0];
  const cell = cells.get(name) ?? "";
  return variants.find((variant) => {
    const read = readCell(cell, variant.properties[name] as TSchema, undefined);
    return "value" in read && valuesOf(variant, name).includes(read.value);
  });
}

/** Converts a row to an object. Empty cells are null. */
function inputOf(cells: Cells, form: Variants, zone: TimeZone | undefined): RowInput {
  const variant = variantOfRow(form, cells);
  const input: Fields = {};
  const problems: Problem[] = [];
  for (const [name, cell] of cells) {
    const own = variant && columnsOf(variant).get(name);
    const column = own ?? form.variants.flatMap((each) => columnsOf(each).get(name) ?? [])[0];
    if (column === undefined) continue;
    const { path, schema } = column;
    const possible = variant === undefined ? form.variants : [variant];
    const isRequired = possible.every((each) => columnsOf(each).get(name)?.isRequired === true);
    if (isNothing(cell, schema, isRequired)) {
      put(input, path, null);
      continue;
    }
    const read = readCell(cell, schema, zone);
    put(input, path, "value" in read ? read.value : cell);
    if ("message" in read) problems.push({ path, message: read.message, value: cell });
  }
  for (const [name, value] of Object.entries(input))
    if (isEmptyObject(value) && variant?.required?.includes(name) !== true) input[name] = null;
  return { input, problems };
}

/** Whether a cell is null: an empty cell; or empty quotes, unless the field is a required text. */
function isNothing(cell: Cell, schema: TSchema, isNeeded: boolean): cell is null {
  if (cell === null) return true;
  return cell === "" && !(isNeeded && schema.type === "string" && schema.format === undefined);
}

function isEmptyObject(value: unknown): boolean {
  const isFields = typeof value === "object" && value !== null && !Array.isArray(value);
  return isFields && Object.values(value).every((inner) => inner === null);
}

function put(input: Fields, [name = "", ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) input[name] = value;
  else put((input[name] ??= {}) as Fields, inner, value);
}
