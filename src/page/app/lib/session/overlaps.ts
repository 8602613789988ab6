import { compare } from "../../../../lib/compare.ts";
import { presentAt } from "../../../../lib/presence.ts";
import { countsAsScheduled } from "../../../../utilization/units.ts";
import type { Slot } from "../base/dates.ts";
import type { Service, Session } from "../base/wire.ts";

/** Which sessions overlap, as the checks have it. */

/** Whether a session holds its slot: it is neither declined nor missed. */
export function holdsSlot({ status }: Session): boolean {
  return countsAsScheduled(status);
}

/** The clinician of a session; only what is billable can have one. */
export function clinicianOf(session: Session): string | null {
  return session.isBillable ? session.clinicianId : null;
}

/** The client, clinician and technician of a session, if any. */
export function peopleOf(session: Session): string[] {
  const { clientId, technicianId } = session;
  return [clientId, clinicianOf(session), technicianId].filter((id) => id !== null);
}

/** Whether two times overlap. */
export function overlaps(a: Slot, b: Slot): boolean {
  return a.startTime < b.endTime && b.startTime < a.endTime;
}

/** Whether a service is held with several clients at once, by its id. */
export type IsGroupService = (serviceId: string) => boolean;

export function isGroupAmong(services: readonly Service[]): IsGroupService {
  const groups = new Set(services.filter(({ isGroup }) => isGroup).map((each) => each.publicId));
  return (serviceId) => groups.has(serviceId);
}

/**
 * Tells whether people may be present at two sessions at once: of one group, or a supervision beside the group that its
 * client is in.
 *
 * @param sessions all those of the groups.
 */
export function groupsAmong(
  sessions: readonly Session[],
  isGroupService: IsGroupService,
): (a: Session, b: Session) => boolean {
  const groupOf = (session: Session): string | undefined => {
    if (!session.isBillable || session.clientId === null) return undefined;
    if (!isGroupService(session.services)) return undefined;
    const { services, placeOfService, locationId, startTime, endTime } = session;
    return [services, placeOfService, locationId, startTime, endTime].join(" ");
  };
  const members = new Set(
    sessions.filter(holdsSlot).map((each) => `${each.clientId} ${groupOf(each)}`),
  );
  const supervises = ({ isSupervision, clientId }: Session, group: string | undefined): boolean =>
    isSupervision && group !== undefined && members.has(`${clientId} ${group}`);
  return (a, b) => {
    const [one, other] = [groupOf(a), groupOf(b)];
    return (one !== undefined && one === other) || supervises(a, other) || supervises(b, one);
  };
}

/**
 * The ids of sessions that overlap another one at which somebody of them is present, too: as in the checks `PROVIDER_OVERLAP` and `PATIENT_OVERLAP`, but with both
 * sessions of each pair.
 */
export function doubleBookings(
  sessions: readonly Session[],
  isGroupService: IsGroupService,
): Set<string> {
  const areOfGroup = groupsAmong(sessions, isGroupService);
  const doubles = new Set<string>();
  const sorted = sessions.filter(holdsSlot).filter(takesTime).toSorted(byStart);
  for (const [index, session] of sorted.entries())
    for (let next = index + 1; next < sorted.length; next += 1) {
      const other = sorted[next] as Session;
      if (other.startTime >= session.endTime) break;
      const isOfStaff = !areOfGroup(session, other) && hasStaffOfBoth(session, other);
      const client = treatedClient(session);
      if (isOfStaff || (client !== null && client === treatedClient(other)))
        doubles.add(session.publicId).add(other.publicId);
    }
  return doubles;
}

/**
 * The technicians whom a supervision without one supervises: those who have service with its client meanwhile, as the
 * report of supervision counts it.
 *
 * @param others sessions of its client.
 */
export function supervisedAt(supervision: Session, others: readonly Session[]): string[] {
  const meanwhile = others
    // As it is stored, it may still be service.
    .filter(({ publicId }) => publicId !== supervision.publicId)
    .filter(holdsSlot)
    .filter(takesTime)
    .filter((other) => other.isBillable && overlaps(other, supervision));
  return [...new Set(meanwhile.flatMap(({ technicianId }) => technicianId ?? []))];
}

/** Whether somebody is present at both sessions; not if both have the same client, as a supervision and what it supervises. */
function hasStaffOfBoth(a: Session, b: Session): boolean {
  if (a.clientId !== null && a.clientId === b.clientId) return false;
  const present = presentAt(b);
  return presentAt(a).some((id) => present.includes(id));
}

function takesTime({ startTime, endTime }: Session): boolean {
  return startTime < endTime;
}

/** Orders sessions by their start. */
export function byStart(a: Session, b: Session): number {
  return compare(a.startTime, b.startTime);
}

/** The client of a billable session that is not a supervision; a client can be in only one of them at a time. */
function treatedClient({ clientId, isBillable, isSupervision }: Session): string | null {
  return isBillable && !isSupervision ? clientId : null;
}
