import { CommandError } from "../src/lib/command-error.ts";
import * as postgresql from "./postgresql/errors.ts";
import * as sqlite from "./sqlite/errors.ts";

/** The database cannot be opened or used as requested. */
export class DatabaseError extends CommandError {}

/** Another program has it open. */
export class DatabaseInUse extends DatabaseError {}

/** A database that this program cannot bring up to date: of a newer version, of another program, or of other tables. */
export class OtherDatabase extends DatabaseError {}

/** A long write of this process holds the lock. */
export class DatabaseBusy extends Error {}

/** Another program, node or long write holds the lock. Retrying later may succeed. */
export function isLocked(error: unknown): boolean {
  return error instanceof DatabaseBusy || sqlite.isLocked(error) || postgresql.isLocked(error);
}

/** The disk of the database is full. */
export function isFull(error: unknown): boolean {
  return sqlite.isFull(error) || postgresql.isFull(error);
}

/** A row with the same primary key or unique value already exists. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlite.isUniqueViolation(error) || postgresql.isUniqueViolation(error);
}

/**
 * A temporary failure that is not the request's fault: the database is locked, full or unreachable. Retrying later may
 * succeed. Nothing of the work is stored, unless the connection was lost during the commit.
 */
export function isTemporary(error: unknown): boolean {
  // A connection that could not be opened, such as for want of a file descriptor.
  const cause = error instanceof DatabaseError ? error.cause : error;
  return (
    cause instanceof DatabaseBusy || sqlite.isTemporary(cause) || postgresql.isTemporary(cause)
  );
}

/** Advice for the operator on a temporary failure; undefined for other errors. */
export function remedy(error: unknown): string | undefined {
  return sqlite.remedy(error) ?? postgresql.remedy(error);
}
