import {
  addDays,
  type CalendarDate,
  coversDay,
  type DateRange,
  daysBetween,
  earlier,
  later,
  startOfWeek,
  type WeekDay,
} from "../base/dates.ts";
import { unitsText } from "../base/format.ts";
import type { Encounter, SummarySeries, UtilizationLedger, WhatIf } from "../base/wire.ts";

/** How units will be used up, if the practice goes on as in the last weeks. */

/** Units that were delivered, or are booked, on a day. */
export interface Use {
  day: CalendarDate;
  units: number;
}

/** How an authorization goes on: the units of its days, which only the ledger has. */
export interface Days {
  delivered: Use[];
  /** Booked and not documented, from the first day on. */
  open: Use[];
  /** Periods up to the end of the term. */
  periods: DateRange[];
}

/** The days of an authorization, or of a pool for null. Only an encounter of the session's own authorization documents it. */
export function daysIn(
  { ledger, members, pool }: UtilizationLedger,
  encounters: readonly Encounter[],
  authorizationId: string | null,
  first: CalendarDate,
): Days {
  const entries = ledger.filter(
    (entry) =>
      entry.reason === null &&
      (authorizationId === null || entry.authorizationId === authorizationId),
  );
  const keyOf = (each: { authorizationId: string }, sessionId: string | null): string =>
    `${each.authorizationId} ${sessionId}`;
  const documented = new Set(encounters.map((each) => keyOf(each, each.sessionId)));
  const member = members.find((each) => each.authorizationPublicId === authorizationId);
  return {
    delivered: entries.filter(({ type }) => type === "encounter"),
    open: entries.filter(
      (entry) =>
        entry.type === "session" &&
        entry.day >= first &&
        !documented.has(keyOf(entry, entry.publicId)),
    ),
    periods: (authorizationId === null ? pool : member)?.periods ?? [],
  };
}

/** What is booked or delivered after a day. */
export function bookedAfter({ open, delivered }: Days, day: CalendarDate): Use[] {
  return [...open, ...delivered].filter((use) => use.day > day);
}

/**
 * The periods from a day's on, with what is committed in each, and what a plan adds.
 *
 * @param around.known the periods of the summary, which has the committed units of the current one; in later ones
 * nothing is delivered.
 */
