import { getAll, type Query } from "./api.ts";
import { addDays, type CalendarDate, type TimeZone } from "./dates.ts";
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
