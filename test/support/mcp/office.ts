import type { Database } from "../../../db/database.ts";
import type { Fields } from "../practice-file/practice-file.ts";
import { mustImport } from "../practice-file/practice-file.ts";

/** A small practice with names that people ask for. Today is Wednesday, 2026-03-11, in New York. */

export const user = (
  publicId: string,
  role: string,
  firstName: string,
  lastName: string,
): Fields => ({
  ...{ type: "user", publicId, role, firstName, lastName },
  ...(role === "PATIENT" && { userStatus: "ACTIVE", timezone: "America/New_York" }),
});

/** A session of two hours from a local time, which is UTC minus four hours. */
export const session = (publicId: string, day: string, hour: number, more: Fields): Fields => ({
  ...{ type: "session", publicId, title: "Private words", status: "CONFIRMED" },
  ...{ startTime: `${day}T${hour + 4}:00:00.000Z`, endTime: `${day}T${hour + 6}:00:00.000Z` },
  ...{ isSupervision: false, isClientPresent: true, placeOfService: "HOME" },
  ...{ locationId: "loc_main", isBillable: true, isTelehealth: false, services: "svc_97153" },
  ...more,
});

const authorization = (publicId: string, patientId: string, more: Fields): Fields => ({
  ...{ type: "authorization", publicId, patientId, authorizationNumber: `N-${publicId}` },
  ...{ authorizationStatus: "AUTHORIZED", serviceLineId: "svc_97153" },
  ...{ authorizationDate: "2026-01-01", authorizationExpirationDate: "2026-06-30" },
  ...more,
});

const yuna = { clientId: "usr_p1", authorizationId: "auth_yuna" };

export const elm: Fields = {
  ...{ type: "organization", publicId: "org_elm", name: "Elm ABA" },
  ...{ timezone: "America/New_York", weekStartsOn: "SUNDAY" },
};

const office: Fields[] = [
  elm,
  { type: "location", publicId: "loc_main", name: "Main clinic" },
  { type: "payor", publicId: "pay_1", name: "Northgate Health" },
  { type: "payor", publicId: "pay_2", name: "Acme Mutual" },
  { type: "serviceLine", publicId: "svc_97153", name: "Direct therapy", billingUnitMinutes: 15 },
  { type: "serviceLine", publicId: "svc_97155", name: "Protocol changes", billingUnitMinutes: 15 },
  { type: "nonBillableCode", publicId: "nbc_meeting", name: "Team meeting" },
  user("usr_t1", "TECHNICIAN", "Mara", "Quinn"),
  user("usr_t2", "TECHNICIAN", "Teo", "Vance"),
  user("usr_c1", "CLINICIAN", "Ines", "Roth"),
  user("usr_p1", "PATIENT", "Yuna", "Park"),
  user("usr_p2", "PATIENT", "Omar", "Bell"),
  {
    ...{ type: "authorizationPool", publicId: "apool_omar", patientId: "usr_p2" },
    ...{ payorId: "pay_2", totalUnits: 40, unitFrequency: "WEEKLY", isUnlimited: false },
  },
  authorization("auth_yuna", "usr_p1", {
    ...{ payorId: "pay_1", authorizedUnitsQuantity: 24, authorizedUnitFrequency: "WEEKLY" },
  }),
  authorization("auth_omar_old", "usr_p2", {
    ...{ authorizationPoolId: "apool_omar", authorizationDate: "2025-07-01" },
    authorizationExpirationDate: "2025-12-31",
  }),
  authorization("auth_omar", "usr_p2", { authorizationPoolId: "apool_omar" }),
  session("apt_1", "2026-03-09", 9, { ...yuna, technicianId: "usr_t1", clinicianId: "usr_c1" }),
  session("apt_2", "2026-03-12", 9, { ...yuna, technicianId: "usr_t2", clinicianId: "usr_c1" }),
  session("apt_3", "2026-03-12", 13, {
    ...{ clientId: "usr_p2", authorizationId: "auth_omar", technicianId: "usr_t1" },
    clinicianId: "usr_c1",
  }),
  session("apt_4", "2026-02-03", 9, { ...yuna, technicianId: "usr_t1", clinicianId: "usr_c1" }),
  {
    ...{ type: "encounter", publicId: "enc_1", authorizationId: "auth_yuna", sessionId: "apt_1" },
    ...{ startTime: "2026-03-09T13:00:00.000Z", units: 8 },
  },
  {
    ...{ type: "encounter", publicId: "enc_2", authorizationId: "auth_yuna", sessionId: "apt_4" },
    ...{ startTime: "2026-02-03T13:00:00.000Z", units: 7.5 },
  },
];

export function importOffice(database: Database): Promise<unknown> {
  return mustImport(database, office);
}
