import { DomainError, type DomainErrorKind, InvalidInput } from "../lib/errors.ts";
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

/** The same for a report about some days, whose window may be refused (`schema/report-window.ts`). */
export function refuseWindowInWords(error: unknown): never {
  const [issue] = error instanceof InvalidInput ? error.issues : [];
  if (issue === undefined) throw error;
  throw new Refused(
    issue.message.replaceAll("startDate", "--start").replaceAll("endDate", "--end") + ".",
  );
}
