/**
 * Errors of the domain rules, as plain data. `http/errors.ts` turns them into a status and a body,
 * `commands/errors.ts` into a line of text.
 *
 * Messages are safe to show: they contain no exception text, no SQL and no submitted or stored values, except ids where
 * the contract requires them.
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

/** Why a line of a practice file is refused, for programs. */
export const issueReasons = [
  // The line is no JSON object.
  "not_json",
  "unknown_type",
  "unknown_field",
  "required",
  "invalid_value",
  // A record that is referred to does not exist.
  "unknown_record",
  // Other records refer to a record that is to be deleted.
  "in_use",
  "duplicate",
  // Breaks a rule between records.
  "does_not_fit",
  "changed_since",
] as const;

export type IssueReason = (typeof issueReasons)[number];

/** One invalid field. `path` consists of property names and array indexes; `[]` is the whole input. */
export interface Issue {
  code: IssueCode;
  message: string;
  path: (string | number)[];
  /** Only of lines of a practice file. */
  reason?: IssueReason;
}

/** Input or an operation that breaks a rule of the domain. */
abstract class RuleBroken extends Error {
  /** Patients about whom this error discloses something, such as that one has a given email address. */
  patientIds: readonly string[] = [];

  /** Sets `patientIds`, for the audit trail. */
  withPatientIds(patientIds: readonly string[]): this {
    this.patientIds = patientIds;
    return this;
  }
}

/** Input with one or more invalid fields. */
export class InvalidInput extends RuleBroken {
  constructor(readonly issues: Issue[]) {
    super("Invalid input");
  }
}

/** Records that have changed since the caller read them: one issue each. */
export class ChangedRecords extends InvalidInput {}

/** One invalid field, by a rule that only a service can check. */
export function invalid(path: (string | number)[], message: string): InvalidInput {
  return new InvalidInput([{ code: "custom", message, path }]);
}

export type DomainErrorKind =
  /** Does not exist in the caller's organization. */
  | "notFound"
  /** The input refers to records that the organization does not have, or that do not belong together. */
  | "unknownReference"
  | "datesOutOfOrder"
  | "notAllowed"
  /** Conflicts with an existing record. */
  | "conflict"
  /** The user is inactive or no staff. */
  | "notStaff"
  /** Has changed since the caller read it. */
  | "changed"
  /** Existed, and is no longer kept. */
  | "gone"
  /** Neither the request nor the patient has a time zone. */
  | "noTimeZone";

/** An error that is described by a single message. */
export class DomainError extends RuleBroken {
  constructor(
    readonly kind: DomainErrorKind,
    message: string,
  ) {
    super(message);
  }
}
