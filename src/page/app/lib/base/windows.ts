import { addDays, addMonths, type CalendarDate, type DateRange, monthBefore } from "./dates.ts";
import { inUtc } from "./format.ts";

/** The days that an office looks at: whole months, and the weeks to come. */

/** A month as it stands in an address; undefined for what is none. */
export function monthOf(text = ""): string | undefined {
  return /^(19|2\d)\d\d-(0[1-9]|1[0-2])$/.test(text) ? text : undefined;
}

/** The days of a month, such as `2026-10`. */
export function daysOfMonth(month: string): DateRange {
  const startDate = `${month}-01` as CalendarDate;
  // No month has more than 31 days.
  const next = addDays(startDate, 31).slice(0, 7);
  return { startDate, endDate: addDays(`${next}-01` as CalendarDate, -1) };
}

/** The windows that are offered, by name. */
export function windowsOf(today: CalendarDate): (DateRange & { name: string })[] {
  return [
    { name: "Last month", ...daysOfMonth(monthBefore(today)) },
    { name: "This month", ...daysOfMonth(today.slice(0, 7)) },
    { name: "Next 4 weeks", startDate: today, endDate: addDays(today, 27) },
  ];
}

const monthFormat = inUtc({ month: "long" });

/** How far back an office looks, and how far ahead, in months. */
const [EARLIER, LATER] = [36, 12];

/** The months to choose from, the latest first; with the one that is chosen, whichever it is. */
export function monthsAround(today: CalendarDate, chosen: string): string[] {
  const months = Array.from({ length: EARLIER + 1 + LATER }, (_, index) =>
    addMonths(`${today.slice(0, 7)}-01` as CalendarDate, LATER - index).slice(0, 7),
  );
  return [...new Set([...months, chosen])].sort().reverse();
}

/** `October`, with its year if it is another one than that of a day. */
export function monthText(month: string, today: CalendarDate): string {
  return month.slice(0, 4) === today.slice(0, 4)
    ? monthFormat.format(Date.parse(`${month}-01`))
    : monthName(month);
}

/** `October 2026` */
export function monthName(month: string): string {
  return `${monthFormat.format(Date.parse(`${month}-01`))} ${month.slice(0, 4)}`;
}
