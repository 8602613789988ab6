import type { Database } from "../../../db/database.ts";
import { mustImport } from "../practice-file/practice-file.ts";
import type { Practice } from "./oracle.ts";

/** A record of a practice file. */
export type PracticeRecord = { type: string } & Record<string, unknown>;

/** Imports the records of a practice under the given organization id. */
export async function loadPractice(
  database: Database,
  organizationId: string,
  records: readonly PracticeRecord[],
): Promise<void> {
  await mustImport(
    database,
    records.map((record) =>
      record.type === "organization" ? { ...record, publicId: organizationId } : record,
    ),
  );
}

/** Converts a practice of the oracle to records, with additional required fields. */
export function recordsOf(practice: Practice): PracticeRecord[] {
  const lineOf = new Map(practice.authorizations.map((one) => [one.publicId, one.serviceLineId]));
  const patientId = practice.patients[0]!.publicId;
  const numbered = (prefix: string, index: number) => `${prefix}_${String(index).padStart(3, "0")}`;
  return [
    { type: "organization", publicId: "org", name: "Maple Street ABA", ...practice.organization },
    { type: "location", publicId: "loc_main", name: "Main clinic" },
    { type: "payor", publicId: "pay_acme", name: "Acme Health" },
    ...practice.serviceLines.map((line) => ({ type: "serviceLine", name: "Therapy", ...line })),
    ...practice.patients.map((patient) => ({
      type: "user",
      role: "PATIENT",
      firstName: "Leo",
      lastName: "Park",
      ...patient,
    })),
    ...practice.authorizationPools.map((pool) => ({
      type: "authorizationPool",
      payorId: "pay_acme",
      totalUnits: 160,
      isUnlimited: false,
      ...pool,
    })),
    ...practice.authorizations.map((authorization) => ({
      type: "authorization",
      authorizationNumber: "A-100",
      authorizationStatus: "AUTHORIZED",
      authorizedUnitsQuantity: 80,
      ...authorization,
    })),
    ...practice.sessions.map((session, index) => ({
      type: "session",
      publicId: numbered("apt", index),
      title: "Direct therapy",
      isSupervision: false,
      isClientPresent: true,
      placeOfService: "HOME",
      locationId: "loc_main",
      clientId: patientId,
      isBillable: true,
      isTelehealth: false,
      services: lineOf.get(session.authorizationId ?? "") ?? practice.serviceLines[0]!.publicId,
      ...session,
    })),
    ...practice.encounters.map((encounter, index) => ({
      type: "encounter",
      publicId: numbered("enc", index),
      ...encounter,
    })),
  ];
}
