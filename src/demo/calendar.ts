import { addDays, type CalendarDate, startOfWeek } from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { localDate, startOfDay, type TimeZone } from "../lib/time-zone.ts";

/** The weeks of the demo practice, counted from the week of today, which is 0, and its opening days. */

/** The time zone of the practice. Its hours are local, so instants shift with daylight saving time. */
const DEMO_TIME_ZONE = "America/New_York" as TimeZone;

/** The first and the last week with sessions. Earlier deliveries exist only as encounters. */
export const FIRST_WEEK = -4;
export const LAST_WEEK = 3;

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
export const WEEKDAYS = DAYS.slice(0, 5);

/** The date in the practice's time zone at a moment (epoch milliseconds). */
export function demoDay(now: number): CalendarDate {
  return localDate(toInstant(now), DEMO_TIME_ZONE);
}

/** A day of a week; its Monday unless a number of days after it is given. */
export function dayOf(today: CalendarDate, week: number, daysLater = 0): CalendarDate {
  return addDays(startOfWeek(today, "MONDAY"), 7 * week + daysLater);
}

/**
 * The instant at a time of day, or so many minutes later. Clocks change on Sunday nights, when the practice is closed, so
 * on opening days local minutes are elapsed minutes.
 *
 *     instantAt("2026-03-06", "09:00")  // "2026-03-06T14:00:00.000Z"
 *     instantAt("2026-03-09", "09:00")  // "2026-03-09T13:00:00.000Z"
 */
export function instantAt(date: CalendarDate, time: string, minutesLater = 0): Instant {
  const midnight = epochMilliseconds(startOfDay(date, DEMO_TIME_ZONE));
  return toInstant(midnight + Math.round((minutesOf(time) + minutesLater) * 60_000));
}

/** A time of day in minutes: `minutesOf("13:30")` is 810. */
export function minutesOf(time: string): number {
  const [hours = NaN, minutes = NaN, seconds = 0] = time.split(":").map(Number);
  return hours * 60 + minutes + seconds / 60;
}

const WRITTEN = /"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?: ([\d:.]+))?, week (-?\d+)"/g;

/** JSON in which `"Tue, week -3"` becomes that date, and `"Tue 09:14, week -3"` that instant. */
export function datesIn(text: string, today: CalendarDate): string {
  return text.replace(WRITTEN, (_, day: string, time: string | undefined, week: string) => {
    const date = dayOf(today, Number(week), DAYS.indexOf(day));
    return JSON.stringify(time === undefined ? date : instantAt(date, time));
  });
}

const CLOSED = new Set(["01-01", "06-19", "07-04", "12-24", "12-25", "12-31"]);

/** Whether the practice is open on a weekday. It is closed on Thanksgiving, the fourth Thursday of November. */
export function isOpen(date: CalendarDate): boolean {
  const isThanksgiving = /11-2[2-8]$/.test(date) && new Date(date).getUTCDay() === 4;
  return !CLOSED.has(date.slice(5)) && !isThanksgiving;
}
