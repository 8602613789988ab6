import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { type TObject, Type } from "@sinclair/typebox";
import type { Db } from "../../../db/database.ts";
import { CommandError } from "../../lib/command-error.ts";
import { parseTimeZone, type TimeZone } from "../../lib/time-zone.ts";
import { getOrganization } from "../../organizations/repository.ts";
import type { RecordType } from "../../schema/record-types.ts";
import {
  cellOf,
  columnsOf,
  csvFiles,
  DELETED,
  fileOfList,
  fileOfType,
  OWNER,
  userListNames,
  userLists,
} from "./columns.ts";
import { exportedRecords, type ExportOptions } from "../export.ts";
import { variantOf } from "../model.ts";
import { type Fields, isFields } from "../read-record.ts";

/**
 * Writes an organization's records, or those that changed after a sequence, with a column `deleted`. Of a type without
 * records there is no file.
 */
export async function exportCsv(
  db: Db,
  organizationId: string,
  { writer, ...options }: ExportOptions & { writer: CsvWriter },
): Promise<void> {
  const { after } = options;
  const { time_zone } = await getOrganization(db, organizationId);
  writer.zone = parseTimeZone(time_zone ?? "");
  writer.hasDeletions = after !== undefined && after > 0;
  for await (const { type, records } of exportedRecords(db, organizationId, options))
    for (const record of records) writer.write(type, record as Fields);
}

/**
 * Fills a new or empty folder with CSV files. If `work` fails, all files are removed.
 *
 * @throws CommandError if the folder is not empty, or cannot be written.
 */
export async function fillFolder(
  folder: string,
  work: (writer: CsvWriter) => Promise<void>,
): Promise<CsvWriter> {
  const isNew = makeFolder(folder);
  const writer = new CsvWriter(folder);
  try {
    await work(writer).finally(() => writer.close());
    writer.finish();
    return writer;
  } catch (error) {
    writer.discard();
    if (isNew) rmSync(folder, { recursive: true });
    throw error;
  }
}

/** @returns whether the folder was created. @throws CommandError if it is not empty, or cannot be created. */
function makeFolder(folder: string): boolean {
  return orCommandError(folder, () => {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) mkdirSync(folder, { mode: 0o700 });
    else if (!stats.isDirectory() || readdirSync(folder).length > 0)
      throw new CommandError(`${folder} already exists; name a new folder, or an empty one.`);
    return stats === undefined;
  });
}

function orCommandError<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code } = error as { code?: string };
    throw new CommandError(
      `Cannot write ${path} (${code}): its folder must be writable and have room.`,
    );
  }
}

/** A deletion has no fields that depend on the record's variant. */
const DELETION = Type.Object({ publicId: Type.String(), deleted: Type.Boolean() });

/** Suffix of incomplete files, which imports refuse. */
const UNFINISHED = ".unfinished";

/** Writes records into the files of an empty folder, readable only by the owner. */
export class CsvWriter {
  /** Number of empty texts and objects in nullable fields. A cell cannot distinguish them from null. */
  emptied = 0;
  /** Number of texts with white space at their ends, which imports remove from cells. */
  trimmed = 0;
  /** The practice's time zone, in which times are written. Default: UTC. */
  zone: TimeZone | undefined;
  /** Whether records may be deletions. */
  hasDeletions = false;
  readonly #files = new Map<string, { descriptor: number; columns: string[] }>();

  constructor(private readonly folder: string) {}

  get files(): number {
    return this.#files.size;
  }

  write(type: RecordType, record: Fields): void {
    const variant = variantOf(type, record) ?? DELETION;
    this.#row(fileOfType(type), variant, record);
    if (type !== "user" || variant === DELETION) return;
    // A file without rows means that no user has entries.
    for (const list of userListNames) this.#file(fileOfList(list));
    for (const list of userListNames)
      for (const entry of (record[list] ?? []) as Fields[])
        this.#row(fileOfList(list), userLists[list], { ...entry, [OWNER]: record.publicId });
  }

  close(): void {
    for (const { descriptor } of this.#files.values()) closeSync(descriptor);
  }

  /**
   * Renames all files to their final names. The organization's comes last, since a folder without it cannot be
   * imported.
   */
  finish(): void {
    for (const name of [...this.#files.keys()].reverse()) {
      const path = join(this.folder, name);
      orCommandError(path, () => renameSync(`${path}${UNFINISHED}`, path));
    }
  }

  discard(): void {
    for (const name of this.#files.keys())
      for (const end of ["", UNFINISHED])
        rmSync(join(this.folder, `${name}${end}`), { force: true });
  }

  #row(name: string, variant: TObject, fields: Fields): void {
    const file = this.#file(name);
    const cells = file.columns.map((each) => {
      const column = columnsOf(variant).get(each);
      const value = at(fields, column?.path ?? [each]);
      const isRequired = column?.isRequired === true;
      const isBlank = typeof value === "string" && value.trim() === "";
      if (isBlank && !isRequired) this.emptied += 1;
      else if (typeof value === "string" && value !== value.trim()) this.trimmed += 1;
      // Cells are trimmed, and empty ones are null, which required fields cannot be.
      if (isBlank) return '""';
      if (Array.isArray(value) && value.length === 0 && isRequired) return "[]";
      return quoted(cellOf(value, column ?? { path: [], schema: Type.Any() }, this.zone));
    });
    writeLine(join(this.folder, name), file.descriptor, cells);
    for (const [field, value] of Object.entries(fields))
      if (
        isFields(value) &&
        Object.keys(value).length === 0 &&
        variant.required?.includes(field) !== true
      )
        this.emptied += 1;
  }

  #file(name: string) {
    let file = this.#files.get(name);
    if (file !== undefined) return file;
    const columns = (csvFiles.get(name) ?? []).filter(
      (column) => column !== DELETED || this.hasDeletions,
    );
    const path = join(this.folder, name);
    const descriptor = orCommandError(path, () => openSync(`${path}${UNFINISHED}`, "wx", 0o600));
    this.#files.set(name, (file = { descriptor, columns }));
    writeLine(path, descriptor, columns);
    return file;
  }
}

function writeLine(path: string, descriptor: number, cells: string[]): void {
  orCommandError(path, () => appendFileSync(descriptor, `${cells.join(",")}\r\n`));
}

function at(fields: Fields, [name = "", ...inner]: readonly string[]): unknown {
  const value = fields[name];
  return inner.length === 0 || value === undefined || value === null
    ? value
    : at(value as Fields, inner);
}

/** Quotes a cell as in RFC 4180. */
function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
