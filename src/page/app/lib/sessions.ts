import { getAll, type Query } from "./api.ts";
import {
  addDays,
  type CalendarDate,
  dateOf,
  type Instant,
  instantAt,
  minutesOfDay,
  type TimeZone,
  toInstant,
} from "./dates.ts";
import type { Session } from "./wire.ts";

/** Days in a time zone. */
export interface Span {
  first: CalendarDate;
  count: number;
  zone: TimeZone;
}

/** The sessions that start within a span, in order of start. */
export function sessionsOfDays(query: Query, span: Span, signal: AbortSignal): Promise<Session[]> {
  const { first, count, zone } = span;
  const days = { startDate: first, endDate: addDays(first, count - 1), timezone: zone };
  return getAll<Session>("sessions", { ...query, ...days }, signal);
}

/** A session that begins so much later or earlier, in minutes and days of the zone; as long as it was. */
export function moved(
  { startTime, endTime }: Session,
  { minutes, days }: { minutes: number; days: number },
  zone: TimeZone,
): { startTime: Instant; endTime: Instant } {
  const day = addDays(dateOf(startTime, zone), days);
  const start = instantAt(day, minutesOfDay(startTime, zone) + minutes, zone);
  const length = Date.parse(endTime) - Date.parse(startTime);
  return { startTime: start, endTime: toInstant(Date.parse(start) + length) };
}
