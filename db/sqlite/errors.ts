import { SQLiteError } from "bun:sqlite";

/** SQLite's result codes. The low byte of an extended code is its primary code. */
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

/** Another connection holds the required lock. Retrying later may succeed. */
export function isLocked(error: unknown): boolean {
  return error instanceof SQLiteError && [BUSY, LOCKED].includes(error.errno & 0xff);
}

/** A row with the same primary key or unique value already exists. */
export function isUniqueViolation(error: unknown): boolean {
  return (
    error instanceof SQLiteError && [CONSTRAINT_UNIQUE, CONSTRAINT_PRIMARYKEY].includes(error.errno)
  );
}

/** The file of the open database was removed or replaced. Writes to it would be lost. */
export class DatabaseLost extends Error {}

/**
 * A temporary failure that is not the request's fault: the file is locked by another process, the disk is full, or the
 * file is missing or not writable. Nothing of the work is stored, and retrying later may succeed.
 */
export function isTemporary(error: unknown): boolean {
  if (error instanceof DatabaseLost) return true;
  return error instanceof SQLiteError && TEMPORARY_CODES.has(error.errno & 0xff);
}

/** Advice for the operator on a locked database or a full disk; undefined for other errors. */
export function remedy(error: unknown): string | undefined {
  if (isLocked(error)) return "another program holds its lock; try again when that one is done";
  if (isFull(error)) return "its disk is full; make room and try again";
  return undefined;
}

/** On a full disk, opening fails first at the shared memory file. */
export function isFull(error: unknown): boolean {
  return error instanceof SQLiteError && [FULL, IOERR_SHMSIZE].includes(error.errno);
}

/** The file is not a database, or is incomplete. */
export function isDamaged(error: unknown): boolean {
  return error instanceof SQLiteError && [CORRUPT, NOTADB].includes(error.errno & 0xff);
}
