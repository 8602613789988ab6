import { join } from "node:path";
import { runProgram } from "../../support/commands/program.ts";

/** Records of practices beside the demo practice, and their import. */

/** @throws Error with what the command says, if it refuses them. */
export async function importRecords(folder: string, records: readonly object[]): Promise<void> {
  const file = join(folder, "records.ndjson");
  await Bun.write(file, records.map((record) => JSON.stringify(record)).join("\n"));
  const { status, stderr } = await runProgram(["import", file], { cwd: folder });
  if (status !== 0) throw new Error(stderr);
}

/** A location and a service line, which all sessions of a practice are of. */
export const places = [
  { type: "location", publicId: "loc_1", name: "Clinic" },
  { type: "serviceLine", publicId: "svc_1", name: "Therapy", billingUnitMinutes: 15 },
];

export function person(
  publicId: string,
  role: "ADMIN" | "CLINICIAN" | "TECHNICIAN" | "PATIENT",
  firstName: string,
  lastName: string,
): object {
  return { type: "user", publicId, role, firstName, lastName };
}

/** A confirmed session of the service line with a technician and a patient. */
export function session(fields: {
  publicId: string;
  title: string;
  startTime: string;
  endTime: string;
  technicianId: string;
  clientId: string;
  authorizationId?: string;
}): object {
  return {
    ...{ type: "session", status: "CONFIRMED", isSupervision: false, isClientPresent: true },
    ...{ placeOfService: "HOME", locationId: "loc_1", services: "svc_1" },
    ...{ isBillable: true, isTelehealth: false },
    ...fields,
  };
}

/** An authorization of the service line. */
export function authorization(fields: {
  publicId: string;
  patientId: string;
  authorizationNumber: string;
  authorizedUnitsQuantity: number;
  authorizedUnitFrequency: "DAILY" | "WEEKLY";
  authorizationDate: string;
  authorizationExpirationDate: string;
}): object {
  return {
    ...{ type: "authorization", authorizationStatus: "AUTHORIZED", serviceLineId: "svc_1" },
    ...fields,
  };
}
