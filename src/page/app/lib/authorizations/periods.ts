import {
  addDays,
  daysBetween,
  type CalendarDate,
  coversDay,
  type DateRange,
} from "../base/dates.ts";
import type { Frequency } from "../base/wire.ts";

/** What the periods of an authorization are on the calendar. */

/**
 * Whether a period is shorter than the calendar's, because the authorization begins or ends within it. It is compared
 * with the whole units all the same.
 */
export function isCut({ startDate, endDate }: DateRange, frequency: Frequency): boolean {
  const next = addDays(endDate, 1);
  const isWhole = (first: string): boolean => startDate.endsWith(first) && next.endsWith(first);
  switch (frequency) {
    case "DAILY":
    case "TOTAL":
      return false;
    case "WEEKLY":
      return daysBetween(startDate, endDate) < 6;
    case "MONTHLY":
      return !isWhole("-01");
    case "YEARLY":
      return !isWhole("-01-01");
  }
}

/** The period that includes a day. */
export function periodOf<Period extends DateRange>(
  periods: readonly Period[],
  day: CalendarDate,
): Period | undefined {
  return periods.find((period) => coversDay(period, day));
}
