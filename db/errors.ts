import { Refused } from "../src/lib/refused.ts";
import * as postgresql from "./postgresql/errors.ts";
import * as sqlite from "./sqlite/errors.ts";

/** A database that cannot be used as asked. */
export class DatabaseRefused extends Refused {}

/** A long write of this process holds the lock. */
export class DatabaseBusy extends Error {}

/** Another program, node or long write holds the lock; trying again later may succeed. */
export function isLocked(error: unknown): boolean {
  return error instanceof DatabaseBusy || sqlite.isLocked(error) || postgresql.isLocked(error);
}

/** The row exists already, under its primary key or another unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlite.isUniqueViolation(error) || postgresql.isUniqueViolation(error);
}

/**
 * The database cannot do the work now, through no fault of the request: it is locked, full, or cannot be reached.
 * Trying again later may succeed. Nothing of the work is kept, unless the connection broke while it was committed.
 */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof DatabaseBusy || sqlite.isTemporary(error) || postgresql.isTemporary(error)
  );
}

/** What an operator can do about a database that cannot do its work now; undefined for other errors. */
export function remedy(error: unknown): string | undefined {
  return sqlite.remedy(error) ?? postgresql.remedy(error);
}
