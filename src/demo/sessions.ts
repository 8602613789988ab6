import type { EncounterRecord, SessionRecord } from "../practice-file/model.ts";
import type { Clinic } from "./clinic.ts";
import { patientId } from "./client.ts";
import { numbered } from "./ids.ts";
import { type Appointment, appointments, earlierAppointments } from "./schedule.ts";
import { serviceLines } from "./services.ts";

/** Room for a hundred million ids that sort. */
const DIGITS = 8;

function sessionId(number: number): string {
  return numbered("apt_", number, DIGITS);
}

export function* sessions(clinic: Clinic): Generator<SessionRecord> {
  let number = 0;
  for (const appointment of appointments(clinic)) {
    number += 1;
    yield session(sessionId(number), appointment);
  }
}

function session(publicId: string, appointment: Appointment): SessionRecord {
  const { visit, coverage, status, startTime, endTime, authorizationId } = appointment;
  const { bills, technicianId } = visit;
  const common = {
    type: "session",
    publicId,
    title: visit.title,
    status,
    startTime,
    endTime,
    isSupervision: visit.isSupervision,
    isClientPresent: visit.isClientPresent,
    placeOfService: visit.placeOfService,
    locationId: visit.locationId,
    ...(technicianId !== undefined && { technicianId }),
    ...(coverage !== undefined && { clientId: patientId(coverage.client.number) }),
  } as const;
  if ("nonBillableCode" in bills)
    return { ...common, isBillable: false, nonBillableCode: bills.nonBillableCode };
  const { isTelehealth, clinicianId, providerLocationId, service } = bills;
  return {
    ...common,
    isBillable: true,
    isTelehealth,
    ...(clinicianId !== undefined && { clinicianId }),
    ...(providerLocationId !== undefined && { providerLocationId }),
    services: serviceLines[service].publicId,
    ...(authorizationId !== undefined && { authorizationId }),
  };
}

/** What was delivered of what was authorized. Of the time before the first session there is nothing else. */
export function* encounters(clinic: Clinic): Generator<EncounterRecord> {
  let number = 0;
  for (const { session, appointment } of heldAppointments(clinic)) {
    const { startTime, deliveredUnits, authorizationId } = appointment;
    if (deliveredUnits === undefined || authorizationId === undefined) continue;
    number += 1;
    yield {
      type: "encounter",
      publicId: numbered("enc_", number, DIGITS),
      authorizationId,
      ...(session !== undefined && { sessionId: session }),
      startTime,
      units: deliveredUnits,
    };
  }
}

/** Those before the first session, then those of sessions, numbered as the sessions are. */
function* heldAppointments(
  clinic: Clinic,
): Generator<{ session: string | undefined; appointment: Appointment }> {
  for (const appointment of earlierAppointments(clinic)) yield { session: undefined, appointment };
  let number = 0;
  for (const appointment of appointments(clinic)) {
    number += 1;
    yield { session: sessionId(number), appointment };
  }
}
