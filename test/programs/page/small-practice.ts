import { join } from "node:path";
import { runProgram } from "../../support/commands/program.ts";

/**
 * A practice of two technicians and two patients without a zone, in UTC: one session yesterday, which nobody documented,
 * two tomorrow, and two later, one after the end of its authorization and one that is more than is authorized.
 */

export const SMALL_ORGANIZATION = "org_small";

const today = Temporal.Now.plainDateISO("UTC");
export const YESTERDAY = String(today.subtract({ days: 1 }));
export const TOMORROW = String(today.add({ days: 1 }));

export async function importSmallPractice(folder: string): Promise<void> {
  const file = join(folder, "small.ndjson");
  await Bun.write(file, records.map((record) => JSON.stringify(record)).join("\n"));
  const { status, stderr } = await runProgram(["import", file], { cwd: folder });
  if (status !== 0) throw new Error(stderr);
}

/** A day with a session after the end of its authorization, and one that exceeds its authorization's units. */
export const LATER = String(today.add({ days: 10 }));
export const ENDED = String(today.subtract({ days: 5 }));

function authorization(
  number: 1 | 2 | 3,
  patientId: string,
  end = String(today.add({ days: 60 })),
): object {
  return {
    type: "authorization",
    publicId: `auth_${number}`,
    patientId,
    authorizationNumber: `A-${number}`,
    authorizationStatus: "AUTHORIZED",
    authorizedUnitsQuantity: 16,
    authorizedUnitFrequency: "DAILY",
    serviceLineId: "svc_1",
    authorizationDate: String(today.subtract({ days: 60 })),
    authorizationExpirationDate: end,
  };
}

function session(publicId: string, number: 1 | 2, startTime: string, endTime: string): object {
  return {
    type: "session",
    publicId,
    title: `Therapy of ${number}`,
    status: "CONFIRMED",
    startTime: `${startTime}:00.000Z`,
    endTime: `${endTime}:00.000Z`,
    isSupervision: false,
    isClientPresent: true,
    placeOfService: "HOME",
    locationId: "loc_1",
    technicianId: "usr_technician",
    clientId: `usr_patient_${number}`,
    isBillable: true,
    isTelehealth: false,
    services: "svc_1",
    authorizationId: `auth_${number}`,
  };
}

const records = [
  {
    type: "organization",
    publicId: SMALL_ORGANIZATION,
    name: "Small Practice",
    timezone: "UTC",
  },
  { type: "location", publicId: "loc_1", name: "Clinic" },
  { type: "serviceLine", publicId: "svc_1", name: "Therapy", billingUnitMinutes: 15 },
  {
    type: "user",
    publicId: "usr_technician",
    role: "TECHNICIAN",
    firstName: "Ana",
    lastName: "Ruiz",
  },
  { type: "user", publicId: "usr_other", role: "TECHNICIAN", firstName: "Bo", lastName: "Lind" },
  { type: "user", publicId: "usr_patient_1", role: "PATIENT", firstName: "Leo", lastName: "Park" },
  { type: "user", publicId: "usr_patient_2", role: "PATIENT", firstName: "Mia", lastName: "Wu" },
  authorization(1, "usr_patient_1"),
  authorization(2, "usr_patient_2"),
  authorization(3, "usr_patient_2", ENDED),
  session("apt_past", 1, `${YESTERDAY}T09:00`, `${YESTERDAY}T11:00`),
  session("apt_first", 1, `${TOMORROW}T09:00`, `${TOMORROW}T11:00`),
  session("apt_second", 2, `${TOMORROW}T13:00`, `${TOMORROW}T14:00`),
  session("apt_over", 2, `${LATER}T10:30`, `${LATER}T16:00`),
  {
    ...session("apt_late", 2, `${LATER}T08:00`, `${LATER}T09:00`),
    authorizationId: "auth_3",
  },
];
