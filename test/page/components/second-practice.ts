import {
  authorization,
  encounter,
  type Fields,
  session,
} from "../../support/practice-file/lines.ts";

/**
 * A practice of one patient with authorizations and pools of each kind, in another time zone, whose weeks begin on Sunday.
 * It is Thursday, January 8; the last four full weeks are those of December 7 to January 3.
 */

const authorized = (
  publicId: string,
  [authorizationDate, authorizationExpirationDate]: [string, string],
  other: Fields,
): Fields =>
  authorization(publicId, {
    ...{ patientId: "usr_max", authorizationNumber: `N-${publicId}`, serviceLineId: "svc_home" },
    ...{ authorizedUnitsQuantity: null, authorizedUnitFrequency: null },
    ...{ authorizationDate, authorizationExpirationDate, ...other },
  });

const units = (authorizedUnitsQuantity: number, authorizedUnitFrequency: string): Fields => ({
  ...{ authorizedUnitsQuantity, authorizedUnitFrequency, payorId: "pay_delta" },
});

/** Units of an authorization that were delivered, without a session. */
const delivered = (authorizationId: string, day: string, units: number): Fields =>
  encounter(`enc_${authorizationId}_${day}`, `${day} 15:00`, units, { authorizationId });

/** A session of 16:00 local time, of 15 minutes a unit. */
const booked = (authorizationId: string, day: string, units: number, other: Fields = {}): Fields =>
  session(`apt_${authorizationId}_${day}`, `${day} 22:00-22:00`, {
    ...{ title: "At home", locationId: "loc_west", clientId: "usr_max", technicianId: "usr_ida" },
    ...{ clinicianId: "usr_ben", services: "svc_home", authorizationId },
    endTime: new Date(Date.parse(`${day}T22:00:00.000Z`) + units * 15 * 60_000).toISOString(),
    ...other,
  });

const user = (publicId: string, role: string, firstName: string, other: Fields = {}): Fields => ({
  ...{ type: "user", publicId, role, firstName, lastName: "Moss", ...other },
});

export const secondPractice: Fields[] = [
  {
    ...{ type: "organization", publicId: "org_cedar", name: "Cedar Home Care" },
    ...{ timezone: "America/Chicago", weekStartsOn: "SUNDAY" },
  },
  { type: "location", publicId: "loc_west", name: "West" },
  { type: "location", publicId: "loc_east", name: "East" },
  { type: "payor", publicId: "pay_delta", name: "Delta" },
  { type: "serviceLine", publicId: "svc_home", name: "Home", billingUnitMinutes: 15 },
  { type: "serviceLine", publicId: "svc_train", name: "Training", billingUnitMinutes: 30 },
  { type: "serviceLine", publicId: "svc_eval", name: "Evaluation", billingUnitMinutes: 60 },
  { type: "nonBillableCode", publicId: "nbc_drive", name: "Driving" },
  user("usr_ida", "TECHNICIAN", "Ida", { phoneNumber: "+14155550101" }),
  user("usr_joe", "TECHNICIAN", "Joe"),
  user("usr_ben", "CLINICIAN", "Ben"),
  user("usr_max", "PATIENT", "Max", { userStatus: "ACTIVE", timezone: "America/Denver" }),
  user("usr_new", "PATIENT", "New", { userStatus: "ACTIVE" }),
  {
    ...{ type: "authorizationPool", publicId: "apool_week", patientId: "usr_max" },
    ...{ payorId: "pay_delta", totalUnits: 20, unitFrequency: "WEEKLY", isUnlimited: false },
  },
  {
    ...{ type: "authorizationPool", publicId: "apool_free", patientId: "usr_max" },
    ...{ payorId: "pay_delta", totalUnits: 0, unitFrequency: "TOTAL", isUnlimited: true },
  },
  authorized("auth_w1", ["2025-12-07", "2026-03-31"], { authorizationPoolId: "apool_week" }),
  authorized("auth_w2", ["2026-02-01", "2026-06-30"], {
    ...{ authorizationPoolId: "apool_week", serviceLineId: "svc_train" },
  }),
  authorized("auth_free", ["2025-12-07", "2026-01-09"], { authorizationPoolId: "apool_free" }),
  authorized("auth_rest", ["2025-11-01", "2026-02-07"], units(40, "TOTAL")),
  authorized("auth_year", ["2025-02-01", "2026-01-31"], {
    ...{ ...units(100, "YEARLY"), authorizationStatus: "PENDING" },
  }),
  authorized("auth_full", ["2025-11-01", "2026-01-08"], units(8, "TOTAL")),
  authorized("auth_past", ["2025-10-01", "2025-12-11"], {
    ...{ ...units(40, "TOTAL"), serviceLineId: "svc_eval" },
  }),
  authorized("auth_old", ["2024-11-01", "2025-10-31"], {
    ...{ ...units(30, "YEARLY"), serviceLineId: "svc_train" },
  }),
  authorized("auth_also", ["2025-10-01", "2025-12-11"], {
    ...{ ...units(30, "MONTHLY"), serviceLineId: "svc_train", authorizationStatus: "PENDING" },
  }),
  ...["2025-12-09", "2025-12-16", "2025-12-23", "2025-12-30"].map((day) =>
    delivered("auth_rest", day, 8),
  ),
  delivered("auth_w1", "2025-12-08", 24),
  delivered("auth_w1", "2026-01-05", 4),
  booked("auth_w1", "2026-01-09", 18),
  booked("auth_w1", "2026-01-16", 8),
  booked("auth_w1", "2026-01-23", 8),
  booked("auth_w1", "2026-01-30", 8, { technicianId: "usr_joe" }),
  booked("auth_w1", "2026-02-06", 8, { status: "DECLINED" }),
  booked("auth_w1", "2026-02-13", 8),
  delivered("auth_free", "2025-12-18", 6),
  booked("auth_free", "2026-01-02", 8),
  delivered("auth_year", "2025-06-10", 60),
  booked("auth_year", "2025-12-29", 6),
  delivered("auth_full", "2025-12-10", 4),
  delivered("auth_full", "2025-12-17", 4),
  delivered("auth_past", "2025-11-10", 12),
  booked("auth_past", "2025-09-30", 4, { services: "svc_eval" }),
  booked("auth_also", "2026-01-12", 4, { services: "svc_train" }),
  booked("auth_also", "2026-01-13", 4, { services: "svc_train" }),
  {
    ...{ type: "session", publicId: "apt_drive", title: "Driving", status: "CONFIRMED" },
    ...{ startTime: "2026-01-14T15:00:00.000Z", endTime: "2026-01-14T16:00:00.000Z" },
    ...{ placeOfService: "OTHER", locationId: "loc_east", technicianId: "usr_ida" },
    ...{ isSupervision: false, isClientPresent: false, isBillable: false },
    nonBillableCode: "nbc_drive",
  },
  // It goes on at noon.
  booked("auth_year", "2026-01-08", 8, {
    ...{ startTime: "2026-01-08T16:00:00.000Z", endTime: "2026-01-08T18:00:00.000Z" },
    status: "UNCONFIRMED",
  }),
  booked("auth_year", "2026-01-22", 8, { authorizationId: null }),
  // It supervises whoever is with the patient then.
  booked("auth_w1", "2026-01-16", 4, {
    ...{ publicId: "apt_watch", technicianId: null, isSupervision: true },
  }),
];
