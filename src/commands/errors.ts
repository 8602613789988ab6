import { DomainError, type DomainErrorKind, InvalidInput } from "../lib/errors.ts";
import { CommandError } from "../lib/command-error.ts";

/** Messages of domain errors on the command line, where they differ from the API's. */
const lines: Partial<Record<DomainErrorKind, string>> = {
  datesOutOfOrder: "--start must be on or before --end.",
};

/** Rethrows a domain error as `CommandError`; other errors unchanged. */
export function rethrowAsCommandError(error: unknown): never {
  if (error instanceof DomainError) throw new CommandError(lines[error.kind] ?? error.message);
  throw error;
}

/** `rethrowAsCommandError` for reports, whose window may be invalid (`schema/report-window.ts`). */
export function rethrowWindowError(error: unknown): never {
  const [issue] = error instanceof InvalidInput ? error.issues : [];
  if (issue === undefined) throw error;
  throw new CommandError(
    issue.message.replaceAll("startDate", "--start").replaceAll("endDate", "--end") + ".",
  );
}
