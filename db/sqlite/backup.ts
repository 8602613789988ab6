import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup as copyPages, DatabaseSync } from "node:sqlite";
import { DatabaseError } from "../errors.ts";
import type { Applied, VersionRow } from "../migrate.ts";
import { createWhole, unusedName, withoutLink } from "./files.ts";

/** Properties of a database that its copy must share. */
export interface Contents {
  /** What versions of the program have applied. */
  applied: Applied;
  /** Row counts by table. */
  rows: Record<string, number>;
}

/** How long the copy waits for locks of other programs, in milliseconds. */
const LOCK_TIMEOUT = 5_000;

/**
 * Writes a copy of a database to a new file while other programs read and write it. The copy is one consistent,
 * complete state; it is checked, durable, and readable only by its owner.
 *
 * @throws DatabaseError if the target exists or cannot be written, or the database is damaged.
 */
export async function backUp(database: string, target: string): Promise<void> {
  try {
    await createWhole(target, "a backup", async (unfinished) => {
      const expected = await copy(database, unfinished);
      // On a full disk, the copy can be consistent and yet lack rows.
      if (!Bun.deepEquals(checkDatabaseFile(unfinished, database), expected))
        throw new DatabaseError(`The copy of ${database} is incomplete. Try again.`);
    });
  } catch (error) {
    throw copyError(error, database, target);
  }
}

/**
 * Backs up a database beside its file, before a version of the program changes it.
 *
 * @returns the path of the backup. One that an interrupted upgrade has left is kept, if it is whole and the database has
 * not changed since.
 * @throws DatabaseError if it cannot be written, or the database is damaged.
 */
export async function backUpBefore(database: string, version: string): Promise<string> {
  const path = withoutLink(database);
  const name = `${path}.before-${version}`;
  if (isBackupOf(name, path)) return name;
  const target = unusedName(name);
  await backUp(path, target);
  return target;
}

/** Every write adds a row to the audit trail, so equal numbers of rows are equal contents. */
function isBackupOf(backup: string, database: string): boolean {
  if (!existsSync(backup)) return false;
  const file = new DatabaseSync(database, { readOnly: true, timeout: LOCK_TIMEOUT });
  try {
    return Bun.deepEquals(checkDatabaseFile(backup, backup), readContents(file));
  } catch {
    return false;
  } finally {
    file.close();
  }
}

/**
 * Copies with SQLite's online backup, inside a transaction that is already open, so that the counted rows are the
 * copied ones. `VACUUM INTO` would begin its own, later transaction.
 */
async function copy(source: string, target: string): Promise<Contents> {
  const file = new DatabaseSync(source, { readOnly: true, timeout: LOCK_TIMEOUT });
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
 * Checks a database file that no program has open, and merges its companion files into it.
 *
 * @param name of the database in messages.
 * @throws DatabaseError if it is damaged, truncated, or not a Caseload database.
 */
export function checkDatabaseFile(path: string, name: string): Contents {
  const damaged = (what: string) =>
    new DatabaseError(`${name} is damaged (${what}); use an earlier backup.`);
  const { size } = statSync(path);
  const file = new DatabaseSync(path);
  try {
    // The checks evaluate expressions of the schema, which may not be ours.
    file.exec("pragma trusted_schema = off");
    const value = (pragma: string) =>
      Object.values(file.prepare(`pragma ${pragma}`).get() ?? {})[0];
    // SQLite reads missing parts of the last page as zeros.
    if (size < Number(value("page_count")) * Number(value("page_size")))
      throw damaged("its end is missing");
    // In WAL mode, data may be in companion files, which could be lost when the file is moved.
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
  // The rows of virtual tables are counted in their shadow tables.
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
  const rowsOf = (table: string, statement: string) =>
    tables.includes(table) ? file.prepare(statement).all() : [];
  const steps = rowsOf("schema_migrations", "select name from schema_migrations order by name");
  const versions = rowsOf(
    "versions",
    "select version, commit_id, since from versions order by position",
  );
  const applied = {
    steps: new Set(steps.map(({ name }) => String(name))),
    versions: versions as unknown as VersionRow[],
  };
  return { applied, rows: Object.fromEntries(rows) };
}

/** SQLite's result codes, as reported by `node:sqlite`. */
const ERROR = 1;
const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
const NOTADB = 26;

/** Converts an error of copying or checking a database to a message for the operator. */
export function copyError(error: unknown, source: string, target: string): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { errcode, code } = error as { errcode?: number; code?: string };
  return new DatabaseError(messageFor((errcode ?? 0) & 0xff || code, source, dirname(target)), {
    cause: error,
  });
}

function messageFor(code: number | string | undefined, source: string, folder: string): string {
  switch (code) {
    case FULL:
    case "ENOSPC":
      return `The disk of the folder ${folder} is full. Make room and try again.`;
    case ERROR:
    case NOTADB:
      return `${source} is not a Caseload database.`;
    case CORRUPT:
      return `${source} is damaged or truncated; use an earlier backup.`;
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
