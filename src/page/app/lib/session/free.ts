import { delivererOf, presentAt } from "../../../../lib/presence.ts";
import { remembered } from "../../../../lib/remembered.ts";
import { clinicianOf, groupsAmong, holdsSlot, type IsGroupService, overlaps } from "./overlaps.ts";
import type { Patient } from "../authorizations/authorizations.ts";
import { type CalendarDate, dateOf, type TimeZone } from "../base/dates.ts";
import { countText, dayText, timesText } from "../base/format.ts";
import type { Session, User } from "../base/wire.ts";

/** Who could take over a session, or several of a slot. */

/** Who counts as knowing the patient, in days before the session. */
export const LATELY = 90;

export interface Candidate {
  person: User;
  isOfTeam: boolean;
  /** The number of sessions that they had with the patient lately. */
  met: number;
  /** Whether each of their credentials ends at or before one of the sessions that they could take. */
  hasNoCredential: boolean;
  /** The sessions that they could take. */
  free: Session[];
  /** The others. */
  busy: Session[];
  /** At what else they are present on the day of the first session. */
  thatDay: Session[];
}

/** A field of a session that names somebody of the staff. */
export type StaffFieldName = "technicianId" | "clinicianId";

/** The field that somebody has: whoever delivers the session, or would, if nobody is given. */
export function fieldOf(session: Session, personId = delivererOf(session)): StaffFieldName {
  const isOfTechnician = !session.isBillable || session.technicianId === personId;
  return isOfTechnician ? "technicianId" : "clinicianId";
}

/**
 * The staff who are present nowhere else during sessions, or some of them: first whoever is free for all of them, of these
 * the patient's team, then those who have been with the patient, by name; people without a credential that is valid then
 * come last.
 *
 * @param sessions of a slot, the one that decides who is needed first.
 * @param around.field the field to be filled.
 * @param around.sessions all sessions of the practice that may overlap them.
 * @param around.earlier the patient's earlier sessions.
 */
export function freeStaff(
  sessions: readonly [Session, ...Session[]],
  staff: readonly User[],
  around: {
    sessions: readonly Session[];
    earlier: readonly Session[];
    patient: Patient | undefined;
    field: StaffFieldName;
    zone: TimeZone;
    isGroupService: IsGroupService;
  },
): Candidate[] {
  const [first] = sessions;
  const dayOf = ({ startTime }: Session): CalendarDate => dateOf(startTime, around.zone);
  const replaced = new Set(sessions.map(({ publicId }) => publicId));
  const others = around.sessions
    .filter(holdsSlot)
    .filter(({ publicId }) => !replaced.has(publicId));
  const areOfGroup = groupsAmong([...sessions, ...others], around.isGroupService);
  const bookings = byPerson(others);
  const met = byPerson(around.earlier.filter(holdsSlot));
  const clinicians = new Set(around.patient?.clinicianIds);
  const isTechnicians = around.field === "technicianId";
  return staff
    .filter((person) => (person.role === "TECHNICIAN") === isTechnicians)
    .filter(({ publicId }) => !presentAt(first).includes(publicId))
    .filter(
      ({ publicId }) => publicId !== (isTechnicians ? first.technicianId : clinicianOf(first)),
    )
    .map((person) => {
      const booked = bookings.get(person.publicId) ?? [];
      const isBusy = (session: Session): boolean =>
        booked.some((one) => overlaps(session, one) && !areOfGroup(session, one));
      const free = sessions.filter((session) => !isBusy(session));
      return {
        ...{ person, free, busy: sessions.filter(isBusy) },
        isOfTeam: [person.publicId, ...leadersOf(person)].some((id) => clinicians.has(id)),
        met: met.get(person.publicId)?.length ?? 0,
        hasNoCredential: free.some((session) => hasNoCredential(person, session)),
        thatDay: booked.filter((one) => dayOf(one) === dayOf(first)),
      };
    })
    .filter(({ free }) => free.length > 0)
    .sort((a, b) => rank(a) - rank(b) || a.person.lastName.localeCompare(b.person.lastName, "en"));
}

/** Sessions by who is present at them. */
function byPerson(sessions: readonly Session[]): Map<string, Session[]> {
  const lists = new Map<string, Session[]>();
  for (const session of sessions)
    for (const id of presentAt(session)) remembered(lists, id, () => []).push(session);
  return lists;
}

function rank({ isOfTeam, met, hasNoCredential: isLast, busy }: Candidate): number {
  return (isOfTeam ? 0 : met > 0 ? 1 : 2) + (busy.length > 0 ? 3 : 0) + (isLast ? 6 : 0);
}

/** The clinicians who supervise a technician. */
function leadersOf(person: User): readonly string[] {
  return "careTeamLeadIds" in person ? person.careTeamLeadIds : [];
}

function hasNoCredential(person: User, { startTime, isBillable }: Session): boolean {
  if (!isBillable || !("credentials" in person) || person.credentials.length === 0) return false;
  return person.credentials.every(({ expiresAt }) => expiresAt <= startTime);
}

/** `Tue, Dec 8; Tue, Dec 15` */
export function daysText(sessions: readonly Session[], zone: TimeZone): string {
  return sessions.map(({ startTime }) => dayText(dateOf(startTime, zone))).join("; ");
}

/** `for 10 of 12, not Tue, Dec 8; patient’s team; 12 sessions with Leo in 90 days; that day 9:00 – 11:00 AM`; with the patient’s first name. */
export function remarkOn(
  candidate: Candidate,
  patient: string | undefined,
  zone: TimeZone,
): string {
  const { isOfTeam, met, hasNoCredential, free, busy, thatDay } = candidate;
  const all = free.length + busy.length;
  return [
    all === 1
      ? ""
      : busy.length === 0
        ? `free for all ${all}`
        : `for ${free.length} of ${all}, not ${daysText(busy, zone)}`,
    isOfTeam ? "patient’s team" : "",
    met > 0 ? `${countText(met, "session")} with ${patient ?? "them"} in ${LATELY} days` : "",
    thatDay.length > 0
      ? `that day ${thatDay.map((session) => timesText(session, zone)).join(", ")}`
      : "nothing else that day",
    hasNoCredential ? "credentials ended" : "",
  ]
    .filter(Boolean)
    .join("; ");
}
