import {
  addDays,
  earlier,
  endOfMonth,
  endOfWeek,
  endOfYear,
  later,
  startOfMonth,
  startOfWeek,
  startOfYear,
  type CalendarDate,
  type DateRange,
  WEEK_DAYS,
  type WeekDay,
} from "../lib/calendar-date.ts";

export const UNIT_FREQUENCIES = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY", "TOTAL"] as const;
export type UnitFrequency = (typeof UNIT_FREQUENCIES)[number];

/** Checks a stored frequency. @throws Error if it is unknown; units then cannot be counted. */
export function knownFrequency(text: string | null): UnitFrequency {
  return oneOf(UNIT_FREQUENCIES, text);
}

/** Checks a stored day of the week. @throws Error if it is unknown. */
export function knownWeekDay(text: string): WeekDay {
  return oneOf(WEEK_DAYS, text);
}

function oneOf<const Name extends string>(names: readonly Name[], text: string | null): Name {
  const name = names.find((one) => one === text);
  if (name === undefined) throw new Error(`The database holds none of ${names.join(", ")}`);
  return name;
}

/**
 * The periods of an authorization or pool that overlap a window, in order and without gaps. All ranges include both
 * dates.
 *
 * A period is a calendar day, week, month or year, cut to `term` (the dates of the authorization), but not to the
 * window; the only period of `TOTAL` is the whole term. The cost depends only on the number of returned periods.
 *
 *     periodsIn("WEEKLY", "SUNDAY",
 *       { startDate: "2026-01-07", endDate: "2026-07-06" },
 *       { startDate: "2026-01-01", endDate: "2026-01-12" })
 *     // [{ startDate: "2026-01-07", endDate: "2026-01-10" },   cut to the term
 *     //  { startDate: "2026-01-11", endDate: "2026-01-17" }]   complete, although it extends past the window
 */
export function periodsIn(
  frequency: UnitFrequency,
  weekStartsOn: WeekDay,
  term: DateRange,
  window: DateRange,
): DateRange[] {
  const active = overlap(term, window);
  if (isEmpty(active)) return [];

  const periods: DateRange[] = [];
  let date = active.startDate;
  let period: DateRange;
  do {
    period = periodOn(frequency, weekStartsOn, term, date);
    periods.push(period);
    date = addDays(period.endDate, 1);
  } while (period.endDate < active.endDate);
  return periods;
}

/** The period of a date within a term. */
export function periodOn(
  frequency: UnitFrequency,
  weekStartsOn: WeekDay,
  term: DateRange,
  date: CalendarDate,
): DateRange {
  return overlap(calendarPeriod(frequency, weekStartsOn, date, term), term);
}

/** The term of a pool: from its members' earliest start to their latest expiration. Undefined without members. */
export function poolTerm(members: readonly DateRange[]): DateRange | undefined {
  if (members.length === 0) return undefined;
  return {
    startDate: members.map((member) => member.startDate).reduce(earlier),
    endDate: members.map((member) => member.endDate).reduce(later),
  };
}

/** The complete day, week, month or year of a date; for `TOTAL` the term. */
function calendarPeriod(
  frequency: UnitFrequency,
  weekStartsOn: WeekDay,
  date: CalendarDate,
  term: DateRange,
): DateRange {
  switch (frequency) {
    case "DAILY":
      return { startDate: date, endDate: date };
    case "WEEKLY":
      return { startDate: startOfWeek(date, weekStartsOn), endDate: endOfWeek(date, weekStartsOn) };
    case "MONTHLY":
      return { startDate: startOfMonth(date), endDate: endOfMonth(date) };
    case "YEARLY":
      return { startDate: startOfYear(date), endDate: endOfYear(date) };
    case "TOTAL":
      return term;
  }
}

/** The intersection of two ranges; may be empty. */
export function overlap(a: DateRange, b: DateRange): DateRange {
  return {
    startDate: later(a.startDate, b.startDate),
    endDate: earlier(a.endDate, b.endDate),
  };
}

export function isEmpty(range: DateRange): boolean {
  return range.startDate > range.endDate;
}
