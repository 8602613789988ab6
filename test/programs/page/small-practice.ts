import { join } from "node:path";
import { runProgram } from "../../support/commands/program.ts";

/** A practice of a technician and two patients, in UTC: one session yesterday, which nobody documented, two tomorrow. */

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

function authorization(publicId: string, patientId: string, authorizationNumber: string): object {
  return {
    type: "authorization",
    publicId,
    patientId,
    authorizationNumber,
    authorizationStatus: "AUTHORIZED",
    authorizedUnitsQuantity: 16,
    authorizedUnitFrequency: "DAILY",
    serviceLineId: "svc_1",
    authorizationDate: String(today.subtract({ days: 60 })),
    authorizationExpirationDate: String(today.add({ days: 60 })),
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
  authorization("auth_1", "usr_patient_1", "A-1"),
  authorization("auth_2", "usr_patient_2", "A-2"),
  session("apt_past", 1, `${YESTERDAY}T09:00`, `${YESTERDAY}T11:00`),
  session("apt_first", 1, `${TOMORROW}T09:00`, `${TOMORROW}T11:00`),
  session("apt_second", 2, `${TOMORROW}T13:00`, `${TOMORROW}T14:00`),
];
