import { addDays, type CalendarDate, startOfWeek } from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { localDate, startOfDay, type TimeZone } from "../lib/time-zone.ts";

/** The weeks of the demo practice, counted from the week of today, which is 0, and its opening days. */

/** The time zone of the practice. Its hours are local, so instants shift with daylight saving time. */
export const DEMO_TIME_ZONE = "America/New_York" as TimeZone;

/** The first and the last week with sessions. Earlier deliveries exist only as encounters. */
export const FIRST_WEEK = -4;
export const LAST_WEEK = 3;

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The date in the practice's time zone at a moment (epoch milliseconds). */
export function demoDay(now: number): CalendarDate {
  return localDate(toInstant(now), DEMO_TIME_ZONE);
}

/** A day of a week; its Monday unless a number of days after it is given. */
export function dayOf(today: CalendarDate, week: number, daysLater = 0): CalendarDate {
  return addDays(startOfWeek(today, "MONDAY"), 7 * week + daysLater);
}

const CLOSED = new Set(["01-01", "06-19", "07-04", "12-24", "12-25", "12-31"]);

/** Whether the practice is open on a weekday. */
export function isOpen(date: CalendarDate): boolean {
  return !CLOSED.has(date.slice(5)) && !isThanksgiving(date);
}

/** The fourth Thursday of November. */
function isThanksgiving(date: CalendarDate): boolean {
  const day = Number(date.slice(8));
  const isFourth = date.slice(5, 7) === "11" && day > 21 && day <= 28;
  return isFourth && addDays(startOfWeek(date, "MONDAY"), 3) === date;
}

/** A time of day in minutes: `minutesOf("13:30")` is 810. */
export function minutesOf(time: string): number {
  const [hours = NaN, minutes = NaN] = time.split(":").map(Number);
  return hours * 60 + minutes;
}

/**
 * The instant at a number of minutes after local midnight. Clocks change on Sunday nights, when the practice is closed,
 * so on opening days local minutes are elapsed minutes.
 *
 *     instantAt("2026-03-06", 9 * 60)  // "2026-03-06T14:00:00.000Z"
 *     instantAt("2026-03-09", 9 * 60)  // "2026-03-09T13:00:00.000Z"
 */
export function instantAt(date: CalendarDate, minute: number): Instant {
  return toInstant(epochMilliseconds(startOfDay(date, DEMO_TIME_ZONE)) + minute * 60_000);
}
