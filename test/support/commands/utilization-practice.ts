import type { Database } from "../../../db/database.ts";
import { loadPractice, type PracticeRecord } from "../utilization/load-practice.ts";

/** Practices for tests of `caseload utilization`, as records of practice files. */

export const authorization = (publicId: string, fields: object = {}) => ({
  type: "authorization",
  publicId,
  patientId: "usr_leo",
  authorizationNumber: "A-100",
  authorizationStatus: "AUTHORIZED",
  serviceLineId: "svc_97153",
  authorizationDate: "2026-02-04",
  authorizationExpirationDate: "2026-02-20",
  ...fields,
});
const pool = (publicId: string, totalUnits: number, isUnlimited: boolean) => ({
  type: "authorizationPool",
  publicId,
  patientId: "usr_leo",
  payorId: "pay_acme",
  totalUnits,
  unitFrequency: "WEEKLY",
  isUnlimited,
});
const session = (publicId: string, startTime: string, endTime: string, status = "CONFIRMED") => ({
  type: "session",
  publicId,
  title: "Direct therapy",
  status,
  startTime,
  endTime,
  isSupervision: false,
  isClientPresent: true,
  placeOfService: "HOME",
  locationId: "loc_main",
  clientId: "usr_leo",
  isBillable: true,
  isTelehealth: false,
  services: "svc_97153",
  authorizationId: "auth_alone",
});
export const encounter = (
  publicId: string,
  authorizationId: string,
  startTime: string,
  units: number,
) => ({
  type: "encounter",
  publicId,
  authorizationId,
  startTime,
  units,
});
/** The first records of every practice. */
export const base: PracticeRecord[] = [
  { type: "organization", publicId: "org_maple", name: "Maple Street ABA" },
  { type: "location", publicId: "loc_main", name: "Main clinic" },
  { type: "payor", publicId: "pay_acme", name: "Acme Health" },
  { type: "serviceLine", publicId: "svc_97153", name: "Therapy", billingUnitMinutes: 15 },
  {
    type: "user",
    publicId: "usr_leo",
    role: "PATIENT",
    firstName: "Leonardo",
    lastName: "Park",
    timezone: "America/New_York",
  },
];
export const weekly = { authorizedUnitsQuantity: 10, authorizedUnitFrequency: "WEEKLY" };

/** Three organizations, two of which have the same authorization. */
export async function loadPractices(database: Database): Promise<void> {
  await loadPractice(database, "org_maple", [
    ...base,
    pool("apool_free", 0, true),
    pool("apool_empty", 20, false),
    authorization("auth_alone", weekly),
    authorization("auth_free", { authorizationPoolId: "apool_free" }),
    // Before the authorization; in its first week (23 minutes, and a no-show); in its second; in its last.
    session("apt_1", "2026-02-03T15:00:00.000Z", "2026-02-03T16:00:00.000Z"),
    session("apt_2", "2026-02-05T15:00:00.000Z", "2026-02-05T15:23:00.000Z"),
    session("apt_3", "2026-02-06T15:00:00.000Z", "2026-02-06T16:00:00.000Z", "PATIENT_NO_SHOW"),
    session("apt_4", "2026-02-10T15:00:00.000Z", "2026-02-10T18:00:00.000Z"),
    session("apt_5", "2026-02-19T15:00:00.000Z", "2026-02-19T16:00:00.000Z"),
    encounter("enc_1", "auth_alone", "2026-02-05T15:00:30.000Z", 1.5),
    encounter("enc_2", "auth_alone", "2026-02-10T15:00:00.000Z", 10),
    encounter("enc_3", "auth_free", "2026-02-05T15:00:00.000Z", 2),
    encounter("enc_4", "auth_free", "2026-02-10T15:00:00.000Z", 8),
  ]);
  await loadPractice(database, "org_oak", [
    ...base,
    {
      type: "user",
      publicId: "usr_mia",
      role: "PATIENT",
      firstName: "Mia",
      lastName: "Park",
      timezone: "Eastern Time",
    },
    authorization("auth_shared", weekly),
    authorization("auth_zoneless", { patientId: "usr_mia", ...weekly }),
  ]);
  await loadPractice(database, "org_pine", [...base, authorization("auth_shared", weekly)]);
}
