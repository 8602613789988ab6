import { byStart, clinicianOf, holdsSlot } from "./overlaps.ts";
import {
  addDays,
  type CalendarDate,
  dateOf,
  daysBetween,
  hasBegun,
  minutesOfDay,
  type TimeZone,
} from "../base/dates.ts";
import type { Session } from "../base/wire.ts";

/**
 * Which sessions belong together, as `docs/keeping-in-step.md` defines it. Nothing about it is stored, so a session that
 * was moved or shortened is not alike any more, and a change of the others leaves it as it is.
 */
export interface Alike {
  /** Those behind the open session with the same people, in order of start. */
  same: Session[];
  /** Those with other people. */
  others: Session[];
  /** Days up to the last of them on which there is none. */
  gaps: Gap[];
  /** The usual number of days from one to the next. */
  distance: number;
  /** The day of the last one, or of the open session. */
  lastDay: CalendarDate;
  /** The days on which there is one, whatever its status. */
  days: Set<CalendarDate>;
}

interface Gap {
  day: CalendarDate;
  /** What stands for it: one that was declined or missed, or moved. */
  instead: Session[];
}

/** How far behind the open session others are looked for, in days. */
export const ALIKE_DAYS = 366;

/** The distances that a slot may have, in days. */
const WEEK = 7;
const TWO_WEEKS = 14;

/** How far from its day a moved session may be, so that it stands for no other week. */
const NEAR = 3;

/**
 * The sessions alike to one.
 *
 * @param sessions those of its client, else of its staff, whatever their status, from two weeks before it.
 */
export function alikeOf(open: Session, sessions: readonly Session[], zone: TimeZone): Alike {
  const openDay = dateOf(open.startTime, zone);
  const dayOf = ({ startTime }: Session): CalendarDate => dateOf(startTime, zone);
  const ofService = sessions
    .filter((one) => whoseOf(open) !== undefined && serviceKey(one) === serviceKey(open))
    .toSorted(byStart);
  const inSlot = ofService.filter(
    (one) =>
      dayOf(one) > openDay &&
      daysBetween(openDay, dayOf(one)) <= ALIKE_DAYS &&
      slotKey(one, zone) === slotKey(open, zone),
  );
  const alike = inSlot.filter(holdsSlot);
  const days = new Set(alike.map(dayOf));
  const distance = usualDistance([openDay, ...days]);
  const lastDay = [...days].at(-1) ?? openDay;

  const slots = new Set(ofService.map((one) => `${slotKey(one, zone)} ${dayOf(one)}`));
  const hasSlot = (one: Session): boolean =>
    [-TWO_WEEKS, -WEEK, WEEK, TWO_WEEKS].some((days) =>
      slots.has(`${slotKey(one, zone)} ${addDays(dayOf(one), days)}`),
    );
  const moved = ofService.filter((one) => holdsSlot(one) && !hasSlot(one));
  const gaps: Gap[] = [];
  for (let day = addDays(openDay, distance); day < lastDay; day = addDays(day, distance)) {
    if (days.has(day)) continue;
    const declined = inSlot.filter((one) => dayOf(one) === day);
    const near = moved.filter((one) => Math.abs(daysBetween(day, dayOf(one))) <= NEAR);
    gaps.push({ day, instead: [...declined, ...near] });
  }
  return {
    same: alike.filter((one) => peopleKey(one) === peopleKey(open)),
    others: alike.filter((one) => peopleKey(one) !== peopleKey(open)),
    gaps,
    distance,
    lastDay,
    days: new Set(inSlot.map(dayOf)),
  };
}

/** Those of them that go along with a change: what has begun stays as it is. */
export function toCome(alike: Alike): Alike {
  const isToCome = ({ startTime }: Session): boolean => !hasBegun(startTime);
  return { ...alike, same: alike.same.filter(isToCome), others: alike.others.filter(isToCome) };
}

/** Whose sessions one may be alike to: its client's, else its technician's, else its clinician's. */
export function whoseOf(
  session: Session,
): { clientId: string } | { technicianId: string } | { clinicianId: string } | undefined {
  const { clientId, technicianId } = session;
  const clinicianId = clinicianOf(session);
  if (clientId !== null) return { clientId };
  if (technicianId !== null) return { technicianId };
  return clinicianId === null ? undefined : { clinicianId };
}

/** Sessions by slot, in order of start, as the slots are by their first ones. */
export function slotsOf(sessions: readonly Session[], zone: TimeZone): [Session, ...Session[]][] {
  const groups = Map.groupBy(
    sessions.toSorted(byStart),
    (one) => slotKey(one, zone) + serviceKey(one),
  );
  return [...groups.values()] as [Session, ...Session[]][];
}

/** Whose session it is, and of which service. */
function serviceKey(session: Session): string {
  const service = session.isBillable ? [session.services] : [null, session.nonBillableCode];
  return JSON.stringify([whoseOf(session), ...service]);
}

/** Day of the week, beginning and end. */
function slotKey({ startTime, endTime }: Session, zone: TimeZone): string {
  const [day, lastDay] = [dateOf(startTime, zone), dateOf(endTime, zone)];
  const weekDay = new Date(day).getUTCDay();
  const times = [minutesOfDay(startTime, zone), minutesOfDay(endTime, zone)];
  return JSON.stringify([weekDay, ...times, daysBetween(day, lastDay)]);
}

function peopleKey(session: Session): string {
  return JSON.stringify([session.clientId, session.technicianId, clinicianOf(session)]);
}

/** One week or two, whichever most neighbours have. */
function usualDistance(days: readonly CalendarDate[]): number {
  const steps = days.slice(1).map((day, index) => daysBetween(days[index] ?? day, day));
  const count = (distance: number): number => steps.filter((step) => step === distance).length;
  return count(TWO_WEEKS) > count(WEEK) ? TWO_WEEKS : WEEK;
}
