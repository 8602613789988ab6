import { Database as SqliteFile } from "bun:sqlite";
import { DatabaseRefused } from "../errors.ts";
import { isLocked } from "./errors.ts";
import { createPrivateFile, giveToFolderOwner, LOCK_SUFFIX, withoutLink } from "./files.ts";

/**
 * Keeps a database from being replaced while a program has it open. Whoever opens it holds a shared lock as
 * long as it is open, and a restore the exclusive one. The system drops both when a program ends, however
 * it ends.
 *
 * The locks are SQLite's own, on an empty file beside the database that is never renamed or removed. On the
 * database file itself they would not do: a program that had just opened it could wait for its lock while a
 * restore renames the file, and go on with the replaced one under the name of the new one.
 */
export interface DatabaseLock {
  release(): void;
}

/** How long an opening waits for a restore that is about to end, in milliseconds. */
const RESTORE_PATIENCE = 5_000;

/**
 * Takes part in a database's being open.
 *
 * @throws DatabaseRefused while it is being restored.
 */
export function lockShared(path: string): DatabaseLock {
  // An empty transaction takes no lock: the first read does.
  const lock = acquire(
    path,
    ["begin deferred", "select name from sqlite_master"],
    RESTORE_PATIENCE,
  );
  if (lock !== undefined) return lock;
  throw new DatabaseRefused(`The database ${path} is being restored. Try again when that is done.`);
}

/**
 * Keeps every program from opening a database, this one included.
 *
 * @throws DatabaseRefused while one has it open.
 */
export function lockExclusively(path: string): DatabaseLock {
  const lock = tryToLock(path);
  if (lock !== undefined) return lock;
  throw new DatabaseRefused(
    `The database ${path} is in use. Stop the server, or wait until the command that uses it is done, and try again.`,
  );
}

/** Whether a program has the database open. */
export function isInUse(path: string): boolean {
  const lock = tryToLock(path);
  lock?.release();
  return lock === undefined;
}

/** The exclusive lock of whatever is at a path; undefined while another has it. */
export function tryToLock(path: string): DatabaseLock | undefined {
  return acquire(path, ["begin exclusive"], 0);
}

function acquire(path: string, statements: string[], patience: number): DatabaseLock | undefined {
  const file = openLockFile(path);
  try {
    file.run(`pragma busy_timeout = ${patience}`);
    // Nothing is ever written, and a journal on the disk would outlive a crash.
    file.run("pragma journal_mode = memory");
    for (const statement of statements) file.run(statement);
    return { release: () => file.close(true) };
  } catch (error) {
    file.close(true);
    if (isLocked(error)) return undefined;
    throw error;
  }
}

function openLockFile(path: string): SqliteFile {
  const lockPath = withoutLink(path) + LOCK_SUFFIX;
  try {
    makeLockFile(lockPath);
    return new SqliteFile(lockPath, { readwrite: true });
  } catch (error) {
    throw new DatabaseRefused(
      `Cannot open ${lockPath}: it and its folder must be readable and writable, for a database is more than one file.`,
      { cause: error },
    );
  }
}

/**
 * An existing file must not be opened here, not even to look at it: to close it again would drop the locks that
 * this process holds on it.
 */
function makeLockFile(lockPath: string): void {
  try {
    createPrivateFile(lockPath);
    giveToFolderOwner(lockPath);
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  }
}
