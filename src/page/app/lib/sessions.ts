import { getAll, type Query } from "./api.ts";
import { addDays, dateOf, startOfDay, type CalendarDate, type TimeZone } from "./dates.ts";
import type { Session } from "./wire.ts";

/** The sessions that start in seven days of a zone. The API's days are UTC's, so the edges are cut here. */
export async function sessionsOfWeek(
  query: Query,
  week: CalendarDate,
  zone: TimeZone,
  signal: AbortSignal,
): Promise<Session[]> {
  const end = addDays(week, 7);
  const from = startOfDay(week, zone);
  const to = startOfDay(end, zone);
  const days = { startDate: from.slice(0, 10), endDate: to.slice(0, 10) };
  const sessions = await getAll<Session>("sessions", { ...query, ...days }, signal);
  return sessions.filter(({ startTime }) => {
    const date = dateOf(startTime, zone);
    return date >= week && date < end;
  });
}
