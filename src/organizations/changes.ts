import type { CalendarDate } from "../lib/calendar-date.ts";
import { DomainError, invalid } from "../lib/errors.ts";
import type { getOrganization } from "./repository.ts";

/** The columns of an organization that say which changes are known. */
type KnownChanges = Pick<
  Awaited<ReturnType<typeof getOrganization>>,
  "sequence" | "changes_known_from"
>;

/** How long deletions and writes are remembered, in milliseconds: 400 days (docs/keeping-a-copy.md). */
export const RETENTION = 400 * 24 * 60 * 60 * 1000;

/**
 * Checks that all changes since a sequence are known: changes are forgotten after 400 days, and a restored backup
 * begins another history.
 *
 * @param parameter the query parameter that has the sequence.
 * @throws InvalidInput if the sequence is above that of the last write.
 * @throws DomainError `gone` if it is from before changes are known.
 */
export function requireKnownChanges(
  { sequence, changes_known_from }: KnownChanges,
  since: number,
  parameter: string,
): void {
  if (since > sequence) throw invalid([parameter], "Is above the sequence of the last write");
  if (since < changes_known_from) throw forgotten(since);
}

/** The error for changes since a sequence or a day that are no longer known. */
export function forgotten(since: number | CalendarDate): DomainError {
  return new DomainError("gone", `Changes since ${since} are no longer known; export everything`);
}

/** What is said of a record that has changed since the caller read it. */
export const hasChanged = (since: number) => `Has changed since ${since}`;
