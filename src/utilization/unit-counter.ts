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
import {
  countsAsScheduled,
  fromMillionths,
  scheduledUnits,
  sumOfUnits,
  toMillionths,
} from "./units.ts";

/**
 * The periods of a request and the instants that bound them. Computed once, so that no record's time needs to be
 * converted to local time: instants compare as text.
 */
export interface PeriodGrid {
  timeZone: TimeZone;
  window: DateRange;
  /** The periods of the pool, or of the standalone authorization, that overlap the window. */
  periods: readonly DateRange[];
  /** The first and the last instant of each period. */
  starts: readonly Instant[];
  ends: readonly Instant[];
  /** From the first instant of the first period to the last of the last; undefined without periods. */
  span: InstantRange | undefined;
}

/** Computes the instants of periods, which must be in order and overlap the window. */
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
  /** Its first and last day. Only records that start in between count for it. */
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
  /** Whether no encounter of the authorization, wherever it counts, refers to the session. */
  isOpen: 0 | 1;
}

/** A period with its units: delivered ones, those of its sessions, and those of its open sessions among these. */
export interface PeriodUnits extends DateRange {
  unitsUtilized: number;
  unitsScheduled: number;
  unitsOpen: number;
}

/** The units of a period that are delivered or still booked, in which no session counts twice. */
export function committedUnits({
  unitsUtilized,
  unitsOpen,
}: Pick<PeriodUnits, "unitsUtilized" | "unitsOpen">): number {
  return sumOfUnits(unitsUtilized, unitsOpen);
}

/**
 * Counts the units of authorizations per period, in one pass over their records, which may be in any order. A record
 * counts entirely in the period in which it starts. Records of other authorizations, times and statuses are skipped.
 */
export class UnitCounter {
  readonly #indexOf: (startTime: Instant) => number | undefined;
  readonly #total: Tally;
  readonly #members: ReadonlyMap<string, CountedMember>;

  constructor(
    private readonly grid: PeriodGrid,
    authorizations: readonly CountedAuthorization[],
  ) {
    this.#indexOf = periodFinder(grid);
    this.#total = newTally();
    this.#members = new Map(
      authorizations.map(({ publicId, dates, billingUnitMinutes }) => [
        publicId,
        { billingUnitMinutes, starts: countedStarts(grid, dates), tally: newTally() },
      ]),
    );
  }

  addEncounter({ authorizationId, startTime, units }: EncounterRecord): void {
    const member = this.#members.get(authorizationId);
    const index = this.#place(member, startTime);
    if (member !== undefined && index !== undefined)
      this.#add(member, "utilized", index, toMillionths(units));
  }

  addSession({ authorizationId, startTime, endTime, status, isOpen }: SessionRecord): void {
    if (!countsAsScheduled(status)) return;
    const member = this.#members.get(authorizationId);
    const index = this.#place(member, startTime);
    if (member === undefined || index === undefined) return;
    const millionths = toMillionths(scheduledUnits(startTime, endTime, member.billingUnitMinutes));
    this.#add(member, "scheduled", index, millionths);
    if (isOpen === 1) this.#add(member, "open", index, millionths);
  }

  /** Whether no record has counted so far. */
  get isEmpty(): boolean {
    return this.#total.utilized.length === 0 && this.#total.scheduled.length === 0;
  }

  /** The grid's periods with the units of all authorizations. */
  total(): PeriodUnits[] {
    return this.grid.periods.map((period, index) => withUnits(period, this.#total, index));
  }

  /**
   * An authorization's periods with its own units: the grid's, cut to its own dates, as far as they still overlap the
   * window. The total may have more: a member that expired on Tuesday has no period in a window that starts on Thursday,
   * but its units of that Tuesday belong to the pool's week.
   */
  ofAuthorization({ publicId, dates }: CountedAuthorization): PeriodUnits[] {
    const { periods, window } = this.grid;
    const tally = this.#members.get(publicId)?.tally;
    if (tally === undefined) return [];
    return periods.flatMap((whole, index) => {
      const period = overlap(whole, dates);
      return isEmpty(overlap(period, window)) ? [] : [withUnits(period, tally, index)];
    });
  }

  #place(member: CountedMember | undefined, startTime: Instant): number | undefined {
    if (!member?.starts || !isWithin(startTime, member.starts)) return undefined;
    return this.#indexOf(startTime);
  }

  #add(member: CountedMember, counter: keyof Tally, index: number, millionths: number): void {
    for (const tally of [member.tally, this.#total])
      tally[counter][index] = (tally[counter][index] ?? 0) + millionths;
  }
}

interface CountedMember {
  billingUnitMinutes: number | null;
  /** When a record must start to count; undefined if there are no periods. */
  starts: InstantRange | undefined;
  tally: Tally;
}

/**
 * The instants between which a record must start to count in the grid for an authorization with these dates; undefined
 * if there are no periods.
 */
export function countedStarts(grid: PeriodGrid, dates: DateRange): InstantRange | undefined {
  const { span, timeZone } = grid;
  if (!span) return undefined;
  const term = instantsOf(dates, timeZone);
  return {
    from: span.from > term.from ? span.from : term.from,
    to: span.to < term.to ? span.to : term.to,
  };
}

/** Makes a function that finds the index of the period in which a record counts; undefined if it counts in none. */
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
 * Makes a function that finds the index of the period of an instant within the grid's span; undefined in a gap between
 * two periods.
 *
 * The search starts at the period found last, since records come ordered by authorization and start, so that most are
 * in the same or the next period. Results do not depend on the order.
 */
export function periodFinder({
  starts,
  ends,
}: PeriodGrid): (startTime: Instant) => number | undefined {
  let index = 0;
  return (startTime) => {
    if (startTime < starts[index]!) index = 0;
    // A date that the zone skipped starts at the same instant as the next one, so it is never the last to start.
    while (index + 1 < starts.length && starts[index + 1]! <= startTime) index++;
    return startTime <= ends[index]! ? index : undefined;
  };
}

/** Whether the instant is in the range, both ends included. */
export function isWithin(instant: Instant, range: InstantRange): boolean {
  return range.from <= instant && instant <= range.to;
}

/** Sums per period of the grid, in millionths of a unit. Periods without units are left out. */
interface Tally {
  utilized: number[];
  scheduled: number[];
  open: number[];
}

function newTally(): Tally {
  return { utilized: [], scheduled: [], open: [] };
}

function withUnits({ startDate, endDate }: DateRange, tally: Tally, index: number): PeriodUnits {
  return {
    startDate,
    endDate,
    unitsUtilized: fromMillionths(tally.utilized[index] ?? 0),
    unitsScheduled: fromMillionths(tally.scheduled[index] ?? 0),
    unitsOpen: fromMillionths(tally.open[index] ?? 0),
  };
}
