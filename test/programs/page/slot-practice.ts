import { authorization, importRecords, person, places, session } from "./imported-practices.ts";
import { momentOf } from "../../support/lib/zoned.ts";

/**
 * A practice of weekly slots in New York, all of them to come: Leo's on twelve weeks, of which one has a substitute, one
 * was cancelled and one moved; sessions behind the end of an authorization and of a pool; and one who has twelve slots.
 */

export const SLOT_ORGANIZATION = "org_slots";
const ZONE = "America/New_York";

/** In two weeks, so that no errand of today is among them. */
export const FIRST = Temporal.Now.plainDateISO(ZONE).add({ days: 14 });

export const dayOf = (week: number, days = 0): string =>
  String(FIRST.add({ days: week * 7 + days }));

/** The instant of a local time in New York. */
export function at(day: string, time: string): string {
  return new Date(momentOf(Temporal.PlainDateTime.from(`${day}T${time}`), ZONE)).toISOString();
}

interface Given {
  day: string;
  from: string;
  to: string;
  technicianId: string;
  clientId: string;
  authorizationId?: string;
  [field: string]: unknown;
}

const sessionOf = (publicId: string, { day, from, to, ...given }: Given): object =>
  session({
    ...{ publicId, title: "Therapy", startTime: at(day, from), endTime: at(day, to) },
    ...given,
  });

const LEO = { clientId: "usr_leo", technicianId: "usr_ana", authorizationId: "auth_leo" };

/** Leo's slot, Ana's twelve weeks. */
const slot = Array.from({ length: 12 }, (_, week) => {
  const usual = { ...LEO, day: dayOf(week), from: "15:30", to: "17:30" };
  const id = `apt_leo_${week}`;
  if (week === 3) return sessionOf(id, { ...usual, technicianId: "usr_bo" });
  if (week === 5) return sessionOf(id, { ...usual, status: "DECLINED" });
  if (week === 7) return sessionOf(id, { ...usual, day: dayOf(7, 1), from: "16:30", to: "18:30" });
  return sessionOf(id, usual);
});

function authorizationOf(id: string, patientId: string, given: object): object {
  return authorization({
    ...{ publicId: id, patientId, authorizationNumber: id.toUpperCase() },
    ...{ authorizedUnitsQuantity: 80, authorizedUnitFrequency: "WEEKLY" as const },
    authorizationDate: String(FIRST.subtract({ days: 120 })),
    authorizationExpirationDate: dayOf(16),
    ...given,
  });
}

/** Two weeks of a slot on each of the next twelve days, of two patients. */
const leaving = Array.from({ length: 12 }, (_, index) =>
  [0, 1].map((week) =>
    sessionOf(`apt_dana_${index}_${week}`, {
      ...{ clientId: index % 2 === 0 ? "usr_noa" : "usr_mia", technicianId: "usr_dana" },
      day: dayOf(week, index % 6),
      ...(index < 6 ? { from: "08:00", to: "09:00" } : { from: "10:00", to: "11:00" }),
    }),
  ),
).flat();

const weekly = (prefix: string, given: Omit<Given, "day">, weeks: number): object[] =>
  Array.from({ length: weeks }, (_, week) =>
    sessionOf(`${prefix}_${week}`, { ...(given as Given), day: dayOf(week) }),
  );

const records = [
  { type: "organization", publicId: SLOT_ORGANIZATION, name: "Slot Practice", timezone: ZONE },
  ...places,
  { type: "serviceLine", publicId: "svc_2", name: "Guidance", billingUnitMinutes: 15 },
  { type: "payor", publicId: "pay_1", name: "Acme" },
  { type: "nonBillableCode", publicId: "nbc_off", name: "Time off" },
  person("usr_ana", "TECHNICIAN", "Ana", "Ruiz"),
  person("usr_bo", "TECHNICIAN", "Bo", "Lind"),
  person("usr_cy", "TECHNICIAN", "Cy", "Dole"),
  person("usr_dana", "TECHNICIAN", "Dana", "Fox"),
  person("usr_leo", "PATIENT", "Leo", "Park"),
  person("usr_mia", "PATIENT", "Mia", "Wu"),
  { type: "location", publicId: "loc_2", name: "School" },
  { type: "user", publicId: "usr_lee", role: "CLINICIAN", firstName: "Lee", lastName: "Moss" },
  { type: "user", publicId: "usr_kim", role: "CLINICIAN", firstName: "Kim", lastName: "Vale" },
  {
    ...person("usr_noa", "PATIENT", "Noa", "Berg"),
    ...{ primaryClinicianId: "usr_lee", locationIds: ["loc_2"] },
  },
  authorizationOf("auth_leo", "usr_leo", {}),
  authorizationOf("auth_mia", "usr_mia", { authorizationExpirationDate: dayOf(2) }),
  {
    ...authorizationOf("auth_mia_2", "usr_mia", { authorizationExpirationDate: dayOf(2) }),
    serviceLineId: "svc_2",
  },
  {
    ...{ type: "authorizationPool", publicId: "apool_noa", patientId: "usr_noa" },
    ...{ payorId: "pay_1", totalUnits: 400, unitFrequency: "MONTHLY", isUnlimited: false },
  },
  ...["svc_1", "svc_2"].map((serviceLineId, index) => ({
    ...authorizationOf(`auth_noa_${index}`, "usr_noa", {
      ...{ authorizationExpirationDate: dayOf(2), authorizationPoolId: "apool_noa", serviceLineId },
      ...{ authorizedUnitsQuantity: null, authorizedUnitFrequency: null },
    }),
  })),
  ...slot,
  // Cy is busy in two weeks of Leo's slot, one of them by a session of five days.
  sessionOf("apt_cy_1", {
    ...{ day: dayOf(4), from: "15:00", to: "16:00", technicianId: "usr_cy", clientId: "usr_noa" },
  }),
  {
    ...(sessionOf("apt_cy_2", {
      ...{
        day: dayOf(8, -2),
        from: "08:00",
        to: "09:00",
        technicianId: "usr_cy",
        clientId: "usr_noa",
      },
    }) as object),
    endTime: at(dayOf(8, 2), "17:00"),
  },
  ...weekly(
    "apt_mia",
    { ...LEO, clientId: "usr_mia", authorizationId: "auth_mia", from: "12:00", to: "13:00" },
    6,
  ),
  ...weekly(
    "apt_noa_a",
    {
      technicianId: "usr_bo",
      clientId: "usr_noa",
      authorizationId: "auth_noa_0",
      from: "12:00",
      to: "13:00",
    },
    5,
  ),
  ...weekly(
    "apt_noa_b",
    {
      ...{ technicianId: "usr_bo", clientId: "usr_noa", authorizationId: "auth_noa_1" },
      ...{ from: "13:00", to: "14:00", services: "svc_2", clinicianId: "usr_lee" },
    },
    4,
  ),
  ...leaving,
];

export function importSlotPractice(folder: string): Promise<void> {
  return importRecords(folder, records);
}
