import { Database as SqliteFile } from "bun:sqlite";
import { DatabaseError, DatabaseInUse } from "../errors.ts";
import { isLocked } from "./errors.ts";
import { createPrivateFile, giveToFolderOwner, LOCK_SUFFIX, withoutLink } from "./files.ts";

/**
 * Prevents a restore from replacing a database that a program has open. A program holds a shared lock while the
 * database is open, and a restore the exclusive one. The system releases both when a program ends, even if it is
 * killed.
 *
 * The locks are SQLite's own, on an empty file beside the database that is never renamed or removed. Locks on the
 * database file itself do not suffice: a program could open the file and wait for its lock while a restore renames it,
 * and then continue on the replaced file.
 */
export interface DatabaseLock {
  release(): void;
}

/** How long opening waits for a restore to finish, in milliseconds. */
const RESTORE_TIMEOUT = 5_000;

/**
 * Takes the shared lock, to open a database.
 *
 * @throws DatabaseError during a restore.
 */
export function lockShared(path: string): DatabaseLock {
  // The lock is taken by the first read, not by `begin`.
  const lock = acquire(path, ["begin deferred", "select name from sqlite_master"], RESTORE_TIMEOUT);
  if (lock !== undefined) return lock;
  throw new DatabaseError(
    `The database ${path} is being restored or upgraded. Try again when that is done.`,
  );
}

/**
 * Takes the exclusive lock: no program, including this one, can then open the database.
 *
 * @throws DatabaseError if a program has it open.
 */
export function lockExclusively(path: string): DatabaseLock {
  const lock = tryToLock(path);
  if (lock !== undefined) return lock;
  throw new DatabaseInUse(
    `The database ${path} is in use. Stop the server, or wait until the command that uses it is done, and try again.`,
  );
}

/** Whether a program has the database open. */
export function isInUse(path: string): boolean {
  const lock = tryToLock(path);
  lock?.release();
  return lock === undefined;
}

/** Takes the exclusive lock of a path; undefined if another program holds a lock. */
export function tryToLock(path: string): DatabaseLock | undefined {
  return acquire(path, ["begin exclusive"], 0);
}

function acquire(path: string, statements: string[], timeout: number): DatabaseLock | undefined {
  const file = openLockFile(path);
  try {
    file.run(`pragma busy_timeout = ${timeout}`);
    // Nothing is written; a journal file would only remain after a crash.
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
    throw new DatabaseError(
      `Cannot open ${lockPath}: it and its folder must be readable and writable, because a database has several files.`,
      { cause: error },
    );
  }
}

/**
 * Never open an existing lock file here, not even for inspection: closing it would release the locks that this process
 * holds on it.
 */
function makeLockFile(lockPath: string): void {
  try {
    createPrivateFile(lockPath);
    giveToFolderOwner(lockPath);
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  }
}
