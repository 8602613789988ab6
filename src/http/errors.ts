import { isTemporary } from "../../db/errors.ts";
import { DomainError, type DomainErrorKind, InvalidInput } from "../lib/errors.ts";

/**
 * The three error shapes of the API, each made here and nowhere else, and the status that each error of the
 * domain is answered with.
 */

/** A refusal with one sentence for the client, in the plain shape. */
export class PlainError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

const statuses: Record<DomainErrorKind, number> = {
  unknownReference: 400,
  datesOutOfOrder: 400,
  notAllowed: 403,
  notFound: 404,
  conflict: 409,
  gone: 410,
  noTimeZone: 422,
};

/** What the client is answered where this was thrown; undefined for what nobody meant to throw. */
export function refusalFor(error: unknown): InvalidInput | PlainError | undefined {
  if (error instanceof DomainError) return new PlainError(statuses[error.kind], error.message);
  return error instanceof InvalidInput || error instanceof PlainError ? error : undefined;
}

/** Runs work, and says of what nobody meant to throw that this failed. */
export async function failingAs<Result>(
  sentence: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (refusalFor(error) !== undefined || isTemporary(error)) throw error;
    throw Object.assign(new PlainError(500, sentence), { cause: error });
  }
}

/** The status of a list of offending fields. */
const INVALID_INPUT = 400;

export function statusOf(refusal: InvalidInput | PlainError): number {
  return refusal instanceof PlainError ? refusal.status : INVALID_INPUT;
}

/** Which of the shapes refusals have: those of goals are their own. */
export type ErrorStyle = "standard" | "goal";

/** The shape of a refusal is that of its path. */
export function errorStyleOf(template: string): ErrorStyle {
  return /^\/v1\/goals(\/|$)/.test(template) ? "goal" : "standard";
}

/** The JSON body of a refusal, in the shape of its path and status. */
export function errorBody(refusal: InvalidInput | PlainError, style: ErrorStyle): object {
  if (refusal instanceof InvalidInput)
    return style === "goal"
      ? { error: "Validation error", details: refusal.issues }
      : {
          message: "Validation Error",
          statusCode: INVALID_INPUT,
          validationErrors: refusal.issues,
        };
  return hasPlainShape(refusal.status, style)
    ? { error: refusal.message, statusCode: refusal.status }
    : { error: refusal.message };
}

/** Statuses that the goal endpoints, too, answer in the plain shape. */
const PLAIN_ON_GOALS = new Set([401, 403, 414, 429]);

/** Whether a refusal that is no list of issues carries its `statusCode` in the body. */
export function hasPlainShape(status: number, style: ErrorStyle): boolean {
  return style === "standard" || PLAIN_ON_GOALS.has(status);
}
