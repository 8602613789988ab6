import { systemClock } from "../../../lib/clock.ts";
import { type Instant, toInstant } from "../../../lib/instant.ts";
import {
  type CalendarDate,
  parseCalendarDate,
  WEEK_DAYS,
  type WeekDay,
} from "../../../lib/calendar-date.ts";
import { localDate, localDateTime, startOfDay, type TimeZone } from "../../../lib/time-zone.ts";

/**
 * Dates and times as the page needs them. The calendar of a date is UTC's, in whatever zone the browser is; zones are
 * asked by name.
 */

const DAY = 86_400_000;

/**
 * The time zone with a name, if this browser knows one. Which names are spelled as the IANA database has them is for
 * the API to say: browsers answer to `US/Eastern` with `America/New_York`, so it cannot be asked of them.
 */
export function zoneNamed(name: string): TimeZone | undefined {
  // `Intl` also takes offsets, which begin with a sign.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name as TimeZone;
  } catch {
    return undefined;
  }
}

/** The zone of the browser. */
export function ownZone(): TimeZone {
  return zoneNamed(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? ("UTC" as TimeZone);
}

export function today(zone: TimeZone): CalendarDate {
  return localDate(toInstant(systemClock.now()), zone);
}

/** Whether an instant has come. */
export function hasBegun(instant: Instant): boolean {
  return Date.parse(instant) <= systemClock.now();
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return toInstant(Date.parse(date) + days * DAY).slice(0, 10) as CalendarDate;
}

/** How many days `to` is after `from`. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY);
}

/** The day that the week of a date begins with. */
export function startOfWeek(date: CalendarDate, weekStartsOn: WeekDay): CalendarDate {
  const daysInto = new Date(date).getUTCDay() - WEEK_DAYS.indexOf(weekStartsOn);
  return addDays(date, -((daysInto + 7) % 7));
}

/** Minutes from midnight that a clock on the wall shows at an instant. */
export function minutesOfDay(instant: Instant, zone: TimeZone): number {
  const shown = localDateTime(instant, zone);
  return Number(shown.slice(11, 13)) * 60 + Number(shown.slice(14, 16));
}

/** The date that a calendar on the wall shows at an instant. */
export function dateOf(instant: Instant, zone: TimeZone): CalendarDate {
  return localDate(instant, zone);
}

/**
 * The instant at which clocks on the wall show a time of a day, in minutes from midnight. Of a time that comes twice
 * it is the first, and one that a clock change skips is as much later as the change is long.
 */
export function instantAt(date: CalendarDate, minutes: number, zone: TimeZone): Instant {
  const wanted = Date.parse(date) + minutes * 60_000;
  const before = wanted - offsetAt(wanted - DAY, zone);
  const after = wanted - offsetAt(wanted + DAY, zone);
  const isShown = (moment: number): boolean => moment + offsetAt(moment, zone) === wanted;
  return toInstant(!isShown(before) && isShown(after) ? after : before);
}

/** How far a zone's clocks are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, zone: TimeZone): number {
  return Date.parse(`${localDateTime(toInstant(moment), zone).slice(0, 23)}Z`) - moment;
}

/** Minutes from midnight as a field of time has them: `09:30`. */
export function clockText(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Minutes from midnight of a time such as `09:30`. */
export function minutesOf(clock: string): number {
  const [hours = 0, rest = 0] = clock.split(":").map(Number);
  return hours * 60 + rest;
}

/** The month before that of a date, as `2026-10`. */
export function monthBefore(date: CalendarDate): string {
  return addDays(`${date.slice(0, 7)}-01` as CalendarDate, -1).slice(0, 7);
}

/** The first and the last day of a month; undefined where the text is none. */
export function daysOfMonth(
  month: string,
): { startDate: CalendarDate; endDate: CalendarDate } | undefined {
  const startDate = parseCalendarDate(`${month}-01`);
  if (startDate === undefined) return undefined;
  const next = addDays(startDate, 31).slice(0, 7);
  return { startDate, endDate: addDays(`${next}-01` as CalendarDate, -1) };
}

export { parseCalendarDate, startOfDay, toInstant };
export type { CalendarDate, Instant, TimeZone, WeekDay };
