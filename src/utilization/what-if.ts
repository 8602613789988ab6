import type { CalendarDate, DateRange, WeekDay } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import { dayOf, instantsOf, type TimeZone } from "../lib/time-zone.ts";
import {
  committedUnits,
  isWithin,
  type PeriodGrid,
  periodGrid,
  type PeriodUnits,
} from "./unit-counter.ts";
import { isEmpty, overlap, periodOn, type UnitFrequency } from "./periods.ts";
import { unitsOver } from "./units.ts";

/** The pure computations of a what-if: the affected periods, before and after the changes. */

interface Starting {
  startTime: Instant;
}

/** The days on which added and cancelled sessions start. */
export interface ConcernedDays {
  /** Of added and cancelled sessions within the authorization's dates. */
  own: CalendarDate[];
  /**
   * Also of cancelled sessions outside its dates: they are in no period of the authorization, but may be in one of its
   * pool.
   */
  all: CalendarDate[];
  /** Indexes of added sessions outside the authorization's dates, which are in no period. */
  outside: number[];
}

export function concernedDays(
  { add, cancelled }: { add: readonly Starting[]; cancelled: readonly Starting[] },
  dates: DateRange,
  timeZone: TimeZone,
): ConcernedDays {
  const term = instantsOf(dates, timeZone);
  const isInside = ({ startTime }: Starting) => isWithin(startTime, term);
  const day = ({ startTime }: Starting) => dayOf(startTime, timeZone);
  const added = add.filter(isInside).map(day);
  return {
    own: [...added, ...cancelled.filter(isInside).map(day)],
    all: [...added, ...cancelled.map(day)],
    outside: add.flatMap((session, place) => (isInside(session) ? [] : [place])),
  };
}

/** The distinct periods of a term that contain some days, in order. They may have gaps between them. */
export function gridOfDays(
  days: readonly CalendarDate[],
  term: DateRange,
  frequency: { unitFrequency: UnitFrequency; weekStartsOn: WeekDay },
  timeZone: TimeZone,
): PeriodGrid {
  const { unitFrequency, weekStartsOn } = frequency;
  const periods = new Map<CalendarDate, DateRange>();
  for (const day of days.toSorted()) {
    if (isEmpty(overlap(term, { startDate: day, endDate: day }))) continue;
    const period = periodOn(unitFrequency, weekStartsOn, term, day);
    periods.set(period.startDate, period);
  }
  return periodGrid([...periods.values()], term, timeZone);
}

/** A period before and after the changes. */
export interface ComparedPeriod extends DateRange {
  /** For a complete period; null without a limit. */
  unitsAuthorized: number | null;
  unitsCommitted: number;
  unitsAfter: number;
  unitsOver: number;
}

/** Compares periods before and after. */
export function comparePeriods(
  before: readonly PeriodUnits[],
  after: readonly PeriodUnits[],
  unitsAuthorized: number | null,
): ComparedPeriod[] {
  return before.map(({ startDate, endDate, ...units }, index) => {
    const unitsAfter = committedUnits(after[index] ?? units);
    return {
      ...{ startDate, endDate, unitsAuthorized },
      unitsCommitted: committedUnits(units),
      unitsAfter,
      unitsOver: unitsOver(unitsAfter, unitsAuthorized),
    };
  });
}

/** Whether one of the days is in the period. */
export function holdsAny(
  { startDate, endDate }: DateRange,
  days: readonly CalendarDate[],
): boolean {
  return days.some((day) => startDate <= day && day <= endDate);
}

/** Whether the period is over its limit afterwards, and by more than before: then it has an added session. */
export function isExceeded({ unitsOver, unitsAfter, unitsCommitted }: ComparedPeriod): boolean {
  return unitsOver > 0 && unitsAfter > unitsCommitted;
}
