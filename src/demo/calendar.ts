import { addDays, type CalendarDate, daysBetween, startOfWeek } from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { localDate, startOfDay, type TimeZone } from "../lib/time-zone.ts";

/** When the demo practice is open, and from when to when it has sessions. */

/** Where the practice is. Its hours are local, so that their instants move with daylight saving time. */
export const DEMO_TIME_ZONE = "America/New_York" as TimeZone;

/** What the practice's calendar shows at a moment, in epoch milliseconds. */
export function demoDay(now: number): CalendarDate {
  return localDate(toInstant(now), DEMO_TIME_ZONE);
}

export interface Calendar {
  today: CalendarDate;
  /** A Monday: the first day with sessions. What was delivered before has left encounters only. */
  firstDay: CalendarDate;
  /** A Sunday some weeks ahead: nothing is booked after it. */
  lastDay: CalendarDate;
}

/** A day on which the practice is open. */
export interface WorkDay {
  date: CalendarDate;
  /** 1 is Monday, 5 is Friday. */
  weekday: number;
  /** Goes up by one every Monday; its parity tells the weeks of what happens every other week. */
  week: number;
  /** Its first moment in the practice's time zone, in epoch milliseconds. */
  midnight: number;
}

const WEEKS_AHEAD = 3;
const FEWEST_WEEKS_PAST = 4;
/** Three years, which a practice of a million sessions has. */
const MOST_WEEKS_PAST = 156;
const SESSIONS_PER_WEEK_MORE = 6_500;

/** A small practice shows some weeks. With more sessions it grows longer as well as larger, up to three years. */
export function demoCalendar(today: CalendarDate, sessions: number): Calendar {
  const weeksMore = Math.floor(sessions / SESSIONS_PER_WEEK_MORE);
  const weeksPast = Math.min(FEWEST_WEEKS_PAST + weeksMore, MOST_WEEKS_PAST);
  const monday = startOfWeek(today, "MONDAY");
  return {
    today,
    firstDay: addDays(monday, -7 * weeksPast),
    lastDay: addDays(monday, 7 * WEEKS_AHEAD + 6),
  };
}

/** A Monday before all others. */
const FIRST_MONDAY = "1900-01-01" as CalendarDate;

/** The days from `from` to `to`, both included, on which the practice is open. */
export function workDays(from: CalendarDate, to: CalendarDate): WorkDay[] {
  const days: WorkDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const sinceMonday = daysBetween(FIRST_MONDAY, date);
    const weekday = (sinceMonday % 7) + 1;
    const week = Math.floor(sinceMonday / 7);
    if (isOpen(date, weekday)) days.push({ date, weekday, week, midnight: midnightOf(date) });
  }
  return days;
}

function midnightOf(date: CalendarDate): number {
  return epochMilliseconds(startOfDay(date, DEMO_TIME_ZONE));
}

const CLOSED = new Set(["01-01", "06-19", "07-04", "12-24", "12-25", "12-31"]);

function isOpen(date: CalendarDate, weekday: number): boolean {
  const isWeekend = weekday > 5;
  return !isWeekend && !CLOSED.has(date.slice(5)) && !isThanksgiving(date, weekday);
}

/** The fourth Thursday of November. */
function isThanksgiving(date: CalendarDate, weekday: number): boolean {
  const day = Number(date.slice(8));
  return weekday === 4 && date.slice(5, 7) === "11" && day > 21 && day <= 28;
}

/**
 * The instant at which the practice's clocks show so many minutes after midnight. They change in the small hours
 * of Sundays, when it is closed: on all other days minutes on the wall are minutes elapsed.
 *
 *     instantAt("2026-03-06", 9 * 60)  // "2026-03-06T14:00:00.000Z"
 *     instantAt("2026-03-09", 9 * 60)  // "2026-03-09T13:00:00.000Z"
 */
export function instantAt(date: CalendarDate, minute: number): Instant {
  return instantAfter(midnightOf(date), minute);
}

/** The same for a midnight that is known, which is looked up once a day and not for every session. */
export function instantAfter(midnight: number, minute: number): Instant {
  return toInstant(midnight + minute * 60_000);
}
