import { addDays, type CalendarDate, parseCalendarDate } from "./dates.ts";

/** Months of the calendar, as `2026-10`. */

export function monthBefore(date: CalendarDate): string {
  return addDays(`${date.slice(0, 7)}-01` as CalendarDate, -1).slice(0, 7);
}

/** The first and the last day of a month; undefined where the text is none. */
export function daysOfMonth(
  month: string,
): { startDate: CalendarDate; endDate: CalendarDate } | undefined {
  const startDate = parseCalendarDate(`${month}-01`);
  if (startDate === undefined) return undefined;
  const next = addDays(startDate, 31).slice(0, 7);
  return { startDate, endDate: addDays(`${next}-01` as CalendarDate, -1) };
}
