import { closeSync, mkdirSync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TObject } from "@sinclair/typebox";
import type { Db } from "../../db/database.ts";
import { Refused } from "../lib/refused.ts";
import {
  cellOf,
  columnsOfList,
  columnsOfType,
  fileOfList,
  fileOfType,
  OWNER,
  isRequired,
  userListNames,
  userLists,
} from "./csv-columns.ts";
import { kinds } from "./kinds.ts";
import { kindOfRecord, type RecordType } from "./model.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An organization's records as files of CSV in a folder; of a type without records there is none. */
export async function exportCsv(
  db: Db,
  organizationId: string,
  folder: string,
): Promise<CsvWriter> {
  const writer = new CsvWriter(folder);
  try {
    for (const [type, kind] of Object.entries(kinds))
      for await (const records of kind.export(db, organizationId))
        for (const record of records) writer.write(type as RecordType, record as Fields);
  } finally {
    writer.close();
  }
  return writer;
}

/**
 * Sees to it that a folder is there and empty.
 *
 * @throws Refused where something is in it already.
 */
export function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(folder, { mode: 0o700 });
  else if (!found.isDirectory() || readdirSync(folder).length > 0)
    throw new Refused(`${folder} is there already; name a new folder, or an empty one.`);
}

/** Where records of a kind, or entries of a list, go. */
interface Table {
  name: string;
  columns: () => string[];
  kind: TObject;
}

/** Writes records into the files of a folder that is empty, which nobody else may read. Close it in the end. */
export class CsvWriter {
  /** Empty texts and objects of fields that may be left out: a cell cannot tell them from absent ones. */
  emptied = 0;
  readonly #files = new Map<string, { descriptor: number; columns: string[] }>();

  constructor(private readonly folder: string) {}

  write(type: RecordType, record: Fields): void {
    const kind = kindOfRecord(type, record) as TObject;
    this.#row({ name: fileOfType(type), columns: () => columnsOfType(type), kind }, record);
    if (type !== "user") return;
    for (const list of userListNames)
      for (const entry of (record[list] ?? []) as Fields[])
        this.#row(
          { name: fileOfList(list), columns: () => columnsOfList(list), kind: userLists[list] },
          { ...entry, [OWNER]: record.publicId },
        );
  }

  close(): void {
    for (const { descriptor } of this.#files.values()) closeSync(descriptor);
  }

  #row({ name, columns, kind }: Table, fields: Fields): void {
    let file = this.#files.get(name);
    if (file === undefined) {
      const descriptor = openSync(join(this.folder, name), "wx", 0o600);
      this.#files.set(name, (file = { descriptor, columns: columns() }));
      writeSync(descriptor, `${file.columns.join(",")}\r\n`);
    }
    const cells = file.columns.map((column) => {
      const path = column.split(".");
      const value = at(fields, path);
      if (value === "" && !isRequired([kind], path)) this.emptied += 1;
      return quoted(value);
    });
    writeSync(file.descriptor, `${cells.join(",")}\r\n`);
    for (const [field, value] of Object.entries(fields))
      if (isEmptyObject(value) && !isRequired([kind], [field])) this.emptied += 1;
  }
}

function isEmptyObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length === 0;
}

function at(fields: Fields, [name = "", ...inner]: string[]): unknown {
  const value = fields[name];
  return inner.length === 0 || value === undefined ? value : at(value as Fields, inner);
}

/** A value as a cell by RFC 4180. Quotes tell an empty text from nothing. */
function quoted(value: unknown): string {
  if (value === undefined || value === null) return "";
  const cell = cellOf(value);
  return cell === "" || /[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
