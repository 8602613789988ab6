import { addDays, type CalendarDate, type DateRange, monthBefore } from "./dates.ts";

/** The days that an office looks at: whole months, and the weeks to come. */

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

const monthFormat = new Intl.DateTimeFormat("en-US", { month: "long", timeZone: "UTC" });

/** `October`, with its year if it is another one than that of a day. */
export function monthText(month: string, today: CalendarDate): string {
  const name = monthFormat.format(Date.parse(`${month}-01`));
  const year = month.slice(0, 4);
  return year === today.slice(0, 4) ? name : `${name} ${year}`;
}
