import { SQLiteError } from "bun:sqlite";

/** SQLite's result codes; an extended code carries its primary code in the low byte. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const IOERR_SHMSIZE = 4874;
const CONSTRAINT_UNIQUE = 2067;
const CONSTRAINT_PRIMARYKEY = 1555;

const TEMPORARY_CODES = new Set([BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN]);

/** Another connection holds the lock that this one needs; trying again later may succeed. */
export function isLocked(error: unknown): boolean {
  return error instanceof SQLiteError && [BUSY, LOCKED].includes(error.errno & 0xff);
}

/** The row exists already, under its primary key or another unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return (
    error instanceof SQLiteError && [CONSTRAINT_UNIQUE, CONSTRAINT_PRIMARYKEY].includes(error.errno)
  );
}

/** The file of an open database was removed or replaced: what is written to it is lost with it. */
export class DatabaseLost extends Error {}

/**
 * The database cannot do the work now, through no fault of the request: its file is locked by another
 * process, its disk is full, or it cannot be written or has gone. Nothing of the work is kept, and trying again later
 * may succeed.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof DatabaseLost) return true;
  return error instanceof SQLiteError && TEMPORARY_CODES.has(error.errno & 0xff);
}

/** What an operator can do about a database that is locked or has no room to grow; undefined for other errors. */
export function remedy(error: unknown): string | undefined {
  if (isLocked(error)) return "another program holds its lock; try again when that one is done";
  if (isFull(error)) return "its disk is full; make room and try again";
  return undefined;
}

/** The shared memory file beside the database is the first to find no room when it is opened. */
function isFull(error: unknown): boolean {
  return error instanceof SQLiteError && [FULL, IOERR_SHMSIZE].includes(error.errno);
}

/** What the file holds is no database, or no whole one. */
export function isDamaged(error: unknown): boolean {
  return error instanceof SQLiteError && [CORRUPT, NOTADB].includes(error.errno & 0xff);
}
