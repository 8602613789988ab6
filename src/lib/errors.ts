/**
 * What the rules of the domain refuse, as plain data. Whoever asked says it in words of their own: `http/errors.ts`
 * as a status and a body, `commands/refusals.ts` as a line.
 *
 * A message is written by us: no exception's text, no SQL and no submitted or stored value is ever part of it,
 * but for the ids that a refusal names because the contract wants them named.
 */

/** Zod 3's issue codes, which the contract's examples use. */
export const issueCodes = [
  "invalid_type",
  "invalid_enum_value",
  "invalid_literal",
  "invalid_union_discriminator",
  "unrecognized_keys",
  "invalid_string",
  "invalid_date",
  "too_small",
  "too_big",
  "not_finite",
  "custom",
] as const;

export type IssueCode = (typeof issueCodes)[number];

/** One offending field: `path` holds property names and array indexes, `[]` is the whole input. */
export interface Issue {
  code: IssueCode;
  message: string;
  path: (string | number)[];
}

/** What a rule refuses. */
abstract class RuleBroken extends Error {
  /** The patients of whom the refusal tells something, such as that there is one with an email address. */
  patientIds: readonly string[] = [];

  /** Names them for the audit trail. */
  tellingOf(patientIds: readonly string[]): this {
    this.patientIds = patientIds;
    return this;
  }
}

/** Input that breaks rules which are each about one field. */
export class InvalidInput extends RuleBroken {
  constructor(readonly issues: Issue[]) {
    super("Invalid input");
  }
}

/** Input that breaks one rule, at one field, which only a service can check. */
export function invalid(path: (string | number)[], message: string): InvalidInput {
  return new InvalidInput([{ code: "custom", message, path }]);
}

export type DomainErrorKind =
  /** What is asked for does not exist, as far as the organization can see. */
  | "notFound"
  /** The input names things that the organization does not have, or that do not go together. */
  | "unknownReference"
  | "datesOutOfOrder"
  | "notAllowed"
  /** Something that exists stands in the way. */
  | "conflict"
  /** Neither the request nor the patient says in which time zone. */
  | "noTimeZone";

/** A refusal in one sentence. */
export class DomainError extends RuleBroken {
  constructor(
    readonly kind: DomainErrorKind,
    message: string,
  ) {
    super(message);
  }
}
