import type { Alike } from "./alike.ts";
import { type Authorization, coversDay } from "./authorizations.ts";
import {
  addDays,
  type CalendarDate,
  dateOf,
  daysBetween,
  localInstant,
  minutesOfDay,
  type TimeZone,
} from "./dates.ts";
import { changedFields } from "./session-record.ts";
import type { Slot } from "./week.ts";
import type { Session } from "./wire.ts";

/** Sessions that belong together are changed together, or go on. */

/** Where the open session is moved: by days, to local times, both in minutes from midnight of its first day. */
export interface Move {
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
    to: minutesOfDay(after.endTime, zone) + overMidnight * 24 * 60,
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
export interface Along {
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

/** A session that goes on with a slot. */
export interface Next extends Slot {
  day: CalendarDate;
  /** The authorization of its service that is in force on its day. */
  authorization: Authorization | undefined;
}

/** The number of sessions that are booked at once at most. */
export const MAX_SESSIONS = 60;

/**
 * The sessions that are missing behind the last one of a slot until a day, in its distance. Days that have one, even a
 * declined one, get none.
 */
export function goingOn(
  open: Session,
  { distance, lastDay, days: taken }: Alike,
  until: CalendarDate,
  { zone, authorizations }: { zone: TimeZone; authorizations: readonly Authorization[] },
): { next: Next[]; leftOut: CalendarDate[] } {
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
  return { next, leftOut };
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
