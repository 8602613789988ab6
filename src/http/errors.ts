/**
 * The three error shapes of the specification (section 7), each made here and nowhere else. What a client
 * reads is written by us: no exception's text, no SQL and no submitted or stored value is ever part of it, but
 * for the ids that a refusal names because the specification wants them named (4.2).
 */

/** Zod 3's issue codes, which the specification's examples use (decisions 1). */
export const issueCodes = [
  "invalid_type",
  "invalid_enum_value",
  "invalid_literal",
  "invalid_union_discriminator",
  "invalid_string",
  "invalid_date",
  "too_small",
  "too_big",
  "not_finite",
  "custom",
] as const;

export type IssueCode = (typeof issueCodes)[number];

/** One offending field: `path` holds property names and array indexes, `[]` is the whole body. */
export interface Issue {
  code: IssueCode;
  message: string;
  path: (string | number)[];
}

/** A 400 that lists the offending fields. */
export class ValidationError extends Error {
  readonly status = 400;

  constructor(readonly issues: Issue[]) {
    super("Validation Error");
  }
}

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

/** A `custom` issue at one field, for rules that only a service can check. */
export function customIssue(path: (string | number)[], message: string): ValidationError {
  return new ValidationError([{ code: "custom", message, path }]);
}

/** Which of the shapes an endpoint answers with: the goal endpoints have their own. */
export type ErrorStyle = "standard" | "goal";

/** The JSON body of a refusal, in the shape that the specification gives this endpoint and status. */
export function errorBody(error: ValidationError | PlainError, style: ErrorStyle): object {
  if (error instanceof ValidationError)
    return style === "goal"
      ? { error: "Validation error", details: error.issues }
      : { message: "Validation Error", statusCode: 400, validationErrors: error.issues };
  return hasPlainShape(error.status, style)
    ? { error: error.message, statusCode: error.status }
    : { error: error.message };
}

/** Statuses that the goal endpoints, too, answer in the plain shape (decisions 1). */
const PLAIN_ON_GOALS = new Set([401, 403, 429]);

/** Whether a refusal that is no list of issues carries its `statusCode` in the body. */
export function hasPlainShape(status: number, style: ErrorStyle): boolean {
  return style === "standard" || PLAIN_ON_GOALS.has(status);
}
