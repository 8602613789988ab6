import { existsSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup as copyPages, DatabaseSync } from "node:sqlite";
import { DatabaseRefused } from "../errors.ts";
import { createPrivateFile, removeDatabaseFile, syncFile, syncFolderOf } from "./files.ts";

/** What a database holds, as far as a copy is held to it. */
export interface Contents {
  /** The steps of the schema that were applied, in order. */
  steps: string[];
  /** How many rows each table has. */
  rows: Record<string, number>;
}

/** How long the copy waits for a lock that another program holds for a moment, in milliseconds. */
const LOCK_PATIENCE = 5_000;

/**
 * Writes a copy of a database to a new file while other programs read and write it: one state of it, whole,
 * checked, readable by its owner only, and on the disk. Until all of that is true the file has another name,
 * so that whatever bears the given one can be restored.
 *
 * @throws DatabaseRefused when the target exists or cannot be written, or the database is damaged.
 */
export async function backUp(database: string, target: string): Promise<void> {
  requireNew(target);
  const unfinished = `${target}.${crypto.randomUUID().slice(0, 8)}.unfinished`;
  try {
    createPrivateFile(unfinished);
  } catch (error) {
    throw copyingRefused(error, database, target);
  }
  try {
    const expected = await copy(database, unfinished);
    // A full disk can leave a copy that is consistent and lacks rows.
    if (!Bun.deepEquals(checkDatabaseFile(unfinished, database), expected))
      throw new DatabaseRefused(`The copy of ${database} is not whole. Try again.`);
    syncFile(unfinished);
    requireNew(target);
    renameSync(unfinished, target);
    syncFolderOf(target);
  } catch (error) {
    removeDatabaseFile(unfinished);
    throw copyingRefused(error, database, target);
  }
}

export function requireNew(target: string): void {
  if (existsSync(target))
    throw new DatabaseRefused(
      `${target} exists, and a backup never replaces a file. Choose another name.`,
    );
}

/**
 * Copies with SQLite's online backup, which reads in a transaction that is open already: the rows that are
 * counted are those that are copied, whatever others write meanwhile. `VACUUM INTO` begins a transaction of
 * its own, later than any count.
 */
async function copy(source: string, target: string): Promise<Contents> {
  const file = new DatabaseSync(source, { readOnly: true, timeout: LOCK_PATIENCE });
  try {
    file.exec("begin");
    const contents = readContents(file);
    await copyPages(file, target);
    return contents;
  } finally {
    file.close();
  }
}

/**
 * Checks a database file that no program has open, and leaves all of it in that one file.
 *
 * @param name is what a refusal calls it.
 * @throws DatabaseRefused when it is damaged or cut off, or no database of Caseload.
 */
export function checkDatabaseFile(path: string, name: string): Contents {
  const damaged = (what: string) =>
    new DatabaseRefused(`${name} is damaged (${what}); use an earlier backup.`);
  const { size } = statSync(path);
  const file = new DatabaseSync(path);
  try {
    const value = (pragma: string) =>
      Object.values(file.prepare(`pragma ${pragma}`).get() ?? {})[0];
    // SQLite reads what is cut off the last page as zeros.
    if (size < Number(value("page_count")) * Number(value("page_size")))
      throw damaged("its end is missing");
    // A file in WAL mode takes others beside it, which would be lost on the way to where it is kept.
    file.exec("pragma journal_mode = delete");
    if (value("integrity_check(1)") !== "ok") throw damaged("SQLite's integrity check");
    if (value("foreign_key_check") !== undefined)
      throw damaged("a row refers to one that does not exist");
    return readContents(file);
  } finally {
    file.close();
  }
}

function readContents(file: DatabaseSync): Contents {
  // A virtual table keeps its rows in shadow tables, which are counted.
  const tables = file
    .prepare(
      `select name from pragma_table_list
      where schema = 'main' and type in ('table', 'shadow') and name not like 'sqlite_%' order by name`,
    )
    .all()
    .map(({ name }) => String(name));
  const rows = tables.map((table): [string, number] => {
    const [{ count } = {}] = file
      .prepare(`select count(*) as count from "${table.replaceAll('"', '""')}"`)
      .all();
    return [table, Number(count)];
  });
  const steps = tables.includes("schema_migrations")
    ? file.prepare("select name from schema_migrations order by name").all()
    : [];
  return { steps: steps.map(({ name }) => String(name)), rows: Object.fromEntries(rows) };
}

/** SQLite's result codes, as `node:sqlite` shows them. */
const ERROR = 1;
const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
const NOTADB = 26;

/** Why a database could not be copied or checked, as a sentence for the operator. */
export function copyingRefused(error: unknown, source: string, target: string): DatabaseRefused {
  if (error instanceof DatabaseRefused) return error;
  const { errcode, code } = error as { errcode?: number; code?: string };
  return new DatabaseRefused(sentenceOf((errcode ?? 0) & 0xff || code, source, dirname(target)), {
    cause: error,
  });
}

function sentenceOf(code: number | string | undefined, source: string, folder: string): string {
  switch (code) {
    case FULL:
    case "ENOSPC":
      return `The disk of the folder ${folder} is full. Make room and try again.`;
    case ERROR:
    case NOTADB:
      return `${source} is no database of Caseload.`;
    case CORRUPT:
      return `${source} is damaged or cut off; use an earlier backup.`;
    case BUSY:
      return `Another program holds the lock of ${source}. Try again when it is done.`;
    case "ENOENT":
    case "ENOTDIR":
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `Cannot write in the folder ${folder}: it must exist and be writable.`;
    default:
      return `Cannot copy ${source} into the folder ${folder} (${code ?? "unknown reason"}). Check the file, the folder and their disks.`;
  }
}
