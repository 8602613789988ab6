import { isTemporary } from "../../db/errors.ts";
import { NoTemporaryFile } from "../buffered-body.ts";
import {
  ChangedRecords,
  DomainError,
  type DomainErrorKind,
  InvalidInput,
  type Issue,
} from "../lib/errors.ts";

/** The three error shapes of the API, and the statuses of domain errors. No other module builds error bodies. */

/** An error with a message for the client, in the plain shape. */
export class PlainError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
    /** What a program is told besides. */
    readonly reason?: string,
  ) {
    super(message);
  }
}

/** An error of the API: a list of invalid fields, or a message. */
export type ApiError = InvalidInput | PlainError;

const statuses: Record<DomainErrorKind, number> = {
  unknownReference: 400,
  datesOutOfOrder: 400,
  notAllowed: 403,
  notFound: 404,
  conflict: 409,
  notStaff: 409,
  gone: 410,
  changed: 412,
  noTimeZone: 422,
};

/** Converts a thrown error to the response's error; undefined for unexpected errors. */
export function apiErrorFor(error: unknown): ApiError | undefined {
  if (error instanceof DomainError) return new PlainError(statuses[error.kind], error.message);
  return error instanceof InvalidInput || error instanceof PlainError ? error : undefined;
}

/** `Retry-After` for a locked or full database, in seconds. */
const RETRY_AFTER = "1";

export function unavailable(why = "Service temporarily unavailable"): PlainError {
  return new PlainError(503, why, { "retry-after": RETRY_AFTER });
}

/** So long that it cannot be in memory. */
export const NO_TEMPORARY_FILE = "Too long while the server has no room in its temporary folder";

export function toApiError(error: unknown): ApiError {
  const apiError = apiErrorFor(error);
  if (apiError !== undefined) return apiError;
  if (error instanceof NoTemporaryFile) return unavailable(NO_TEMPORARY_FILE);
  return isTemporary(error) ? unavailable() : new PlainError(500, "Internal server error");
}

/** An error of the API as plain data, for another thread. */
export type PackedError =
  | { issues: Issue[]; areChanges: boolean }
  | { status: number; message: string; headers: Record<string, string>; cause: Cause };

/** What the log says of an unexpected error, which is thrown in another thread. */
interface Cause {
  name: string;
  code: unknown;
  stack: string;
}

export function packed(thrown: unknown): PackedError {
  const error = toApiError(thrown);
  if (error instanceof InvalidInput)
    return { issues: error.issues, areChanges: error instanceof ChangedRecords };
  const { status, message, headers, cause = thrown } = error;
  const { name, code, stack = "", message: detail } = cause as Error & { code?: unknown };
  // Its message may contain data.
  const isLogged = typeof code === "string" || typeof code === "number";
  return {
    ...{ status, message, headers },
    cause: { name, code: isLogged ? code : undefined, stack: stack.replace(detail, "") },
  };
}

export function unpacked(packed: PackedError): ApiError {
  if ("issues" in packed)
    return new (packed.areChanges ? ChangedRecords : InvalidInput)(packed.issues);
  const { status, message, headers, cause } = packed;
  return Object.assign(new PlainError(status, message, headers), {
    cause: Object.assign(new Error(), cause),
  });
}

/** Turns unexpected errors of `work` into a 500 with the given message. */
export async function failingAs<Result>(
  message: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (apiErrorFor(error) !== undefined || isTemporary(error)) throw error;
    throw Object.assign(new PlainError(500, message), { cause: error });
  }
}

export function statusOf(error: ApiError): number {
  if (error instanceof PlainError) return error.status;
  return error instanceof ChangedRecords ? statuses.changed : 400;
}

/** The error shape of a path: goal endpoints have their own. */
export type ErrorStyle = "standard" | "goal";

export function errorStyleOf(template: string): ErrorStyle {
  return /^\/v1\/goals(\/|$)/.test(template) ? "goal" : "standard";
}

/** The JSON body of an error, in the shape of its path and status. */
export function errorBody(error: ApiError, style: ErrorStyle): object {
  if (error instanceof InvalidInput)
    return style === "goal"
      ? { error: "Validation error", details: error.issues }
      : {
          message: error instanceof ChangedRecords ? "Precondition Failed" : "Validation Error",
          statusCode: statusOf(error),
          validationErrors: error.issues,
        };
  const { message, status, reason } = error;
  return hasPlainShape(status, style)
    ? { error: message, statusCode: status, ...(reason !== undefined && { reason }) }
    : { error: message };
}

/** Statuses with the plain shape on goal endpoints, too. */
const PLAIN_ON_GOALS = new Set([401, 403, 414, 429]);

/** Whether an error that is not a list of issues has `statusCode` in its body. */
export function hasPlainShape(status: number, style: ErrorStyle): boolean {
  return style === "standard" || PLAIN_ON_GOALS.has(status);
}
