import { presentAt } from "../../../lib/presence.ts";
import { holdsSlot } from "./overlaps.ts";
import type { Patient } from "./authorizations.ts";
import type { Session, User } from "./wire.ts";

/** Who could take over a session. */

export interface Candidate {
  person: User;
  isOfTeam: boolean;
  /** Whether they were with the patient lately. */
  hasMet: boolean;
  /** Whether each of their credentials ends at or before the session's start. */
  hasNoCredential: boolean;
}

/** The field of a session that says who delivers it. */
export function delivererField(session: Session): "technicianId" | "clinicianId" {
  if (!session.isBillable) return "technicianId";
  const isOfClinician = session.isSupervision || session.technicianId === null;
  return isOfClinician && session.clinicianId !== null ? "clinicianId" : "technicianId";
}

/**
 * The staff who are present nowhere else during a session: first the patient's team, then those who have been with the
 * patient, by name; people without a credential that is valid then come last.
 *
 * @param around.sessions all sessions of the practice that may overlap it.
 * @param around.earlier the patient's earlier sessions.
 */
export function freeStaff(
  session: Session,
  staff: readonly User[],
  around: {
    sessions: readonly Session[];
    earlier: readonly Session[];
    patient: Patient | undefined;
  },
): Candidate[] {
  const busy = new Set(
    around.sessions
      .filter(holdsSlot)
      .filter((other) => overlaps(session, other))
      .flatMap(presentAt),
  );
  const met = new Set(around.earlier.filter(holdsSlot).flatMap(presentAt));
  const clinicians = new Set(around.patient?.clinicianIds);
  const teams = staff
    .filter(({ publicId }) => clinicians.has(publicId))
    .flatMap((person) => ("careTeamTechnicianIds" in person ? person.careTeamTechnicianIds : []));
  const team = new Set([...clinicians, ...teams]);
  const role = delivererField(session) === "technicianId" ? "technician" : "clinician";
  return staff
    .filter((person) => (person.role === "TECHNICIAN") === (role === "technician"))
    .filter(({ publicId }) => !busy.has(publicId) && !presentAt(session).includes(publicId))
    .map((person) => ({
      person,
      isOfTeam: team.has(person.publicId),
      hasMet: met.has(person.publicId),
      hasNoCredential: hasNoCredential(person, session),
    }))
    .sort((a, b) => rank(a) - rank(b) || a.person.lastName.localeCompare(b.person.lastName, "en"));
}

function rank({ isOfTeam, hasMet, hasNoCredential: isLast }: Candidate): number {
  return (isOfTeam ? 0 : hasMet ? 1 : 2) + (isLast ? 3 : 0);
}

function overlaps(a: Session, b: Session): boolean {
  return a.publicId !== b.publicId && a.startTime < b.endTime && b.startTime < a.endTime;
}

function hasNoCredential(person: User, { startTime, isBillable }: Session): boolean {
  if (!isBillable || !("credentials" in person) || person.credentials.length === 0) return false;
  return person.credentials.every(({ expiresAt }) => expiresAt <= startTime);
}
