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

/** A stored frequency. @throws Error for a text that is none: no units can be counted then. */
export function knownFrequency(text: string | null): UnitFrequency {
  return knownOf(UNIT_FREQUENCIES, text);
}

/** A stored day of the week. @throws Error for a text that is none. */
export function knownWeekDay(text: string): WeekDay {
  return knownOf(WEEK_DAYS, text);
}

function knownOf<const Known extends string>(known: readonly Known[], text: string | null): Known {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new Error(`The database holds none of ${known.join(", ")}`);
  return found;
}

/**
 * The periods of an authorization, or of a pool, that overlap a window, in order and without a gap. All
 * ranges include both of their dates.
 *
 * A period is a day, a week, a month or a year of the calendar, cut to `life`, the dates of the
 * authorization, and never to the window; the period of `TOTAL` is the whole life. The cost
 * is that of the periods returned, wherever in a long life they are.
 *
 *     periodsIn("WEEKLY", "SUNDAY",
 *       { startDate: "2026-01-07", endDate: "2026-07-06" },
 *       { startDate: "2026-01-01", endDate: "2026-01-12" })
 *     // [{ startDate: "2026-01-07", endDate: "2026-01-10" },   cut to the life
 *     //  { startDate: "2026-01-11", endDate: "2026-01-17" }]   whole, past the window
 */
export function periodsIn(
  frequency: UnitFrequency,
  weekStartsOn: WeekDay,
  life: DateRange,
  window: DateRange,
): DateRange[] {
  const active = overlap(life, window);
  if (isEmpty(active)) return [];

  const periods: DateRange[] = [];
  let date = active.startDate;
  let period: DateRange;
  do {
    period = periodOn(frequency, weekStartsOn, life, date);
    periods.push(period);
    date = addDays(period.endDate, 1);
  } while (period.endDate < active.endDate);
  return periods;
}

/** The one period of a life that includes a date of it. */
export function periodOn(
  frequency: UnitFrequency,
  weekStartsOn: WeekDay,
  life: DateRange,
  date: CalendarDate,
): DateRange {
  return overlap(calendarPeriod(frequency, weekStartsOn, date, life), life);
}

/** The life of a pool: from its members' earliest start to their latest expiration. Undefined without members. */
export function poolLife(members: readonly DateRange[]): DateRange | undefined {
  if (members.length === 0) return undefined;
  return {
    startDate: members.map((member) => member.startDate).reduce(earlier),
    endDate: members.map((member) => member.endDate).reduce(later),
  };
}

/** The day, week, month or year that the date is in, whole; for `TOTAL` the life. */
function calendarPeriod(
  frequency: UnitFrequency,
  weekStartsOn: WeekDay,
  date: CalendarDate,
  life: DateRange,
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
      return life;
  }
}

/** What two ranges have in common, which may be an empty range. */
export function overlap(a: DateRange, b: DateRange): DateRange {
  return {
    startDate: later(a.startDate, b.startDate),
    endDate: earlier(a.endDate, b.endDate),
  };
}

export function isEmpty(range: DateRange): boolean {
  return range.startDate > range.endDate;
}
