import type { DateRange } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import {
  endOfDay,
  instantsOf,
  startOfDay,
  type InstantRange,
  type TimeZone,
} from "../lib/time-zone.ts";
import { isEmpty, overlap } from "./periods.ts";
import { countsAsScheduled, fromMillionths, scheduledUnits, toMillionths } from "./units.ts";

/**
 * The periods of a request and the instants that bound them. They are found once, so that no record's time
 * is ever turned into a local one: instants compare as text.
 */
export interface PeriodGrid {
  timeZone: TimeZone;
  window: DateRange;
  /** The periods of the pool, or of the authorization where there is no pool, that overlap the window. */
  periods: readonly DateRange[];
  /** The first and the last instant of each period. */
  starts: readonly Instant[];
  ends: readonly Instant[];
  /** From the first instant of the first period to the last one of the last; undefined without periods. */
  span: InstantRange | undefined;
}

/** Finds the instants of periods, which are in order and overlap the window. */
export function periodGrid(
  periods: readonly DateRange[],
  window: DateRange,
  timeZone: TimeZone,
): PeriodGrid {
  const starts = periods.map((period) => startOfDay(period.startDate, timeZone));
  const ends = periods.map((period) => endOfDay(period.endDate, timeZone));
  const [from, to] = [starts[0], ends.at(-1)];
  return { timeZone, window, periods, starts, ends, span: from && to && { from, to } };
}

export interface CountedAuthorization {
  publicId: string;
  /** Its own first and last day: only what starts in between counts for it. */
  dates: DateRange;
  /** Minutes of a billing unit, or null for a visit. */
  billingUnitMinutes: number | null;
}

export interface EncounterRecord {
  authorizationId: string;
  startTime: Instant;
  units: number;
}

export interface SessionRecord {
  authorizationId: string;
  startTime: Instant;
  endTime: Instant;
  status: string;
}

/** A period with its units. */
export interface PeriodUnits extends DateRange {
  unitsUtilized: number;
  unitsScheduled: number;
}

export interface UnitCounts {
  /** The grid's periods with the units of all authorizations. */
  total: PeriodUnits[];
  /** Of each authorization its own periods with its own units, in the order given. */
  members: { publicId: string; periods: PeriodUnits[] }[];
}

/**
 * Counts the units of some authorizations per period, in one pass over their records . Each record counts wholly where it starts. The records may come in any order; those of
 * other authorizations, times and statuses are passed over.
 *
 * An authorization's periods are the grid's, cut to its own dates, as far as they still overlap the window.
 * The total loses nothing by that: a member that expired on the Tuesday before a window that opens on the
 * Thursday has no period in it, but what it had on that Tuesday belongs to the pool's week.
 */
export function countUnits(
  grid: PeriodGrid,
  authorizations: readonly CountedAuthorization[],
  encounters: Iterable<EncounterRecord>,
  sessions: Iterable<SessionRecord>,
): UnitCounts {
  const indexOf = periodFinder(grid);
  const total = newTally(grid);
  const members = new Map(
    authorizations.map((authorization) => [
      authorization.publicId,
      {
        authorization,
        starts: countedStarts(grid, authorization.dates),
        tally: newTally(grid),
      },
    ]),
  );

  for (const { authorizationId, startTime, units } of encounters) {
    const member = members.get(authorizationId);
    if (!member?.starts || !isWithin(startTime, member.starts)) continue;
    const index = indexOf(startTime);
    if (index === undefined) continue;
    const millionths = toMillionths(units);
    member.tally.utilized[index]! += millionths;
    total.utilized[index]! += millionths;
  }

  for (const { authorizationId, startTime, endTime, status } of sessions) {
    const member = members.get(authorizationId);
    if (!member?.starts || !isWithin(startTime, member.starts)) continue;
    if (!countsAsScheduled(status)) continue;
    const index = indexOf(startTime);
    if (index === undefined) continue;
    const { billingUnitMinutes } = member.authorization;
    const millionths = toMillionths(scheduledUnits(startTime, endTime, billingUnitMinutes));
    member.tally.scheduled[index]! += millionths;
    total.scheduled[index]! += millionths;
  }

  return {
    total: grid.periods.map((period, index) => withUnits(period, total, index)),
    members: [...members.values()].map(({ authorization, tally }) => ({
      publicId: authorization.publicId,
      periods: ownPeriods(grid, authorization.dates, tally),
    })),
  };
}

/**
 * When something must start to count in a period of the grid, for an authorization of these dates; undefined
 * where there are no periods.
 */
export function countedStarts(grid: PeriodGrid, dates: DateRange): InstantRange | undefined {
  const { span, timeZone } = grid;
  if (!span) return undefined;
  const life = instantsOf(dates, timeZone);
  return {
    from: span.from > life.from ? span.from : life.from,
    to: span.to < life.to ? span.to : life.to,
  };
}

/**
 * A function that finds the index of the period in which a record of some authorizations counts, as `countUnits` has
 * it; undefined for one that counts in none.
 */
export function countingPeriodFinder(
  grid: PeriodGrid,
  authorizations: readonly CountedAuthorization[],
): (record: { authorizationId: string; startTime: Instant }) => number | undefined {
  const indexOf = periodFinder(grid);
  const starts = new Map(
    authorizations.map(({ publicId, dates }) => [publicId, countedStarts(grid, dates)]),
  );
  return ({ authorizationId, startTime }) => {
    const counted = starts.get(authorizationId);
    return counted && isWithin(startTime, counted) ? indexOf(startTime) : undefined;
  };
}

/**
 * A function that finds the index of the period in which an instant lies that is within the grid's span; undefined
 * for one between two periods that do not adjoin.
 *
 * It looks on from the period that it found last: records come out of their database index by authorization
 * and start, so that most are in the same period or the one after. Any other order gives the same answers.
 */
export function periodFinder({
  starts,
  ends,
}: PeriodGrid): (startTime: Instant) => number | undefined {
  let index = 0;
  return (startTime) => {
    if (startTime < starts[index]!) index = 0;
    // A date that the zone skipped starts together with the next one, and so is never the last to start.
    while (index + 1 < starts.length && starts[index + 1]! <= startTime) index++;
    return startTime <= ends[index]! ? index : undefined;
  };
}

/** Whether the instant is in the range, its two ends included. */
export function isWithin(instant: Instant, range: InstantRange): boolean {
  return range.from <= instant && instant <= range.to;
}

/** Sums per period of the grid, in millionths of a unit. */
interface Tally {
  utilized: number[];
  scheduled: number[];
}

function newTally(grid: PeriodGrid): Tally {
  const zeros = () => new Array<number>(grid.periods.length).fill(0);
  return { utilized: zeros(), scheduled: zeros() };
}

function ownPeriods(grid: PeriodGrid, dates: DateRange, tally: Tally): PeriodUnits[] {
  return grid.periods.flatMap((whole, index) => {
    const period = overlap(whole, dates);
    return isEmpty(overlap(period, grid.window)) ? [] : [withUnits(period, tally, index)];
  });
}

function withUnits({ startDate, endDate }: DateRange, tally: Tally, index: number): PeriodUnits {
  return {
    startDate,
    endDate,
    unitsUtilized: fromMillionths(tally.utilized[index]!),
    unitsScheduled: fromMillionths(tally.scheduled[index]!),
  };
}
