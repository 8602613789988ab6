import { addDays, type CalendarDate } from "./dates.ts";
import type { SessionChoice } from "./session-choices.ts";
import type { Slot } from "./week.ts";
import type { Session, User } from "./wire.ts";

/** New sessions: those of a form, and those that are as the last one of an authorization. */

/** The most sessions that one form makes. */
export const MAX_SESSIONS = 60;

/** The days of a session that repeats: its own, and the same day of each week until another. */
export function weekly(day: CalendarDate, until: string): CalendarDate[] {
  const days = [day];
  for (
    let next = addDays(day, 7);
    next <= until && days.length < MAX_SESSIONS;
    next = addDays(next, 7)
  )
    days.push(next);
  return days;
}

type Decided = Pick<
  Session,
  "clientId" | "technicianId" | "placeOfService" | "locationId" | "isSupervision" | "title"
>;

/** A session of a choice; without a title of its own it has that of the choice. */
export function sessionOf(
  fields: Decided & { clinicianId: string | null },
  { isBillable, id, title }: SessionChoice,
  times: Slot & Pick<Session, "publicId">,
): Session {
  const { clientId, technicianId, placeOfService, locationId, isSupervision } = fields;
  const common = {
    ...{ ...times, title: fields.title.trim() || title, status: "CONFIRMED" as const },
    ...{ isSupervision, isClientPresent: clientId !== null, placeOfService, locationId },
    ...{ technicianId, clientId },
  };
  if (!isBillable) return { ...common, isBillable: false, nonBillableCode: id };
  return {
    ...common,
    ...{ isBillable: true, isTelehealth: placeOfService.startsWith("TELEHEALTH"), services: id },
    ...{ clinicianId: fields.clinicianId, providerLocationId: null },
  };
}

/** The fields that new sessions take from the last one. */
export type Template = Omit<
  Extract<Session, { isBillable: true }>,
  "publicId" | "status" | "startTime" | "endTime"
>;

/** As the last session of an authorization; the first one as its patient has it. */
export function templateOf(last: Session | undefined, patient: User, services: string): Template {
  if (last?.isBillable === true) {
    const { publicId, status, startTime, endTime, ...template } = last;
    return template;
  }
  const isPatient = patient.role === "PATIENT";
  return {
    title: "",
    isSupervision: false,
    isClientPresent: true,
    placeOfService: "OFFICE",
    locationId: isPatient ? (patient.locationIds[0] ?? "") : "",
    technicianId: null,
    clientId: patient.publicId,
    isBillable: true,
    isTelehealth: false,
    clinicianId: isPatient ? patient.primaryClinicianId : null,
    providerLocationId: null,
    services,
  };
}
