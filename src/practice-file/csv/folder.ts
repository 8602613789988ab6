import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import type { CalendarDate } from "../../lib/calendar-date.ts";
import { CommandError } from "../../lib/command-error.ts";
import { remembered } from "../../lib/remembered.ts";
import { parseTimeZone, type TimeZone, UTC } from "../../lib/time-zone.ts";
import { type RecordType, recordTypes } from "../../schema/record-types.ts";
import type { Line } from "../lines.ts";
import type { Path } from "../kinds/problem.ts";
import { type Placed, shown } from "../mistakes.ts";
import {
  csvFiles,
  fileOfList,
  fileOfType,
  hasOfficeTimes,
  OWNER,
  unfitColumns,
  unknownColumns,
  type UserList,
  userListNames,
  userLists,
} from "./columns.ts";
import { officeColumn, type RowInput, RowReader } from "./rows.ts";
import { NotATable, type OpenFile, readHeader, readTable, type Row } from "./table.ts";

/** The origin of a line of the import. */
interface Origin {
  file: string;
  row: number;
  /** The row numbers of entries, by list of the user. */
  entries?: Partial<Record<string, number[]>>;
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
  readonly #ignored: string[] = [];
  /** The files with an office's columns for times. */
  readonly #officeFiles = new Set<string>();
  /** The entries of users that are not read yet. */
  readonly #entries = new Map<UserList, Entries>();
  #reader: RowReader | undefined;

  /** @param ignoresColumns whether columns that are no fields are left out instead of refused. */
  constructor(
    readonly path: string,
    private readonly ignoresColumns = false,
  ) {
    // In one order on every file system, which is that of what is refused.
    const names = readdirSync(path).sort();
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

  /** What was understood or left out of the files that were read. */
  get notes(): string[] {
    return [...this.#ignored, ...(this.#reader?.notes ?? [])];
  }

  /**
   * The rows of all files, the organization's first.
   *
   * @param today for dates of birth whose year has two digits.
   */
  async *lines(findZone: FindZone, today: CalendarDate): AsyncGenerator<Line> {
    await this.#checkHeaders();
    const reader = (this.#reader = new RowReader(await this.#zone(findZone), today));
    for (const list of userListNames)
      if (this.#files.has(fileOfList(list)))
        this.#entries.set(list, await this.#readEntries(list, reader));
    for (const type of recordTypes) {
      for await (const row of this.#rows(fileOfType(type))) yield this.#lineOf(type, row, reader);
      if (type === "organization" && this.#origins.length === 0)
        throw new CommandError(`${join(this.path, fileOfType(type))} has no row.`);
    }
    yield* this.#entriesOfNobody();
  }

  /** The row of a line in its file. */
  readonly rowOf = (line: number): number => (this.#origins[line - 1] as Origin).row;

  /** Locates a mistake; for an entry of a list, in the list's file. */
  readonly place = (line: number, path: Path = []): Placed => {
    const { file, row, entries } = this.#origins[line - 1] as Origin;
    const [list = "", index, ...rest] = path;
    const entryRow = entries?.[list]?.[Number(index ?? 0)];
    const ofRow = `${join(this.path, file)}:${row}`;
    if (entryRow === undefined)
      return { at: ofRow, path: this.#officeFiles.has(file) ? officeColumn(path) : path };
    const at = `${join(this.path, fileOfList(list as UserList))}:${entryRow}`;
    return { at, path: index === undefined ? path : rest };
  };

  /** @throws CommandError with all columns that the files cannot have. */
  async #checkHeaders(): Promise<void> {
    const refused: string[] = [];
    for (const file of this.#files) {
      const { number, headings } = await this.#reading(file, () => readHeader(this.#open(file)));
      const at = `${join(this.path, file)}:${number}`;
      if (hasOfficeTimes(file, headings)) this.#officeFiles.add(file);
      const unknown = unknownColumns(file, headings);
      const names = unknown.map((name) => shown(name) || "a column without a heading").join(", ");
      const columns = csvFiles.get(file)?.join(", ");
      if (this.ignoresColumns && unknown.length > 0)
        this.#ignored.push(`Left out of ${file}: ${names}`);
      else if (unknown.length > 0) {
        const [are, them] =
          unknown.length === 1 ? ["is no field", "it"] : ["are no fields", "them"];
        refused.push(
          `${at}: ${names} ${are}; the columns are ${columns}. --ignore-columns leaves ${them} out.`,
        );
      }
      for (const { heading, message } of unfitColumns(file, headings))
        if (!this.ignoresColumns || !unknown.includes(heading))
          refused.push(`${at}: ${shown(heading)} ${message}.`);
    }
    if (refused.length > 0) throw new CommandError(refused.join("\n"));
  }

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

  #lineOf(type: RecordType, row: Row, reader: RowReader): Line {
    const origin: Origin = { file: fileOfType(type), row: row.number };
    const number = this.#origins.push(origin);
    if ("problem" in row) return { number, problem: row.problem };
    const { input, problems } = reader.recordOf(type, row.cells, {
      number: row.number,
      file: origin.file,
    });
    if (type === "user" && "deleted" in input)
      for (const ofList of this.#entries.values()) ofList.delete(String(input.publicId));
    else if (type === "user") origin.entries = attach({ input, problems }, this.#entries);
    return { number, input, problems };
  }

  async #readEntries(list: UserList, reader: RowReader): Promise<Entries> {
    const file = fileOfList(list);
    const entries: Entries = new Map();
    for await (const row of this.#rows(file)) {
      if ("problem" in row)
        throw new CommandError(`${join(this.path, file)}:${row.number}: ${row.problem}.`);
      // The column of the owner is no field of an entry, and is skipped.
      const read = reader.entryOf({ variants: [userLists[list]] }, row.cells, {
        number: row.number,
        file,
      });
      const owner = row.cells.get(OWNER) ?? "";
      remembered(entries, owner, () => []).push({ row: row.number, ...read });
    }
    return entries;
  }

  *#entriesOfNobody(): Generator<Line> {
    for (const [list, ofList] of this.#entries)
      for (const { row } of [...ofList.values()].flat())
        yield {
          number: this.#origins.push({ file: fileOfList(list), row }),
          problem: `${OWNER}: is no user of ${fileOfType("user")}`,
        };
  }

  async *#rows(file: string): AsyncGenerator<Row> {
    if (!this.#files.has(file)) return;
    const rows = readTable(this.#open(file));
    for (;;) {
      const { value, done } = await this.#reading(file, () => rows.next());
      if (done === true) return;
      yield value;
    }
  }

  #open(file: string): OpenFile {
    return () => createReadStream(join(this.path, file)) as AsyncIterable<Uint8Array>;
  }

  /** Reads of a file. @throws CommandError if it is not CSV, or cannot be read. */
  async #reading<Result>(file: string, read: () => Promise<Result>): Promise<Result> {
    const path = join(this.path, file);
    try {
      return await read();
    } catch (error) {
      if (error instanceof NotATable)
        throw new CommandError(
          error.row === undefined
            ? `${path} ${error.message}.`
            : `${path}:${error.row}: The row ${error.message}.`,
        );
      const { code } = error as { code?: string };
      throw new CommandError(
        `Cannot read ${path} (${code}); check that it is a file, and its permissions.`,
      );
    }
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
