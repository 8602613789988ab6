/** SQLSTATE codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = "23505";
const LOCK_NOT_AVAILABLE = "55P03";
const QUERY_CANCELED = "57014";
const DISK_FULL = "53100";
const READ_ONLY = "25006";
const IN_FAILED_TRANSACTION = "25P02";
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
/** A prepared statement whose result columns were changed by another node's migration. */
const FEATURE_NOT_SUPPORTED = "0A000";
const UNDEFINED_STATEMENT = "26000";
/** From PostgreSQL 15 on, a user who does not own the database may make no tables in it. */
const INSUFFICIENT_PRIVILEGE = "42501";
/** No schema of `search_path` is there. */
const INVALID_SCHEMA = "3F000";

/** Connection exceptions, insufficient resources, operator intervention. */
const TEMPORARY_CLASSES = ["08", "53", "57"];
const TEMPORARY_CODES = [
  LOCK_NOT_AVAILABLE,
  SERIALIZATION_FAILURE,
  DEADLOCK,
  FEATURE_NOT_SUPPORTED,
];

/** The connection is lost. The result of the last statement, possibly a commit, is unknown. */
export class ConnectionLost extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super("The connection to PostgreSQL is lost", { cause });
    this.name = "ConnectionLost";
    this.code = (cause as { code?: string } | undefined)?.code ?? "CONNECTION_LOST";
  }
}

/** Why a server that takes no changes is of no use, in the code that it gives to whoever asks for one. */
export function noChanges(): Error {
  return Object.assign(new Error("The server takes no changes"), { code: READ_ONLY });
}

/** An error response of the server. Its text may contain data, so it is never logged or shown. */
interface ServerError extends Error {
  code: string;
  severity: string;
}

/**
 * What a server answers that another one has replaced, or that is stopping or starting: whoever keeps the connection gets
 * the same for ever. Behind a pooler, a statement may have been prepared on another connection.
 */
const OF_NO_USE = [READ_ONLY, "57P01", "57P02", "57P03", UNDEFINED_STATEMENT];

/**
 * Converts errors of the driver: an error without a server response means a lost connection, and so does a response of a
 * server from which nothing is to be expected.
 */
export function asServerError(error: unknown): Error {
  if (!isServerError(error)) return new ConnectionLost(error);
  if (OF_NO_USE.includes(error.code) || error.code.startsWith("08"))
    return new ConnectionLost(error);
  error.name = "PostgreSQLError";
  // The driver's own stack trace is useless: it begins where the response was read.
  Error.captureStackTrace(error, asServerError);
  return error;
}

function isServerError(error: unknown): error is ServerError {
  if (!(error instanceof Error)) return false;
  const { code, severity } = error as Partial<ServerError>;
  return typeof severity === "string" && code?.length === 5;
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return isServerError(error) && codes.includes(error.code);
}

export const isUniqueViolation = (error: unknown): boolean => hasCode(error, UNIQUE_VIOLATION);

/** Another node holds the organization's lock. */
export const isLocked = (error: unknown): boolean => hasCode(error, LOCK_NOT_AVAILABLE);

export const isFull = (error: unknown): boolean => hasCode(error, DISK_FULL);

/** The server aborted the transaction because of a concurrent one; it should be retried. */
export const isRetryable = (error: unknown): boolean =>
  hasCode(error, SERIALIZATION_FAILURE, DEADLOCK);

/** An earlier statement of the transaction has failed. */
export const hasFailedBefore = (error: unknown): boolean => hasCode(error, IN_FAILED_TRANSACTION);

/**
 * The transaction has certainly left no changes: the server reported the failure, rather than the connection being
 * lost.
 */
export const isRolledBack = (error: unknown): boolean =>
  isServerError(error) && error.severity === "ERROR";

export function isTemporary(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  if (!isServerError(error)) return false;
  return TEMPORARY_CODES.includes(error.code) || TEMPORARY_CLASSES.includes(error.code.slice(0, 2));
}

export function remedy(error: unknown): string | undefined {
  if (error instanceof ConnectionLost && error.code === READ_ONLY)
    return "this PostgreSQL takes no changes; use the primary server";
  if (error instanceof ConnectionLost)
    return "PostgreSQL does not answer; check that it is running, and try again";
  if (isLocked(error)) return "another program holds its lock; try again when that one is done";
  if (isFull(error)) return "PostgreSQL's disk is full; make room and try again";
  if (hasCode(error, INSUFFICIENT_PRIVILEGE))
    return "its user lacks rights; make it the owner of the database, and of the tables that are there";
  if (hasCode(error, INVALID_SCHEMA))
    return "there is no schema for its tables; create one, or set search_path for its user";
  if (hasCode(error, QUERY_CANCELED)) return "PostgreSQL gave up a statement that took too long";
  return isTemporary(error) ? "PostgreSQL cannot do it now; see its log, and try again" : undefined;
}
