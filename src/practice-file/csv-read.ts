import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { Type, type TObject, type TSchema } from "@sinclair/typebox";
import { CsvError, parse } from "csv-parse";
import { Refused } from "../lib/refused.ts";
import {
  columnsOfList,
  columnsOfType,
  csvFiles,
  fileOfList,
  fileOfType,
  isNullable,
  isObject,
  isRequired,
  OWNER,
  type UserList,
  userListNames,
  userLists,
  valueOf,
} from "./csv-columns.ts";
import { type Line, MAX_LINE_BYTES } from "./lines.ts";
import { kindOfRecord, recordKinds, type RecordType, recordTypes } from "./model.ts";
import type { Path, Placed } from "./problems.ts";

type Input = Record<string, unknown>;

/** A cell as the parser gives it: null where there is nothing, not even quotes. */
type Cell = string | null;

/** A row by the number that a spreadsheet gives it: its cells by column, or why it has none. */
type Row = { number: number } & ({ cells: Map<string, Cell> } | { problem: string });

/** Where a line of the import stands. */
interface Origin {
  file: string;
  row: number;
  /** The rows of the entries of a user's lists. */
  entries?: Partial<Record<string, number[]>>;
}

interface Entry {
  row: number;
  input: Input;
}

/** The entries of a user's list by the user's id. */
type Entries = Map<string, Entry[]>;

/**
 * A folder with a CSV file for each type of record, as lines for the import: each row is the record that a line of a
 * practice file would be.
 *
 * @throws Refused where there is no organization, or a CSV file of which nothing is known; when its lines are read, where
 * a file cannot be read as a table.
 */
export class CsvFolder {
  readonly #files: ReadonlySet<string>;
  readonly #origins: Origin[] = [];

  constructor(readonly path: string) {
    const files = readdirSync(path).filter((name) => /\.csv$/i.test(name));
    for (const file of files)
      if (!csvFiles.includes(file))
        throw new Refused(
          `${join(path, file)} is of no record type; the files are ${csvFiles.join(", ")}.`,
        );
    if (!files.includes(fileOfType("organization")))
      throw new Refused(`${path} has no ${fileOfType("organization")}; every practice has one.`);
    this.#files = new Set(files);
  }

