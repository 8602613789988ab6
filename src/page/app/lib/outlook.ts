import {
  addDays,
  type CalendarDate,
  type DateRange,
  daysBetween,
  startOfWeek,
  type WeekDay,
} from "./dates.ts";

/** How units will be used up, if the practice goes on as in the last weeks. */

/** Units that were delivered, or are booked, on a day. */
export interface Use {
  day: CalendarDate;
  units: number;
}

const FULL_WEEKS = 4;

/** The last four full weeks before the week of a day. */
export function lastFullWeeks(today: CalendarDate, weekStartsOn: WeekDay): DateRange {
  const thisWeek = startOfWeek(today, weekStartsOn);
  return { startDate: addDays(thisWeek, -7 * FULL_WEEKS), endDate: addDays(thisWeek, -1) };
}

/** The mean of the units of the last four full weeks. */
export function usualWeek(
  uses: readonly Use[],
  today: CalendarDate,
  weekStartsOn: WeekDay,
): number {
  const weeks = lastFullWeeks(today, weekStartsOn);
  return unitsIn(uses, weeks) / FULL_WEEKS;
}

function unitsIn(uses: readonly Use[], { startDate, endDate }: DateRange): number {
  return uses
    .filter(({ day }) => startDate <= day && day <= endDate)
    .reduce((sum, { units }) => sum + units, 0);
}

/** The sums of units up to each day with any, in order. */
export function usedUp(uses: readonly Use[]): Use[] {
  const byDay = Map.groupBy(uses, ({ day }) => day);
  let sum = 0;
  return [...byDay.keys()].toSorted().map((day) => {
    for (const { units } of byDay.get(day) ?? []) sum += units;
    return { day, units: sum };
  });
}

/** The day on which the rest is used up at a pace of units a week; undefined if it is never. */
export function endAtPace(
  rest: number,
  perWeek: number,
  today: CalendarDate,
): CalendarDate | undefined {
  if (perWeek <= 0) return undefined;
  return addDays(today, Math.max(0, Math.floor((rest / perWeek) * 7)));
}

/** What a usual week in each week that has nothing booked would come to. */
export interface Outlook {
  /** Weeks with nothing booked, from the next week to the end; the last one may be cut short. */
  emptyWeeks: number;
  /** The units that they would have. */
  units: number;
  /** Periods that would exceed their units, with the excess. */
  over: (DateRange & { units: number })[];
}

/**
 * Lays the usual week over the weeks that have nothing booked, from the week after a day's to the end of the term. Its
 * units are spread evenly over its days, so that a week may belong to two periods, and a cut one has fewer.
 *
 * @param booked the uses after that day.
 * @param periods with their committed units.
 */
export function ifUsualWeekGoesOn(options: {
  perWeek: number;
  booked: readonly Use[];
  periods: readonly (DateRange & { committed: number })[];
  limit: number;
  today: CalendarDate;
  weekStartsOn: WeekDay;
  /** The last day of the term. */
  end: CalendarDate;
}): Outlook {
  const { perWeek, booked, periods, limit, today, weekStartsOn, end } = options;
  const busy = new Set(booked.map(({ day }) => startOfWeek(day, weekStartsOn)));
  const empty: DateRange[] = [];
  for (
    let week = addDays(startOfWeek(today, weekStartsOn), 7);
    week <= end;
    week = addDays(week, 7)
  ) {
    const last = addDays(week, 6);
    if (!busy.has(week)) empty.push({ startDate: week, endDate: last < end ? last : end });
  }
  const daily = perWeek / 7;
  const over = periods.flatMap(({ startDate, endDate, committed }) => {
    const days = empty.reduce((sum, week) => sum + sharedDays(week, { startDate, endDate }), 0);
    const units = committed + days * daily - limit;
    // Means of decimals are not exact.
    return days > 0 && units > 1e-6 ? [{ startDate, endDate, units }] : [];
  });
  const days = empty.reduce((sum, week) => sum + sharedDays(week, week), 0);
  return { emptyWeeks: empty.length, units: days * daily, over };
}

/** The number of days that two ranges have in common. */
function sharedDays(a: DateRange, b: DateRange): number {
  const start = a.startDate > b.startDate ? a.startDate : b.startDate;
  const end = a.endDate < b.endDate ? a.endDate : b.endDate;
  return Math.max(0, daysBetween(start, end) + 1);
}
