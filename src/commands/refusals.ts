import { DomainError, type DomainErrorKind } from "../lib/errors.ts";
import { Refused } from "../lib/refused.ts";

/** The errors of the domain in the words of the command line, where those differ. */
const lines: Partial<Record<DomainErrorKind, string>> = {
  datesOutOfOrder: "--start must be on or before --end.",
  noTimeZone:
    "The patient has no supported time zone; name one with --timezone, such as America/New_York.",
};

/** Throws an error of the domain as a refusal of the command, and any other as it is. */
export function refuseInWords(error: unknown): never {
  if (error instanceof DomainError) throw new Refused(lines[error.kind] ?? error.message);
  throw error;
}
