import * as dateFns from "date-fns";

/**
 * A calendar date without time or zone, as `YYYY-MM-DD` text: it sorts, compares (`<`, `===`) and serializes
 * as it is.
 *
 * date-fns does the arithmetic. It parses the text as midnight UTC but computes in the time zone of the process,
 * which therefore has to be UTC: `main.ts` and `bun test` set it, and `toCalendarDate` below checks it. In New
 * York, the day after 2025-03-09 would be 2025-03-09 again.
 *
 * Results are clamped to 0001-01-01 and 9999-12-31. Authorizations "without end" do end on 9999-12-31; a day
 * later is still 9999-12-31.
 */
export type CalendarDate = string & { readonly __type: "CalendarDate" };

export const FIRST_DATE = "0001-01-01" as CalendarDate;
export const LAST_DATE = "9999-12-31" as CalendarDate;

/** A range of dates, both included. Empty when `endDate` is before `startDate`. */
export interface DateRange {
  startDate: CalendarDate;
  endDate: CalendarDate;
}

/** The days of the week, in the order of `Date.getDay`. */
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
 * Parses `YYYY-MM-DD`. The date must exist in the (proleptic) Gregorian calendar, from year 0001 on. Undefined
 * for any other text.
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

/** Parses a calendar month, `YYYY-MM`. Undefined for any other text. */
export function parseMonth(text: string): DateRange | undefined {
  const startDate = parseCalendarDate(`${text}-01`);
  return startDate && { startDate, endDate: endOfMonth(startDate) };
}

/** Whether a text begins with an existing date. Reads digit by digit for speed: an import parses millions of dates. */
export function beginsWithDate(text: string): boolean {
  if (text[4] !== "-" || text[7] !== "-") return false;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const day = twoDigits(text, 8);
  return year >= 1 && day >= 1 && day <= daysIn(year, twoDigits(text, 5));
}

const ZERO = "0".charCodeAt(0);

/** The value of the two digits at an index; NaN if they are not digits. */
export function twoDigits(text: string, index: number): number {
  const tens = text.charCodeAt(index) - ZERO;
  const ones = text.charCodeAt(index + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The number of days in a month (1 to 12); 0 for any other month. */
function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}

/** Adds days; a negative number subtracts them. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return toCalendarDate(dateFns.addDays(date, days));
}

/** Adds months, to the same day or to the last day of a shorter month: 31 January gives 28 February. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  return toCalendarDate(dateFns.addMonths(date, months));
}

/** Adds years; 29 February gives 28 February in a common year. */
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

/** The number of days from `from` to `to`: 1 from a day to the next, negative if `to` is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return dateFns.differenceInCalendarDays(to, from);
}

function weekOptions(weekStartsOn: WeekDay): { weekStartsOn: dateFns.Day } {
  return { weekStartsOn: WEEK_DAYS.indexOf(weekStartsOn) as dateFns.Day };
}

function toCalendarDate(date: Date): CalendarDate {
  if (date.getTimezoneOffset() !== 0)
    throw new Error("The process must run with TZ=UTC to compute calendar dates");
  const year = date.getFullYear();
  if (year < 1) return FIRST_DATE;
  if (year > 9999) return LAST_DATE;
  return date.toISOString().slice(0, 10) as CalendarDate;
}
