import { get, getAll, withQuery } from "./api.ts";
import type { Query } from "./query.ts";
import {
  addDays,
  type CalendarDate,
  dateOf,
  hasBegun,
  type Instant,
  instantAt,
  minutesOfDay,
  type TimeZone,
  today,
  toInstant,
} from "./dates.ts";
import { practiceZone } from "./me.ts";
import { kindOf } from "./people.ts";
import type { PageOf, Session, User } from "./wire.ts";

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

/** How many sessions of a day may have ended. */
const ENDED_TODAY = 20;

/** The sessions of a person from now on that hold their slots, up to a number, at most 80, and how many there are. */
export async function comingSessions(
  { publicId, role }: User,
  signal: AbortSignal,
  most = 80,
): Promise<{ sessions: Session[]; totalCount: number }> {
  const kind = kindOf(role);
  if (kind === undefined) return { sessions: [], totalCount: 0 };
  const filter = kind === "patient" ? "clientId" : `${kind}Id`;
  const zone = practiceZone();
  const { data, pagination } = await get<PageOf<Session>>(
    withQuery("sessions", {
      [filter]: publicId,
      startDate: today(zone),
      status: "CONFIRMED,UNCONFIRMED,REQUESTED_TO_CANCEL",
      timezone: zone,
      pageSize: most + ENDED_TODAY,
    }),
    signal,
  );
  const coming = data.filter(({ endTime }) => !hasBegun(endTime));
  const ended = data.length - coming.length;
  return { sessions: coming.slice(0, most), totalCount: pagination.totalCount - ended };
}
