import { tzOffset } from "@date-fns/tz";
import { addDays, type CalendarDate, type DateRange } from "./calendar-date.ts";
import { epochMilliseconds, toInstant, type Instant } from "./instant.ts";

/**
 * Time zones by the names of the IANA database, and what they make of instants and dates.
 *
 * Everything here rests on one question to @date-fns/tz: how far is the zone from UTC at an instant? Its
 * `startOfDay` is not used: it takes the second midnight of a day that has two (79 times in all zones from
 * 1990 to 2040), and is slow. Its offsets are right since 1973; before, those between -01:00 and 00:00,
 * as Liberia's, have the wrong sign.
 */
export type TimeZone = string & { readonly __type: "TimeZone" };

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Names that the IANA database has given up, and `Intl` has not. */
const WITHDRAWN_NAMES = new Set(["Canada/East-Saskatchewan", "US/Pacific-New"]);

/** Names that were found to be the database's: `Intl` takes long to look, and there are some six hundred. */
const known = new Set<string>();

/**
 * Takes a name of the IANA time zone database, links such as `US/Pacific` included, in its own letter case;
 * anything else is undefined: offsets, `GMT+5`, abbreviations that the database does not name,
 * and `Factory`, its placeholder for a machine without a zone.
 */
export function parseTimeZone(text: string): TimeZone | undefined {
  if (known.has(text)) return text as TimeZone;
  // `Intl` also takes offsets, which begin with a sign, and the withdrawn names.
  if (!/^[A-Za-z]/.test(text) || WITHDRAWN_NAMES.has(text)) return undefined;
  try {
    // It ignores letter case, and answers in the database's.
    const name = new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
    if (name !== text) return undefined;
    known.add(name);
    return name as TimeZone;
  } catch {
    return undefined;
  }
}

/**
 * The first instant of the day in the zone. That is not midnight where a clock change skips it; where it
 * comes twice it is the first. A date that the zone skipped is an empty day: it starts when the next one does.
 *
 *     startOfDay("2025-03-09", "America/New_York")   // "2025-03-09T05:00:00.000Z"
 *     startOfDay("2018-11-04", "America/Sao_Paulo")  // "2018-11-04T03:00:00.000Z", at 01:00
 *     startOfDay("2011-12-30", "Pacific/Apia")       // "2011-12-30T10:00:00.000Z", as of 2011-12-31
 */
export function startOfDay(date: CalendarDate, zone: TimeZone): Instant {
  return midnightOf(Date.parse(date), zone).first;
}

/**
 * The last instant of the day in the zone: the millisecond before the next day starts. It is before
 * `startOfDay` for a date that the zone skipped.
 */
export function endOfDay(date: CalendarDate, zone: TimeZone): Instant {
  return midnightOf(Date.parse(date) + DAY, zone).lastBefore;
}

/** A stretch of instants, both included. It is empty when `to` is before `from`. */
export interface InstantRange {
  from: Instant;
  to: Instant;
}

/** What the days of the range cover in the zone. */
export function instantsOf(dates: DateRange, zone: TimeZone): InstantRange {
  return { from: startOfDay(dates.startDate, zone), to: endOfDay(dates.endDate, zone) };
}

/** The day in which an instant lies: it begins with its first instant, and lasts until the next begins. */
export function dayOf(instant: Instant, zone: TimeZone): CalendarDate {
  // Where clocks went back over midnight, the wall shows the day before once more.
  const shown = localDate(instant, zone);
  const next = addDays(shown, 1);
  return startOfDay(next, zone) <= instant ? next : shown;
}

/** The date that a calendar on the wall shows at the instant. */
export function localDate(instant: Instant, zone: TimeZone): CalendarDate {
  return localDateTime(instant, zone).slice(0, 10) as CalendarDate;
}

/**
 * What a clock on the wall shows at the instant, and how far it is from UTC (in whole minutes, as all
 * zones have been since 1972).
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

/** Where one day ends and the next begins. */
interface Midnight {
  /** The last instant of the day before. */
  lastBefore: Instant;
  first: Instant;
}

/** The midnight of a zone's calendar, which is given in epoch milliseconds as if it were UTC's. */
function midnightOf(midnight: number, zone: TimeZone): Midnight {
  return midnights.get(zone)?.get(midnight) ?? findMidnight(midnight, zone);
}

/** Those that were asked for lately: to find one takes long, and a list of authorizations asks for the same ones. */
const midnights = new Map<TimeZone, Map<number, Midnight>>();
const MOST_MIDNIGHTS = 10_000;
let foundMidnights = 0;

function findMidnight(midnight: number, zone: TimeZone): Midnight {
  if (foundMidnights === MOST_MIDNIGHTS) {
    midnights.clear();
    foundMidnights = 0;
  }
  const moment = firstMoment(midnight, zone);
  const found = { lastBefore: toInstant(moment - 1), first: toInstant(moment) };
  const ofZone = midnights.get(zone) ?? new Map<number, Midnight>();
  midnights.set(zone, ofZone.set(midnight, found));
  foundMidnights += 1;
  return found;
}

/**
 * The first moment at which the zone's clocks show `midnight` or later, both in epoch milliseconds, with
 * `midnight` written as if it were UTC.
 *
 * No zone is a day away from UTC, so the change of offset that matters, if any, lies within a day of it.
 */
function firstMoment(midnight: number, zone: TimeZone): number {
  const before = offsetAt(midnight - DAY, zone);
  const after = offsetAt(midnight + DAY, zone);
  if (before === after) return midnight - before;
  if (offsetAt(midnight - before, zone) === before) return midnight - before;
  if (offsetAt(midnight - after, zone) === after) return midnight - after;
  return changeBetween(midnight - DAY, midnight + DAY, zone);
}

/** The first moment of the later offset, where one change lies between the two moments. */
function changeBetween(before: number, after: number, zone: TimeZone): number {
  const offset = offsetAt(before, zone);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle, zone) === offset) before = middle;
    else after = middle;
  }
  return after;
}

/** How far the zone's clocks are ahead of UTC at the moment, in milliseconds. */
function offsetAt(moment: number, zone: TimeZone): number {
  return Math.round(tzOffset(zone, new Date(moment)) * MINUTE);
}
