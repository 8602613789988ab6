import { addDays, type CalendarDate, daysBetween, startOfWeek } from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { localDate, startOfDay, type TimeZone } from "../lib/time-zone.ts";

/** Opening days of the demo practice, and the period of its sessions. */

/** The time zone of the practice. Its hours are local, so instants shift with daylight saving time. */
export const DEMO_TIME_ZONE = "America/New_York" as TimeZone;

/** The date in the practice's time zone at a moment (epoch milliseconds). */
export function demoDay(now: number): CalendarDate {
  return localDate(toInstant(now), DEMO_TIME_ZONE);
}

export interface Calendar {
  today: CalendarDate;
  /** A Monday: the first day with sessions. Earlier deliveries exist only as encounters. */
  firstDay: CalendarDate;
  /** A Sunday some weeks in the future; the last day with sessions. */
  lastDay: CalendarDate;
}

/** A day on which the practice is open. */
export interface WorkDay {
  date: CalendarDate;
  /** 1 is Monday, 5 is Friday. */
  weekday: number;
  /** Increases by one every Monday. Its parity selects the weeks of biweekly visits. */
  week: number;
  /** The start of the day in the practice's time zone, in epoch milliseconds. */
  midnight: number;
}

const WEEKS_AHEAD = 3;
const MIN_WEEKS_PAST = 4;
/** Three years; reached by a practice with a million sessions. */
const MAX_WEEKS_PAST = 156;
const SESSIONS_PER_WEEK_MORE = 6_500;

/** The period grows with the number of sessions, from some weeks to three years. */
export function demoCalendar(today: CalendarDate, sessions: number): Calendar {
  const weeksMore = Math.floor(sessions / SESSIONS_PER_WEEK_MORE);
  const weeksPast = Math.min(MIN_WEEKS_PAST + weeksMore, MAX_WEEKS_PAST);
  const monday = startOfWeek(today, "MONDAY");
  return {
    today,
    firstDay: addDays(monday, -7 * weeksPast),
    lastDay: addDays(monday, 7 * WEEKS_AHEAD + 6),
  };
}

/** A Monday before all others. */
const FIRST_MONDAY = "1900-01-01" as CalendarDate;

/** The opening days from `from` to `to`, both included. */
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
 * The instant at a number of minutes after local midnight. Clocks change on Sunday nights, when the practice is closed,
 * so on opening days local minutes are elapsed minutes.
 *
 *     instantAt("2026-03-06", 9 * 60)  // "2026-03-06T14:00:00.000Z"
 *     instantAt("2026-03-09", 9 * 60)  // "2026-03-09T13:00:00.000Z"
 */
export function instantAt(date: CalendarDate, minute: number): Instant {
  return instantAfter(midnightOf(date), minute);
}

/** `instantAt` with a known midnight, to compute midnight once a day instead of for every session. */
export function instantAfter(midnight: number, minute: number): Instant {
  return toInstant(midnight + minute * 60_000);
}
