import type { CalendarDate, DateRange, WeekDay } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { dayOf, instantsOf, type TimeZone } from "../lib/time-zone.ts";
import { isWithin, type PeriodGrid, periodGrid, type PeriodUnits } from "./counts.ts";
import { isEmpty, overlap, periodOn, type UnitFrequency } from "./periods.ts";
import { sumOfUnits, unitsOver } from "./units.ts";

/** What a what-if comes to, in plain values: which periods it is about, and how they stand before and after it. */

interface Starting {
  startTime: Instant;
}

/** The days on which the sessions of a question start. */
export interface ConcernedDays {
  /** Of added sessions within the authorization's dates. */
  added: CalendarDate[];
  /** Of added and cancelled sessions within them. */
  own: CalendarDate[];
  /** Of those, and of cancelled sessions outside them: they lie in no period of it, and may in one of its pool. */
  all: CalendarDate[];
  /** Places of the added sessions outside the authorization's dates, which are in no period at all. */
  outside: number[];
}

export function concernedDays(
  { add, cancelled }: { add: readonly Starting[]; cancelled: readonly Starting[] },
  dates: DateRange,
  timeZone: TimeZone,
): ConcernedDays {
  const life = instantsOf(dates, timeZone);
  const isInside = ({ startTime }: Starting) => isWithin(startTime, life);
  const day = ({ startTime }: Starting) => dayOf(startTime, timeZone);
  const added = add.filter(isInside).map(day);
  return {
    added,
    own: [...added, ...cancelled.filter(isInside).map(day)],
    all: [...added, ...cancelled.map(day)],
    outside: add.flatMap((session, place) => (isInside(session) ? [] : [place])),
  };
}

/** The periods of a life in which some days lie, each once and in order. They need not adjoin. */
export function gridOfDays(
  days: readonly CalendarDate[],
  life: DateRange,
  frequency: { unitFrequency: UnitFrequency; weekStartsOn: WeekDay },
  timeZone: TimeZone,
): PeriodGrid {
  const { unitFrequency, weekStartsOn } = frequency;
  const periods = new Map<CalendarDate, DateRange>();
  for (const day of days.toSorted()) {
    if (isEmpty(overlap(life, { startDate: day, endDate: day }))) continue;
    const period = periodOn(unitFrequency, weekStartsOn, life, day);
    periods.set(period.startDate, period);
  }
  return periodGrid([...periods.values()], life, timeZone);
}

/** How a period stands before and after a question. */
export interface ComparedPeriod extends DateRange {
  /** For one whole period; null without a limit. */
  unitsAuthorized: number | null;
  unitsCommitted: number;
  unitsAfter: number;
  unitsOver: number;
}

/** Periods before and after, of which the sessions are those that are open: with what was delivered, all is committed. */
export function comparePeriods(
  before: readonly PeriodUnits[],
  after: readonly PeriodUnits[],
  unitsAuthorized: number | null,
): ComparedPeriod[] {
  return before.map(({ startDate, endDate, ...units }, index) => {
    const unitsAfter = committed(after[index] ?? units);
    return {
      ...{ startDate, endDate, unitsAuthorized },
      unitsCommitted: committed(units),
      unitsAfter,
      unitsOver: unitsOver(unitsAfter, unitsAuthorized),
    };
  });
}

function committed({ unitsUtilized, unitsScheduled }: Omit<PeriodUnits, keyof DateRange>): number {
  return sumOfUnits(unitsUtilized, unitsScheduled);
}

/** Whether one of the days lies in the period. */
export function holdsAny(
  { startDate, endDate }: DateRange,
  days: readonly CalendarDate[],
): boolean {
  return days.some((day) => startDate <= day && day <= endDate);
}

/** Whether the period is over its limit afterwards, and was not as much before. */
export function isExceeded({ unitsOver, unitsAfter, unitsCommitted }: ComparedPeriod): boolean {
  return unitsOver > 0 && unitsAfter > unitsCommitted;
}
