import { addDays, daysBetween, type CalendarDate, coversDay, type DateRange } from "./dates.ts";
import type { Frequency } from "./wire.ts";

/** What the periods of an authorization are on the calendar. */

/**
 * Whether a period is shorter than the calendar's, because the authorization begins or ends within it. It is compared
 * with the whole units all the same.
 */
export function isCut({ startDate, endDate }: DateRange, frequency: Frequency): boolean {
  const isFirstOf = (text: string): boolean => startDate.endsWith(text);
  switch (frequency) {
    case "DAILY":
    case "TOTAL":
      return false;
    case "WEEKLY":
      return daysBetween(startDate, endDate) < 6;
    case "MONTHLY":
      return !isFirstOf("-01") || !nextDay(endDate).endsWith("-01");
    case "YEARLY":
      return !isFirstOf("-01-01") || !nextDay(endDate).endsWith("-01-01");
  }
}

function nextDay(date: CalendarDate): CalendarDate {
  return addDays(date, 1);
}

/** The period that includes a day. */
export function periodOf<Period extends DateRange>(
  periods: readonly Period[],
  day: CalendarDate,
): Period | undefined {
  return periods.find((period) => coversDay(period, day));
}
