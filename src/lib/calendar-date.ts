import * as dateFns from "date-fns";

/**
 * Dates on the calendar, with no time and no zone. They are plain `YYYY-MM-DD` text, so that they sort,
 * compare (`<`, `===`) and serialize as they are.
 *
 * The arithmetic is date-fns', which reads such a text as midnight in UTC and computes in the zone of the
 * process. That zone is UTC, where every day has 24 hours: `main.ts` sees to it, and so do `bun test` and
 * the guard below. In New York's the day after 2025-03-09 would be 2025-03-09 again.
 *
 * Results stop at the first and the last date there is, as authorizations "without end" do end on
 * 9999-12-31: a day after it is still 9999-12-31.
 */
export type CalendarDate = string & { readonly __type: "CalendarDate" };

export const FIRST_DATE = "0001-01-01" as CalendarDate;
export const LAST_DATE = "9999-12-31" as CalendarDate;

/** A stretch of dates, both included. It is empty when `endDate` is before `startDate`. */
export interface DateRange {
  startDate: CalendarDate;
  endDate: CalendarDate;
}

/** The days of the week, in the order in which `Date` counts them. */
export const WEEK_DAYS = [
  "SUNDAY",
  "MONDAY",
  "TUESDAY",
  "WEDNESDAY",
  "THURSDAY",
  "FRIDAY",
  "SATURDAY",
] as const;
export type WeekDay = (typeof WEEK_DAYS)[number];

/**
 * Reads a date of exactly the form `YYYY-MM-DD` that exists in the (proleptic) Gregorian calendar, from
 * year 0001 on; anything else is undefined.
 *
 *     parseCalendarDate("2024-02-29")  // "2024-02-29"
 *     parseCalendarDate("2024-02-30")  // undefined
 *     parseCalendarDate("2024-2-3")    // undefined
 */
export function parseCalendarDate(text: string): CalendarDate | undefined {
  return text.length === FIRST_DATE.length && beginsWithDate(text)
    ? (text as CalendarDate)
    : undefined;
}

/** Whether a text begins with a date that exists. It is read digit by digit: an import reads a million. */
export function beginsWithDate(text: string): boolean {
  if (text[4] !== "-" || text[7] !== "-") return false;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const day = twoDigits(text, 8);
  return year >= 1 && day >= 1 && day <= daysIn(year, twoDigits(text, 5));
}

const ZERO = "0".charCodeAt(0);

/** The number that the two characters at an index are; NaN where they are no digits. */
export function twoDigits(text: string, index: number): number {
  const tens = text.charCodeAt(index) - ZERO;
  const ones = text.charCodeAt(index + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** How many days a month has, counted from 1; none where there is no such month. */
function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}

/** The date so many days later, or earlier when negative. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return toCalendarDate(dateFns.addDays(date, days));
}

/** The same day so many months later, or the last of that month where it is shorter: 31 January gives 28 February. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  return toCalendarDate(dateFns.addMonths(date, months));
}

/** The same day so many years later; 29 February gives 28 February in a common year. */
export function addYears(date: CalendarDate, years: number): CalendarDate {
  return toCalendarDate(dateFns.addYears(date, years));
}

/** The first day of the week that `date` is in, for weeks that begin on `weekStartsOn`. */
export function startOfWeek(date: CalendarDate, weekStartsOn: WeekDay): CalendarDate {
  return toCalendarDate(dateFns.startOfWeek(date, weekOptions(weekStartsOn)));
}

/** The last day of the week that `date` is in, for weeks that begin on `weekStartsOn`. */
export function endOfWeek(date: CalendarDate, weekStartsOn: WeekDay): CalendarDate {
  return toCalendarDate(dateFns.endOfWeek(date, weekOptions(weekStartsOn)));
}

export function startOfMonth(date: CalendarDate): CalendarDate {
  return toCalendarDate(dateFns.startOfMonth(date));
}

export function endOfMonth(date: CalendarDate): CalendarDate {
  return toCalendarDate(dateFns.endOfMonth(date));
}

export function startOfYear(date: CalendarDate): CalendarDate {
  return toCalendarDate(dateFns.startOfYear(date));
}

export function endOfYear(date: CalendarDate): CalendarDate {
  return toCalendarDate(dateFns.endOfYear(date));
}

/** The earlier of two dates. */
export function earlier(a: CalendarDate, b: CalendarDate): CalendarDate {
  return a < b ? a : b;
}

/** The later of two dates. */
export function later(a: CalendarDate, b: CalendarDate): CalendarDate {
  return a > b ? a : b;
}

/** How many days `to` is after `from`: 1 from a day to the next, 0 for the same, negative when earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dateFns.differenceInCalendarDays(to, from);
}

function weekOptions(weekStartsOn: WeekDay): { weekStartsOn: dateFns.Day } {
  return { weekStartsOn: WEEK_DAYS.indexOf(weekStartsOn) as dateFns.Day };
}

function toCalendarDate(date: Date): CalendarDate {
  if (date.getTimezoneOffset() !== 0)
    throw new Error("Calendar dates need the process's TZ to be UTC");
  const year = date.getFullYear();
  if (year < 1) return FIRST_DATE;
  if (year > 9999) return LAST_DATE;
  return date.toISOString().slice(0, 10) as CalendarDate;
}