export function periodsAhead(
  days: Days,
  around: { known: SummarySeries["periods"]; planned: WhatIf["periods"]; day: CalendarDate },
): (DateRange & { committed: number; added: number })[] {
  const { known, planned, day } = around;
  const booked = bookedAfter(days, day);
  return days.periods
    .filter(({ endDate }) => endDate >= day)
    .map(({ startDate, endDate }) => {
      const isThis = (each: { startDate: string }): boolean => each.startDate === startDate;
      const plan = planned.find(isThis);
      return {
        ...{ startDate, endDate },
        added: plan === undefined ? 0 : plan.unitsAfter - plan.unitsCommitted,
        committed: known.find(isThis)?.unitsCommitted ?? unitsIn(booked, { startDate, endDate }),
      };
    });
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

function unitsIn(uses: readonly Use[], range: DateRange): number {
  return uses.filter(({ day }) => coversDay(range, day)).reduce((sum, { units }) => sum + units, 0);
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

/** The day on which a limit was reached; undefined if it was not. */
export function usedUpSince(
  delivered: readonly { day: CalendarDate; units: number }[],
  limit: number,
): CalendarDate | undefined {
  let used = 0;
  const reaches = ({ units }: { units: number }): boolean => (used += units) >= limit;
  return limit <= 0
    ? undefined
    : delivered.toSorted((a, b) => (a.day < b.day ? -1 : 1)).find(reaches)?.day;
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

/** Units of a period: what is booked or delivered, what a plan adds to it, and what usual weeks would add. */
interface PeriodSum extends DateRange {
  committed: number;
  /** Negative where a plan cancels more than it adds. */
  added: number;
  usual: number;
  /** The excess of the sum of all three over the limit; negative if there is room. */
  over: number;
}

/** What a usual week in each week that has nothing booked would come to. */
export interface Outlook {
  /** Weeks with nothing booked, from the next week to the end; the last one may be cut short. */
  emptyWeeks: number;
  /** The units that they would have. */
  units: number;
  /** The periods with days of such weeks. */
  periods: PeriodSum[];
}

/**
 * Lays the usual week over the weeks that have nothing booked, from the week after a day's to the end of the term. Its
 * units are spread evenly over its days, so that a week may belong to two periods, and a cut one has fewer. What a plan
 * adds comes on top: it is no usual week, and leaves none out.
 *
 * @param booked the uses after that day.
 */
export function ifUsualWeekGoesOn(options: {
  perWeek: number;
  booked: readonly Use[];
  periods: readonly (DateRange & { committed: number; added: number })[];
  limit: number;
  today: CalendarDate;
  weekStartsOn: WeekDay;
  /** The last day of the term. */
  end: CalendarDate;
}): Outlook {
  const { perWeek, booked, periods, limit, today, weekStartsOn, end } = options;
  const next = addDays(startOfWeek(today, weekStartsOn), 7);
  const rest = { startDate: next, endDate: end };
  const busy = [...new Set(booked.map(({ day }) => startOfWeek(day, weekStartsOn)))]
    .filter((week) => coversDay(rest, week))
    .map((week) => ({ startDate: week, endDate: earlier(addDays(week, 6), end) }));
  // Counted, not listed: a term may end in the year 9999.
  const emptyDays = (range: DateRange): number =>
    busy.reduce((days, week) => days - sharedDays(week, range), sharedDays(rest, range));
  const daily = perWeek / 7;
  const sums = periods.flatMap((period) => {
    const days = emptyDays(period);
    const usual = days * daily;
    const over = period.committed + period.added + usual - limit;
    return days > 0 ? [{ ...period, usual, over }] : [];
  });
  return {
    emptyWeeks: Math.ceil(sharedDays(rest, rest) / 7) - busy.length,
    units: emptyDays(rest) * daily,
    periods: sums,
  };
}

/** Whether a sum is more than is authorized. Means of decimals are not exact. */
export function isOver({ over }: PeriodSum): boolean {
  return over > 1e-6;
}

/** Whether a plan does not fit with the usual weeks that would go on beside it. */
export function isPlanOver({ periods }: Outlook): boolean {
  return periods.some((period) => period.added > 0 && isOver(period));
}

/** How many sums are shown. */
const SHOWN = 5;

/** The sums to be shown: of periods that would be over, else of the fullest. */
export function shownSums({ periods }: Outlook): { sums: PeriodSum[]; others: number } {
  const over = periods.filter(isOver);
  const fullest = periods.toSorted((a, b) => b.over - a.over).slice(0, 1);
  const sums = over.length > 0 ? over.slice(0, SHOWN) : fullest;
  return { sums, others: Math.max(0, over.length - sums.length) };
}

/** `1,139 booked + 176 added + 380.6 of usual weeks = 1,695.6 of 1,664` */
export function sumText({ committed, added, usual }: PeriodSum, limit: number): string {
  const plan = added > 0 ? ` + ${meanText(added)} added` : "";
  const less = added < 0 ? ` − ${meanText(-added)} cancelled` : "";
  const parts = `${meanText(committed)} booked${plan}${less} + ${meanText(usual)} of usual weeks`;
  return `${parts} = ${meanText(committed + added + usual)} of ${unitsText(limit)}`;
}

/** A mean needs no more than one decimal. */
export function meanText(units: number): string {
  return unitsText(Math.round(units * 10) / 10);
}

/** The number of days that two ranges have in common. */
function sharedDays(a: DateRange, b: DateRange): number {
  const start = later(a.startDate, b.startDate);
  const end = earlier(a.endDate, b.endDate);
  return Math.max(0, daysBetween(start, end) + 1);
}
