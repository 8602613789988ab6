import { getAll, type Query } from "./api.ts";
import { addDays, dateOf, startOfDay, type CalendarDate, type TimeZone } from "./dates.ts";
import type { Session } from "./wire.ts";

/** The sessions that start on some days of a zone. The API's days are UTC's, so the edges are cut here. */
export async function sessionsOfDays(
  query: Query,
  first: CalendarDate,
  days: number,
  zone: TimeZone,
  signal: AbortSignal,
): Promise<Session[]> {
  const end = addDays(first, days);
  const from = startOfDay(first, zone);
  const to = startOfDay(end, zone);
  const dates = { startDate: from.slice(0, 10), endDate: to.slice(0, 10) };
  const sessions = await getAll<Session>("sessions", { ...query, ...dates }, signal);
  return sessions.filter(({ startTime }) => {
    const date = dateOf(startTime, zone);
    return date >= first && date < end;
  });
}
