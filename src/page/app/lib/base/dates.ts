import { serverClock } from "./server-clock.ts";
import { type Instant, toInstant } from "../../../../lib/instant.ts";
import {
  type CalendarDate,
  type DateRange,
  earlier,
  later,
  parseCalendarDate,
  WEEK_DAYS,
  type WeekDay,
} from "../../../../lib/calendar-date.ts";
import {
  dateWritten,
  endOfDay,
  localDate,
  localDateTime,
  offsetAt,
  parseTimeZone,
  type TimeZone,
  UTC,
} from "../../../../lib/time-zone.ts";

/**
 * Dates and times as the page needs them. Calendar dates are calculated in UTC, whatever the browser's zone; zones are
 * addressed by name.
 */

const DAY = 86_400_000;

export const MINUTES_OF_DAY = 24 * 60;

/** When something begins and ends. */
export interface Slot {
  startTime: Instant;
  endTime: Instant;
}

/** The zone of the browser. */
export function ownZone(): TimeZone {
  return parseTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? UTC;
}

export function today(zone: TimeZone): CalendarDate {
  return localDate(toInstant(serverClock.now()), zone);
}

/** Whether an instant is in the past. */
export function hasBegun(instant: Instant): boolean {
  return Date.parse(instant) <= serverClock.now();
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return toInstant(Date.parse(date) + days * DAY).slice(0, 10) as CalendarDate;
}

/** The same day of a later month, or its last one. */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const moment = Date.UTC(year, month - 1 + months, Math.min(day, lastDay));
  return toInstant(moment).slice(0, 10) as CalendarDate;
}

/** The date that an instant means, of a field that is a date. */
export function dateMeant(instant: Instant, zone: TimeZone): CalendarDate {
  return dateWritten(instant) ?? localDate(instant, zone);
}

/** The number of days from `from` to `to`. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY);
}

/** From the first of some days to the last; undefined without any. */
export function rangeOf(days: readonly CalendarDate[]): DateRange | undefined {
  const sorted = days.toSorted();
  const [startDate, endDate] = [sorted[0], sorted.at(-1)];
  return startDate && endDate && { startDate, endDate };
}

/** The days from the first on which one of some slots begins to the last on which one ends; there is at least one. */
export function daysOf(slots: readonly Slot[], zone: TimeZone): DateRange {
  const instants = slots.flatMap(({ startTime, endTime }) => [startTime, endTime]);
  return rangeOf(instants.map((instant) => localDate(instant, zone))) as DateRange;
}

/** Whether a day is in a range, whose first and last day count. */
export function coversDay({ startDate, endDate }: DateRange, day: CalendarDate): boolean {
  return startDate <= day && day <= endDate;
}

/** The first day of the week of a date. */
export function startOfWeek(date: CalendarDate, weekStartsOn: WeekDay): CalendarDate {
  const daysInto = new Date(date).getUTCDay() - WEEK_DAYS.indexOf(weekStartsOn);
  return addDays(date, -((daysInto + 7) % 7));
}

/** The local time of an instant, in minutes from midnight. */
export function minutesOfDay(instant: Instant, zone: TimeZone): number {
  const shown = localDateTime(instant, zone);
  return Number(shown.slice(11, 13)) * 60 + Number(shown.slice(14, 16));
}

/**
 * The instant of a local date and time, in minutes from midnight. For a repeated time
 * it is the first one; a skipped time is moved forward by the length of the clock change.
 */
export function instantAt(date: CalendarDate, minutes: number, zone: TimeZone): Instant {
  const wanted = Date.parse(date) + minutes * 60_000;
  const before = wanted - offsetAt(wanted - DAY, zone);
  const after = wanted - offsetAt(wanted + DAY, zone);
  const isShown = (moment: number): boolean => moment + offsetAt(moment, zone) === wanted;
  return toInstant(!isShown(before) && isShown(after) ? after : before);
}

/** As `instantAt`; undefined for a skipped time. */
export function localInstant(
  date: CalendarDate,
  minutes: number,
  zone: TimeZone,
): Instant | undefined {
  const instant = instantAt(date, minutes, zone);
  const days = daysBetween(date, localDate(instant, zone));
  return days * MINUTES_OF_DAY + minutesOfDay(instant, zone) === minutes ? instant : undefined;
}

/** A slot that begins so much later or earlier, in minutes and days of the zone; as long as it was. */
export function moved(
  { startTime, endTime }: Slot,
  { minutes, days }: { minutes: number; days: number },
  zone: TimeZone,
): Slot {
  const day = addDays(localDate(startTime, zone), days);
  const start = instantAt(day, minutesOfDay(startTime, zone) + minutes, zone);
  const length = Date.parse(endTime) - Date.parse(startTime);
  return { startTime: start, endTime: toInstant(Date.parse(start) + length) };
}

/** Formats minutes from midnight as the value of a time field: `09:30`. */
export function clockText(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Parses a time such as `09:30` to minutes from midnight. */
export function minutesOf(clock: string): number {
  const [hours = 0, rest = 0] = clock.split(":").map(Number);
  return hours * 60 + rest;
}

/** The month before a date, such as `2026-10`. */
export function monthBefore(date: CalendarDate): string {
  return addDays(`${date.slice(0, 7)}-01` as CalendarDate, -1).slice(0, 7);
}

export {
  earlier,
  endOfDay,
  later,
  localDate as dateOf,
  offsetAt,
  parseCalendarDate,
  parseTimeZone as zoneNamed,
  toInstant,
  UTC,
};
export type { CalendarDate, DateRange, Instant, TimeZone, WeekDay };
