import { addDays, daysBetween, type CalendarDate } from "./dates.ts";

/** What the periods of an authorization are on the calendar. */

export type Frequency = "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY" | "TOTAL";

interface Dates {
  startDate: CalendarDate;
  endDate: CalendarDate;
}

/**
 * Whether a period is shorter than the calendar's, because the authorization begins or ends within it. It is compared
 * with the whole units all the same.
 */
export function isCut({ startDate, endDate }: Dates, frequency: Frequency): boolean {
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

/** The frequency of periods, derived from the length of the longest one: it is not part of the API'sm. */
export function frequencyOf(periods: readonly Dates[]): Frequency {
  const days = Math.max(
    ...periods.map(({ startDate, endDate }) => daysBetween(startDate, endDate) + 1),
  );
  if (periods.length <= 1 && days > 1) return "TOTAL";
  if (days === 1) return "DAILY";
  if (days <= 7) return "WEEKLY";
  return days <= 31 ? "MONTHLY" : "YEARLY";
}

function nextDay(date: CalendarDate): CalendarDate {
  return addDays(date, 1);
}
