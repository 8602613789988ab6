import { addDays, type CalendarDate, type Slot } from "../base/dates.ts";
import type { SessionChoice } from "./session-choices.ts";
import type { Session, User } from "../base/wire.ts";

/** New sessions: those of a form, and those that are as the last one of an authorization. */

/** What is already decided of a session that is being made. */
export interface Draft {
  date: CalendarDate;
  /** Minutes from midnight. */
  from?: number;
  to?: number;
  clientId?: string | null;
  technicianId?: string | null;
  clinicianId?: string | null;
}

/** The most sessions that one form makes. */
export const MAX_SESSIONS = 60;

/**
 * The days of a session that repeats: its own and others of its week, and the same days of each week until another.
 *
 * @param others how many days behind its own the others are.
 */
export function weekly(
  day: CalendarDate,
  until: string,
  others: readonly number[] = [],
): CalendarDate[] {
  const week = [0, ...others.toSorted((a, b) => a - b)];
  const days: CalendarDate[] = [];
  for (let first = day; days.length < MAX_SESSIONS; first = addDays(first, 7)) {
    const isFirst = first === day;
    if (!isFirst && first > until) break;
    // Without an end it is one week.
    const own = week.map((behind) => addDays(first, behind));
    days.push(...own.filter((each) => each === day || (isFirst && until === "") || each <= until));
  }
  return days.slice(0, MAX_SESSIONS);
}

type Decided = Pick<
  Session,
  "clientId" | "technicianId" | "placeOfService" | "locationId" | "isSupervision" | "title"
>;

/** Whether a session at a place is telehealth. */
export function isTelehealthAt(place: Session["placeOfService"]): boolean {
  return place.startsWith("TELEHEALTH");
}

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
    ...{ isBillable: true, isTelehealth: isTelehealthAt(placeOfService), services: id },
    ...{ clinicianId: fields.clinicianId, providerLocationId: null },
  };
}

/** Who a patient's sessions are with, and where, unless something else is chosen. */
export function usualOf(patient: User | undefined) {
  return patient?.role === "PATIENT"
    ? { clinicianId: patient.primaryClinicianId, locationId: patient.locationIds[0] ?? "" }
    : { clinicianId: null, locationId: "" };
}

/** The fields that new sessions take from the last one. */
type Template = Omit<
  Extract<Session, { isBillable: true }>,
  "publicId" | "status" | "startTime" | "endTime"
>;

/** As the last session of an authorization; the first one as its patient has it. */
export function templateOf(last: Session | undefined, patient: User, services: string): Template {
  if (last?.isBillable === true) {
    const { publicId, status, startTime, endTime, ...template } = last;
    return template;
  }
  return {
    ...usualOf(patient),
    title: "",
    isSupervision: false,
    isClientPresent: true,
    placeOfService: "OFFICE",
    technicianId: null,
    clientId: patient.publicId,
    isBillable: true,
    isTelehealth: false,
    providerLocationId: null,
    services,
  };
}