  /** The rows of all files, those of a type after those of the types that they may name. */
  async *lines(): AsyncGenerator<Line> {
    const entries = new Map<UserList, Entries>();
    for (const list of userListNames) entries.set(list, await this.#readEntries(list));
    for (const type of recordTypes) {
      for await (const row of this.#rows(fileOfType(type), columnsOfType(type)))
        yield this.#lineOf(type, row, entries);
      if (type === "organization" && this.#origins.length === 0)
        throw new Refused(`${join(this.path, fileOfType(type))} has no row.`);
      if (type === "user") yield* this.#entriesOfNobody(entries);
    }
  }

  /** Where a mistake is: of an entry of a user's list, in the file of the list. */
  readonly place = (line: number, path: Path = []): Placed => {
    const { file, row, entries } = this.#origins[line - 1] as Origin;
    const [list = "", index, ...rest] = path;
    const entryRow = entries?.[list]?.[Number(index)];
    return entryRow === undefined
      ? { at: `${join(this.path, file)}:${row}`, path }
      : { at: `${join(this.path, fileOfList(list as UserList))}:${entryRow}`, path: rest };
  };

  #lineOf(type: RecordType, row: Row, entries: Map<UserList, Entries>): Line {
    const origin: Origin = { file: fileOfType(type), row: row.number };
    const number = this.#origins.push(origin);
    if ("problem" in row) return { number, problem: row.problem };
    const input = { type, ...recordOf(type, row.cells) };
    if (type === "user") origin.entries = attach(input, entries);
    return { number, input };
  }

  async #readEntries(list: UserList): Promise<Entries> {
    const file = fileOfList(list);
    const entries: Entries = new Map();
    for await (const row of this.#rows(file, columnsOfList(list))) {
      if ("problem" in row)
        throw new Refused(`${join(this.path, file)}:${row.number}: ${row.problem}.`);
      // The entries of a list have no such field of their own.
      const owner = row.cells.get(OWNER) ?? "";
      row.cells.delete(OWNER);
      const known = entries.get(owner);
      const entry = { row: row.number, input: inputOf(row.cells, [userLists[list]]) };
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
          problem: `${OWNER}: Names no user of ${fileOfType("user")}`,
        };
  }

  async *#rows(file: string, columns: readonly string[]): AsyncGenerator<Row> {
    if (this.#files.has(file)) yield* readTable(join(this.path, file), columns);
  }
}

/** Moves the entries of a user into the record, and says on which rows they stand. */
function attach(user: Input, entries: Map<UserList, Entries>): Record<string, number[]> {
  const rows: Record<string, number[]> = {};
  const id = String(user.publicId);
  for (const [list, ofList] of entries) {
    const own = ofList.get(id);
    if (own === undefined) continue;
    ofList.delete(id);
    user[list] = own.map(({ input }) => input);
    rows[list] = own.map(({ row }) => row);
  }
  return rows;
}

function recordOf(type: RecordType, cells: ReadonlyMap<string, Cell>): Input {
  const { kinds, discriminator } = recordKinds(type);
  const telling = discriminator?.name ?? "";
  const told = valueOf(cells.get(telling) ?? "", schemaAt(kinds, [telling]) ?? Type.Any());
  const kind = kindOfRecord(type, { [telling]: told });
  return inputOf(cells, kind === undefined ? kinds : [kind], kinds);
}

/** The object of a row. `all` are the kinds that have a form for what `kinds` do not know, and refuse. */
function inputOf(
  cells: ReadonlyMap<string, Cell>,
  kinds: readonly TObject[],
  all: readonly TObject[] = kinds,
): Input {
  const input: Input = {};
  if (kinds.length === 1)
    for (const [name, schema] of Object.entries(kinds[0]?.properties ?? {}))
      if (isObject(schema) && isRequired(kinds, [name])) input[name] = {};
  for (const [column, cell] of cells) {
    const path = column.split(".");
    const schema = schemaAt(kinds, path) ?? schemaAt(all, path) ?? Type.Any();
    const value = isAbsent(cell, schema, isRequired(kinds, path)) ? null : valueOf(cell, schema);
    // Null is a value of its own where a field must be there, such as the minutes of a visit.
    if (value !== null || (isRequired(kinds, path) && isNullable(schema))) put(input, path, value);
  }
  return input;
}

/** An empty cell is an absent field; one with empty quotes is empty text, where the field must be there and is text. */
function isAbsent(cell: Cell, { type, format }: TSchema, isNeeded: boolean): cell is null {
  if (cell === null) return true;
  return cell === "" && !(isNeeded && type === "string" && format === undefined);
}

function put(input: Input, [name = "", ...inner]: string[], value: unknown): void {
  if (inner.length === 0) input[name] = value;
  else put((input[name] ??= {}) as Input, inner, value);
}

function schemaAt(
  kinds: readonly TObject[],
  [name = "", ...inner]: readonly string[],
): TSchema | undefined {
  const schema = kinds.find(({ properties }) => name in properties)?.properties[name];
  if (schema === undefined || inner.length === 0) return schema;
  return isObject(schema) ? schemaAt([schema], inner) : undefined;
}

/** The rows below the header of a file, without those that are empty. */
async function* readTable(path: string, columns: readonly string[]): AsyncGenerator<Row> {
  const parser = parse({
    delimiter: await delimiterOf(path),
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_LINE_BYTES,
    info: true,
    cast: (cell, { quoting }) => (cell === "" && !quoting ? null : cell),
  });
  // What goes wrong destroys the parser, and is thrown below.
  pipeline(Readable.from(textOf(path)), parser, () => {});
  let header: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Cell[];
      info: { records: number; empty_lines: number };
    }>) {
      const number = info.records + info.empty_lines;
      if (header === undefined) header = headerOf(record, columns, `${path}:${number}`);
      else if (record.some((cell) => cell !== null && cell !== ""))
        yield rowOf(number, record, header);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = Number(error.records) + Number(error.empty_lines) + 1;
    throw new Refused(
      `${path}:${row}: The row cannot be read as CSV (${error.code}); look at its quotes.`,
    );
  }
  if (header === undefined) throw new Refused(`${path} has no header.`);
}

function rowOf(number: number, record: Cell[], header: string[]): Row {
  if (record.slice(header.length).some((cell) => cell !== null))
    return { number, problem: "The row has more cells than the header" };
  return { number, cells: new Map(header.map((name, index) => [name, record[index] ?? null])) };
}

function headerOf(record: Cell[], columns: readonly string[], at: string): string[] {
  const header = record.map((cell) => cell?.trim() ?? "");
  for (const [index, name] of header.entries()) {
    // A file without a header begins with somebody's data.
    const shown = /^[\w.]{1,64}$/.test(name) ? name : "?";
    const column = `${at}: column ${index + 1} (${shown})`;
    if (!columns.includes(name))
      throw new Refused(`${column}: Is no field; the columns are ${columns.join(", ")}.`);
    if (header.indexOf(name) !== index) throw new Refused(`${column}: Stands in the header twice.`);
  }
  return header;
}

/** Names of columns hold neither, so the first line tells. */
async function delimiterOf(path: string): Promise<"," | ";"> {
  let text = "";
  for await (const piece of textOf(path)) {
    text += piece;
    if (/[,;\n\r]/.test(text)) break;
  }
  return /[,;\n\r]/.exec(text)?.[0] === ";" ? ";" : ",";
}

/** The text of a file, without a byte order mark. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new Refused(`${path} is not valid UTF-8; save it as "CSV UTF-8".`);
    }
  };
  for await (const chunk of bytesOf(path)) yield decoded(chunk);
  yield decoded();
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path)) yield chunk as Uint8Array;
  } catch (error) {
    const { code } = error as { code?: string };
    throw new Refused(
      `Cannot read ${path} (${code}); check that it is a file, and its permissions.`,
    );
  }
}
