import { countsAsScheduled } from "../../../utilization/units.ts";
import type { Session } from "./wire.ts";

/** Who delivers a session, and what it overlaps, as the checks have it. */

/** Whether a session holds its slot: it is neither declined nor missed. */
export function holdsSlot({ status }: Session): boolean {
  return countsAsScheduled(status);
}

/**
 * The provider of a session: its technician, else its clinician; of a supervision its clinician, else its technician, who
 * may work in another session at that time.
 */
export function delivererOf(session: Session): string | null {
  const { technicianId, isSupervision } = session;
  const clinicianId = session.isBillable ? session.clinicianId : null;
  return isSupervision ? (clinicianId ?? technicianId) : (technicianId ?? clinicianId);
}

/** The client, clinician and technician of a session, if any. */
export function peopleOf(session: Session): string[] {
  const clinicianId = session.isBillable ? session.clinicianId : null;
  return [session.clientId, clinicianId, session.technicianId].filter((id) => id !== null);
}

/** The sessions of the same provider or client that overlap a session. */
export interface DoubleBooking {
  provider: Session[];
  patient: Session[];
}

/**
 * The ids of given sessions that overlap another one of them: as in the checks `PROVIDER_OVERLAP` and
 * `PATIENT_OVERLAP`, but with both sessions of each pair.
 */
export function doubleBookings(sessions: readonly Session[]): Map<string, DoubleBooking> {
  const found = new Map<string, DoubleBooking>();
  const of = ({ publicId }: Session): DoubleBooking => {
    const booking = found.get(publicId) ?? { provider: [], patient: [] };
    found.set(publicId, booking);
    return booking;
  };
  const sorted = sessions.filter(holdsSlot).filter(takesTime).toSorted(byStart);
  for (const [index, session] of sorted.entries())
    for (const other of sorted.slice(index + 1)) {
      if (other.startTime >= session.endTime) break;
      if (delivererOf(session) !== null && delivererOf(session) === delivererOf(other)) {
        of(session).provider.push(other);
        of(other).provider.push(session);
      }
      if (treatedClient(session) !== null && treatedClient(session) === treatedClient(other)) {
        of(session).patient.push(other);
        of(other).patient.push(session);
      }
    }
  return found;
}

function takesTime({ startTime, endTime }: Session): boolean {
  return startTime < endTime;
}

function byStart(a: Session, b: Session): number {
  return a.startTime < b.startTime ? -1 : a.startTime > b.startTime ? 1 : 0;
}

/** The client of a billable session that is not a supervision; a client can be in only one of them at a time. */
function treatedClient({ clientId, isBillable, isSupervision }: Session): string | null {
  return isBillable && !isSupervision ? clientId : null;
}
