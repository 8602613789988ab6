import { compare } from "../../../../lib/compare.ts";
import type { Alike } from "./alike.ts";
import type { Authorization } from "../authorizations/authorizations.ts";
import { clinicianOf, holdsSlot } from "./overlaps.ts";
import {
  addDays,
  type CalendarDate,
  coversDay,
  dateOf,
  daysBetween,
  localInstant,
  MINUTES_OF_DAY,
  minutesOfDay,
  type Slot,
  type TimeZone,
} from "../base/dates.ts";
import { dayText, firstOf, SESSION_STATUSES, whenText } from "../base/format.ts";
import type { Change } from "../base/lines.ts";
import { MAX_SESSIONS } from "./new-sessions.ts";
import { changedFields, fieldsBefore } from "./session-record.ts";
import type { Session } from "../base/wire.ts";

/** Sessions that belong together are changed together, or go on. */

/** Where the open session is moved: by days, to local times, both in minutes from midnight of its first day. */
interface Move {
  days: number;
  from: number;
  to: number;
}

/** The move from one time to another. */
export function moveOf(before: Slot, after: Slot, zone: TimeZone): Move {
  const day = dateOf(after.startTime, zone);
  const overMidnight = daysBetween(day, dateOf(after.endTime, zone));
  return {
    days: daysBetween(dateOf(before.startTime, zone), day),
    from: minutesOfDay(after.startTime, zone),
    to: minutesOfDay(after.endTime, zone) + overMidnight * MINUTES_OF_DAY,
  };
}

/** The time of a session that moves along; undefined if its new day leaves a local time out. */
export function movedAlong(
  { startTime }: Slot,
  { days, from, to }: Move,
  zone: TimeZone,
): Slot | undefined {
  return slotOn(addDays(dateOf(startTime, zone), days), { from, to }, zone);
}

function slotOn(
  day: CalendarDate,
  { from, to }: Omit<Move, "days">,
  zone: TimeZone,
): Slot | undefined {
  const startTime = localInstant(day, from, zone);
  const endTime = localInstant(day, to, zone);
  return startTime && endTime && { startTime, endTime };
}

/** What a change of the open session makes of one that goes along: its fields that change. */
interface Along {
  session: Session;
  change: Partial<Session>;
}

/**
 * What a change of one session is for others: the same fields, and the time moved by the same days to the same local
 * time. Sessions whose new day leaves that time out stay, and are returned apart; those that have it already are neither.
 */
export function changedAlong(
  open: Session,
  change: Partial<Session>,
  sessions: readonly Session[],
  zone: TimeZone,
): { along: Along[]; staying: Session[] } {
  const after = { ...open, ...change };
  const isMoved = "startTime" in change || "endTime" in change;
  const move = moveOf(open, after, zone);
  const { startTime: _, endTime: __, ...fields } = change;
  const along: Along[] = [];
  const staying: Session[] = [];
  for (const session of sessions) {
    const slot = isMoved ? movedAlong(session, move, zone) : {};
    if (slot === undefined) {
      staying.push(session);
      continue;
    }
    const changed = changedFields(session, { ...slot, ...fields } as Partial<Session>);
    if (Object.keys(changed).length > 0) along.push({ session, change: changed });
  }
  return { along, staying };
}

/** Writes what becomes of sessions, in one transaction with one undo. */
export function changeOfAll(along: readonly Along[], done: string): Change {
  return {
    ...{ done, sessions: along.map(({ session }) => session) },
    lines: along.map(({ session: { publicId }, change }) => ({
      ...{ type: "session", publicId, ...change },
    })),
    undo: along.map(({ session, change }) => fieldsBefore(session, change)),
  };
}

/** A session that goes on with a slot. */
export interface Next extends Slot {
  day: CalendarDate;
  /** The authorization of its service that is in force on its day. */
  authorization: Authorization | undefined;
}

/**
 * The sessions that are missing behind the last one of a slot until a day, in its distance. Days that have one, even a
 * declined one, get none. Those that lack an authorization are among them, and apart.
 */
export function goingOn(
  open: Session,
  { distance, lastDay, days: taken }: Alike,
  until: CalendarDate,
  { zone, authorizations }: { zone: TimeZone; authorizations: readonly Authorization[] },
): { next: Next[]; without: Next[]; leftOut: CalendarDate[] } {
  const times = moveOf(open, open, zone);
  const next: Next[] = [];
  const leftOut: CalendarDate[] = [];
  for (
    let day = addDays(lastDay, distance);
    day <= until && next.length < MAX_SESSIONS;
    day = addDays(day, distance)
  ) {
    const slot = taken.has(day) ? undefined : slotOn(day, times, zone);
    if (slot === undefined) leftOut.push(day);
    else next.push({ day, ...slot, authorization: inForce(open, authorizations, day) });
  }
  const needsOne = open.isBillable && open.clientId !== null;
  const without = next.filter(({ authorization }) => needsOne && authorization === undefined);
  return { next, without, leftOut };
}

/** The authorization of a session's service that is in force on a day; of several the one that ends last. */
function inForce(
  session: Session,
  authorizations: readonly Authorization[],
  day: CalendarDate,
): Authorization | undefined {
  if (!session.isBillable) return undefined;
  return authorizations
    .filter(({ serviceLine }) => serviceLine.publicId === session.services)
    .filter((authorization) => coversDay(authorization, day))
    .toSorted((a, b) => (a.endDate < b.endDate ? 1 : -1))[0];
}

/**
 * What stays as it is though it belongs to the slot, by day: sessions with other people, days without one, and sessions
 * whose new time a clock change leaves out. The first ones, and how many more there are.
 */
export function stayingTexts(
  { others, gaps, leftOut }: Pick<Alike, "others" | "gaps"> & { leftOut: readonly Session[] },
  name: (id: string) => string,
  zone: TimeZone,
): string[] {
  const dayOf = ({ startTime }: Session): CalendarDate => dateOf(startTime, zone);
  const staying = [
    ...others.map((one) => ({
      day: dayOf(one),
      text: `with ${staffOf(one).map(name).join(" and ") || "nobody"}`,
    })),
    ...gaps.map(({ day, instead }) => ({
      day,
      text: instead.map((one) => standInText(one, zone)).join(", ") || "none",
    })),
    ...leftOut.map((one) => ({ day: dayOf(one), text: "a clock change leaves this time out" })),
  ].toSorted((a, b) => compare(a.day, b.day));
  return firstOf(staying.map(({ day, text }) => `${dayText(day)}: ${text}`));
}

function standInText(session: Session, zone: TimeZone): string {
  return holdsSlot(session)
    ? `${whenText(session, zone)} instead`
    : SESSION_STATUSES[session.status].toLowerCase();
}

/** The clinician and technician of a session. */
function staffOf(session: Session): string[] {
  return [session.technicianId, clinicianOf(session)].filter((id) => id !== null);
}
