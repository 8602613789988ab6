import { get, getAll, type Reading, readRecords, withQuery } from "../base/api.ts";
import type { Line } from "../base/lines.ts";
import type { Query } from "../base/query.ts";
import {
  type CalendarDate,
  dateOf,
  daysOf,
  hasBegun,
  type Slot,
  type TimeZone,
  today,
} from "../base/dates.ts";
import { practiceZone } from "../base/me.ts";
import { kindOf } from "../base/roles.ts";
import type { PageOf, Role, Session, User } from "../base/wire.ts";

export function getSession(id: string, reading?: Reading): Promise<Session> {
  return get<Session>(`sessions/${encodeURIComponent(id)}`, reading);
}

/**
 * The sessions that go on on the days of some slots: those that start on them, and those that began before, however long
 * ago, and still go on. Slots are at least one.
 */
export function sessionsMeanwhile(
  query: Query,
  slots: readonly Slot[],
  timezone: TimeZone,
  reading?: Reading,
): Promise<Session[]> {
  const goingOn = { ...query, goesOn: "true", ...daysOf(slots, timezone), timezone };
  return getAll<Session>("sessions", goingOn, reading);
}

/** All sessions of the practice that go on on the days of some others, these included. */
export async function sessionsDuring(
  slots: readonly Slot[],
  zone: TimeZone,
  reading?: Reading,
): Promise<Session[]> {
  // Sessions of the same days are asked for once.
  const days = Map.groupBy(slots, ({ startTime }) => dateOf(startTime, zone));
  const lists = await Promise.all(
    [...days.values()].map((some) => sessionsMeanwhile({}, some, zone, reading)),
  );
  return [...new Map(lists.flat().map((session) => [session.publicId, session])).values()];
}

/** The statuses of sessions that hold their slots. */
const HELD = "CONFIRMED,UNCONFIRMED,REQUESTED_TO_CANCEL";

/** Whose sessions are a person's: a query of these; undefined for roles without sessions. */
export function ofPerson(id: string | null, role: Role): Query | undefined {
  const kind = kindOf(role);
  return kind && { [kind === "patient" ? "clientId" : `${kind}Id`]: id ?? undefined };
}

/** The sessions of a person that hold their slots, from a day on. */
function heldBy({ publicId, role }: User, startDate: CalendarDate): Query | undefined {
  const whose = ofPerson(publicId, role);
  return whose && { ...whose, startDate, status: HELD, timezone: practiceZone() };
}

/** All of them that have not begun. */
export async function sessionsToCome(
  person: User,
  startDate: CalendarDate,
  reading?: Reading,
): Promise<Session[]> {
  const held = heldBy(person, startDate);
  const sessions = held ? await getAll<Session>("sessions", held, reading) : [];
  return sessions.filter(({ startTime }) => !hasBegun(startTime));
}

/** Sessions as a practice file has them: with their authorizations. */
export function recordsOf(sessions: readonly Session[], reading?: Reading): Promise<Line[]> {
  const ids = sessions.map(({ publicId }) => publicId);
  return readRecords("session", ids, reading);
}

/** How many sessions of a day may have ended. */
const ENDED_TODAY = 20;

/** The next of them, up to a number, at most 80. */
export async function comingSessions(
  person: User,
  most: number,
  reading?: Reading,
): Promise<Session[]> {
  const held = heldBy(person, today(practiceZone()));
  if (held === undefined) return [];
  const path = withQuery("sessions", { ...held, pageSize: most + ENDED_TODAY });
  const { data } = await get<PageOf<Session>>(path, reading);
  return data.filter(({ endTime }) => !hasBegun(endTime)).slice(0, most);
}
