import { join } from "node:path";
import { runProgram } from "../../support/commands/program.ts";

/** An organization in addition to the demo practice, with 400 current authorizations. */

export const BUSY_ORGANIZATION = "org_busy";
export const LIVE_AUTHORIZATIONS = 400;

/** An authorization of it, whose id is unknown in the demo practice. */
export const BUSY_AUTHORIZATION = "auth_busy_1";

export async function importBusyPractice(folder: string): Promise<void> {
  const file = join(folder, "busy.ndjson");
  await Bun.write(
    file,
    records()
      .map((record) => JSON.stringify(record))
      .join("\n"),
  );
  const { status, stderr } = await runProgram(["import", file], { cwd: folder });
  if (status !== 0) throw new Error(stderr);
}

/** A session of its only technician on Wednesday, November 18, 2026, with times in UTC. */
function session(publicId: string, clientId: string, from: string, to: string): object {
  return {
    type: "session",
    publicId,
    title: "Direct therapy",
    status: "CONFIRMED",
    startTime: `2026-11-18T${from}:00.000Z`,
    endTime: `2026-11-18T${to}:00.000Z`,
    isSupervision: false,
    isClientPresent: true,
    placeOfService: "OFFICE",
    locationId: "loc_busy",
    technicianId: "usr_busy_tech",
    clientId,
    isBillable: true,
    isTelehealth: false,
    services: "svc_busy",
  };
}

function records(): object[] {
  const numbers = Array.from({ length: LIVE_AUTHORIZATIONS }, (_, index) => index + 1);
  return [
    {
      type: "organization",
      publicId: BUSY_ORGANIZATION,
      name: "Busy",
      timezone: "America/Chicago",
      weekStartsOn: "MONDAY",
    },
    { type: "location", publicId: "loc_busy", name: "Clinic" },
    { type: "serviceLine", publicId: "svc_busy", name: "Therapy", billingUnitMinutes: 15 },
    ...numbers.map((number) => ({
      type: "user",
      publicId: `usr_busy_${number}`,
      role: "PATIENT",
      firstName: "Patient",
      lastName: `Zero ${number}`,
      timezone: "America/Chicago",
    })),
    {
      type: "user",
      publicId: "usr_busy_tech",
      role: "TECHNICIAN",
      firstName: "Ana",
      lastName: "Ruiz",
    },
    session("apt_busy_1", "usr_busy_1", "15:00", "17:00"),
    session("apt_busy_2", "usr_busy_2", "16:30", "18:00"),
    session("apt_busy_3", "usr_busy_3", "18:00", "19:00"),
    ...numbers.map((number) => ({
      type: "authorization",
      publicId: `auth_busy_${number}`,
      patientId: `usr_busy_${number}`,
      authorizationNumber: `B-${number}`,
      authorizationStatus: "AUTHORIZED",
      authorizedUnitsQuantity: number,
      authorizedUnitFrequency: "WEEKLY",
      serviceLineId: "svc_busy",
      authorizationDate: "2020-01-01",
      authorizationExpirationDate: "2099-12-31",
    })),
  ];
}
