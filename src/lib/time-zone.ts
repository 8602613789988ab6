import { addDays, type CalendarDate, type DateRange } from "./calendar-date.ts";
import { epochMilliseconds, toInstant, type Instant } from "./instant.ts";
import { remembered } from "./remembered.ts";
import { isZoneName, LAST_YEAR, offsetIn, rulesOf } from "./zone-rules.ts";

/** A name of the IANA time zone database. */
export type TimeZone = string & { readonly __type: "TimeZone" };

export const UTC = "UTC" as TimeZone;

const MINUTE = 60_000;
const DAY = 86_400_000;

/**
 * Parses a name of the IANA time zone database, including links such as `US/Pacific`; letter case matters. Undefined
 * for anything else: offsets, `GMT+5`, abbreviations that are not in the database, and `Factory`, its placeholder for
 * a machine without a zone.
 */
export function parseTimeZone(text: string): TimeZone | undefined {
  return isZoneName(text) ? (text as TimeZone) : undefined;
}

/**
 * The first instant of a day in a zone. Where a clock change skips midnight this is the first instant after it, and
 * where midnight occurs twice the first one. A date that the zone skipped is empty: it starts when the next one does.
 *
 *     startOfDay("2025-03-09", "America/New_York")   // "2025-03-09T05:00:00.000Z"
 *     startOfDay("2018-11-04", "America/Sao_Paulo")  // "2018-11-04T03:00:00.000Z", at 01:00
 *     startOfDay("2011-12-30", "Pacific/Apia")       // "2011-12-30T10:00:00.000Z", as of 2011-12-31
 */
export function startOfDay(date: CalendarDate, zone: TimeZone): Instant {
  return midnightOf(Date.parse(date), zone).first;
}

/**
 * The last instant of a day in a zone: one millisecond before the next day starts. Earlier than `startOfDay` for a
 * date that the zone skipped.
 */
export function endOfDay(date: CalendarDate, zone: TimeZone): Instant {
  return midnightOf(Date.parse(date) + DAY, zone).lastBefore;
}

/** A range of instants, both included. Empty when `to` is before `from`. */
export interface InstantRange {
  from: Instant;
  to: Instant;
}

/** The instants of a range of days in a zone. */
export function instantsOf(dates: DateRange, zone: TimeZone): InstantRange {
  return { from: startOfDay(dates.startDate, zone), to: endOfDay(dates.endDate, zone) };
}

/** The day to which an instant belongs: the one with `startOfDay` ≤ `instant` ≤ `endOfDay`. */
export function dayOf(instant: Instant, zone: TimeZone): CalendarDate {
  // Where clocks are set back across midnight, the local date returns to the previous day, but the new day has begun.
  const shown = localDate(instant, zone);
  const next = addDays(shown, 1);
  return startOfDay(next, zone) <= instant ? next : shown;
}

const UTC_MIDNIGHT = "T00:00:00.000Z";

/**
 * The date that an instant stands for in a field that is a date by its meaning, if it is midnight in UTC: many systems write
 * dates so. Undefined for others.
 */
export function dateWritten(instant: Instant): CalendarDate | undefined {
  if (!instant.endsWith(UTC_MIDNIGHT)) return undefined;
  return instant.slice(0, -UTC_MIDNIGHT.length) as CalendarDate;
}

/** The local date at an instant. Differs from `dayOf` where clocks are set back across midnight. */
export function localDate(instant: Instant, zone: TimeZone): CalendarDate {
  return localDateTime(instant, zone).slice(0, 10) as CalendarDate;
}

/**
 * The local date and time at an instant, with the offset from UTC (in whole minutes; true of all zones since 1972).
 *
 *     localDateTime("2025-11-02T06:30:00.000Z", "America/New_York")  // "2025-11-02T01:30:00.000-05:00"
 */
export function localDateTime(instant: Instant, zone: TimeZone): string {
  const moment = epochMilliseconds(instant);
  const offset = offsetAt(moment, zone);
  return toInstant(moment + offset).replace("Z", offsetText(offset));
}

/**
 * The instants at which a clock on the wall shows a time: one, none where the clocks skip it, two where they show it
 * twice.
 *
 *     instantsAt("2026-10-01T15:30:00.000", "America/New_York")  // ["2026-10-01T19:30:00.000Z"]
 */
