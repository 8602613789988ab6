import type { CalendarDate } from "../lib/calendar-date.ts";
import { compare } from "../lib/compare.ts";
import { remembered } from "../lib/remembered.ts";
import type { StoredPayor } from "../users/stored-entries.ts";

/** A patient's insurance with a payor. */
export type PayorEntry = Omit<StoredPayor, "payorId">;

/** The known priorities, in order; others come behind them, by code unit. */
const PRIORITIES = ["PRIMARY", "SECONDARY", "TERTIARY"];

/**
 * The entry of a payor that covers a day (docs/billing.md): of those with a member id in force on it, the first by
 * priority, then the one that began last, then the first in the record.
 */
export function coverageOn(
  entries: readonly PayorEntry[],
  date: CalendarDate,
): PayorEntry | undefined {
  return entries
    .filter(
      (entry) =>
        entry.memberId.trim() !== "" &&
        entry.effectiveStartDate <= date &&
        (entry.effectiveEndDate === null || date <= entry.effectiveEndDate),
    )
    .toSorted(comparePrecedence)[0];
}

function comparePrecedence(a: PayorEntry, b: PayorEntry): number {
  return (
    compare(rankOf(a), rankOf(b)) ||
    compare(a.priority, b.priority) ||
    compare(b.effectiveStartDate, a.effectiveStartDate)
  );
}

function rankOf({ priority }: PayorEntry): number {
  const rank = PRIORITIES.indexOf(priority);
  return rank === -1 ? PRIORITIES.length : rank;
}

/**
 * Makes a function that finds the coverage of a day among a patient's entries with a payor. Each day is looked up once,
 * however many encounters it has.
 */
export function coverageFinder(
  entries: readonly PayorEntry[],
): (date: CalendarDate) => PayorEntry | undefined {
  if (entries.length === 0) return () => undefined;
  const found = new Map<CalendarDate, { entry: PayorEntry | undefined }>();
  return (date) => remembered(found, date, () => ({ entry: coverageOn(entries, date) })).entry;
}