export function instantsAt(localTime: string, zone: TimeZone): Instant[] {
  const shown = Date.parse(`${localTime}Z`);
  const steady = steadyOffset(Math.floor(shown / DAY) * DAY, zone);
  if (steady !== undefined) return [toInstant(shown - steady)];
  // No zone is a day away from UTC.
  const offsets = new Set([offsetAt(shown - DAY, zone), offsetAt(shown + DAY, zone)]);
  const moments = [...offsets].map((offset) => ({ moment: shown - offset, offset }));
  return moments
    .filter(({ moment, offset }) => offsetAt(moment, zone) === offset)
    .map(({ moment }) => toInstant(moment))
    .sort();
}

function offsetText(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / MINUTE);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const sign = offset < 0 ? "-" : "+";
  return `${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** The offset on a day, if that and the days around it have 24 hours. Its midnight is local, as if it were UTC. */
function steadyOffset(midnight: number, zone: TimeZone): number | undefined {
  const { moment } = midnightOf(midnight, zone);
  const isSteady = (days: number) =>
    midnightOf(midnight + days * DAY, zone).moment === moment + days * DAY;
  return isSteady(-1) && isSteady(1) && isSteady(2) ? midnight - moment : undefined;
}

/** The boundary between two days. */
interface Midnight {
  /** Of `first`, in epoch milliseconds. */
  moment: number;
  /** The last instant of the day before. */
  lastBefore: Instant;
  first: Instant;
}

/** Finds the boundary at a local midnight, given in epoch milliseconds as if it were UTC. Cached. */
function midnightOf(midnight: number, zone: TimeZone): Midnight {
  return midnights.get(zone)?.get(midnight) ?? findMidnight(midnight, zone);
}

/** Cache: boundaries are slow to compute, and a list of authorizations needs the same ones again and again. */
const midnights = new Map<TimeZone, Map<number, Midnight>>();
const MAX_MIDNIGHTS = 10_000;
let foundMidnights = 0;

function findMidnight(midnight: number, zone: TimeZone): Midnight {
  if (foundMidnights === MAX_MIDNIGHTS) {
    midnights.clear();
    foundMidnights = 0;
  }
  const moment = firstMoment(midnight, zone);
  const boundary = { moment, lastBefore: toInstant(moment - 1), first: toInstant(moment) };
  remembered(midnights, zone, () => new Map()).set(midnight, boundary);
  foundMidnights += 1;
  return boundary;
}

/**
 * The first moment at which the zone's clocks show `midnight` or later, in epoch milliseconds. `midnight` is the local
 * time in epoch milliseconds as if it were UTC.
 *
 * No offset from UTC reaches 24 hours, so a relevant change of offset lies within a day of `midnight`.
 */
function firstMoment(midnight: number, zone: TimeZone): number {
  const before = offsetAt(midnight - DAY, zone);
  const after = offsetAt(midnight + DAY, zone);
  if (before === after) return midnight - before;
  if (offsetAt(midnight - before, zone) === before) return midnight - before;
  if (offsetAt(midnight - after, zone) === after) return midnight - after;
  return changeBetween(midnight - DAY, midnight + DAY, (moment) => offsetAt(moment, zone));
}

/** Bisects for the moment at which the offset changes; `before` and `after` must enclose exactly one change. */
export function changeBetween(
  before: number,
  after: number,
  offsetOf: (moment: number) => number,
): number {
  const offset = offsetOf(before);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetOf(middle) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** The zone's offset from UTC at a moment, both in milliseconds; positive east of Greenwich. */
export function offsetAt(moment: number, zone: TimeZone): number {
  return offsetIn(rulesOf(zone), moment < LISTED_UNTIL ? moment : inListedYear(moment));
}

const LISTED_UNTIL = Date.UTC(LAST_YEAR + 1);

/**
 * The same moment of the last listed year with the same calendar. The last rules go on, and they name days of weeks,
 * such as the first Sunday of November.
 */
function inListedYear(moment: number): number {
  const year = new Date(moment).getUTCFullYear();
  return moment - Date.UTC(year) + Date.UTC(listedYears.get(calendarOf(year)) ?? LAST_YEAR);
}

/** All 14 calendars are in 28 years without the turn of a century. */
const listedYears = new Map(
  Array.from({ length: 28 }, (_, before) => [calendarOf(LAST_YEAR - before), LAST_YEAR - before]),
);

/** Equal for years that begin on the same day of the week and have the same length. */
function calendarOf(year: number): number {
  const firstDay = (of: number) => new Date(Date.UTC(of)).getUTCDay();
  return firstDay(year) * 7 + firstDay(year + 1);
}
