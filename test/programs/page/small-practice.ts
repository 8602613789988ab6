import { authorization, importRecords, person, places, session } from "./imported-practices.ts";

/**
 * A practice of two technicians and two patients without a zone, in UTC: one session yesterday, which nobody documented,
 * two tomorrow, and two later, one after the end of its authorization and one that is more than is authorized.
 */

export const SMALL_ORGANIZATION = "org_small";

// The checks take minutes, and their days must stay yesterday and tomorrow.
const now = Temporal.Now.zonedDateTimeISO("UTC");
const untilMidnight = now.until(now.startOfDay().add({ days: 1 }));
if (untilMidnight.total("minutes") < 10) await Bun.sleep(untilMidnight.total("milliseconds"));

const today = Temporal.Now.plainDateISO("UTC");
export const YESTERDAY = String(today.subtract({ days: 1 }));
export const TOMORROW = String(today.add({ days: 1 }));

/** A day with a session after the end of its authorization, and one that exceeds its authorization's units. */
export const LATER = String(today.add({ days: 10 }));
export const ENDED = String(today.subtract({ days: 5 }));

export function importSmallPractice(folder: string): Promise<void> {
  return importRecords(folder, records);
}

function authorizationOf(
  number: 1 | 2 | 3,
  patientId: string,
  end = String(today.add({ days: 60 })),
): object {
  return authorization({
    ...{ publicId: `auth_${number}`, patientId, authorizationNumber: `A-${number}` },
    ...{ authorizedUnitsQuantity: 16, authorizedUnitFrequency: "DAILY" },
    authorizationDate: String(today.subtract({ days: 60 })),
    authorizationExpirationDate: end,
  });
}

function sessionOf(
  publicId: string,
  number: 1 | 2,
  startTime: string,
  endTime: string,
  authorizationId = `auth_${number}`,
): object {
  return session({
    ...{ publicId, title: `Therapy of ${number}`, authorizationId },
    ...{ startTime: `${startTime}:00.000Z`, endTime: `${endTime}:00.000Z` },
    ...{ technicianId: "usr_technician", clientId: `usr_patient_${number}` },
  });
}

const records = [
  { type: "organization", publicId: SMALL_ORGANIZATION, name: "Small Practice", timezone: "UTC" },
  ...places,
  person("usr_technician", "TECHNICIAN", "Ana", "Ruiz"),
  person("usr_other", "TECHNICIAN", "Bo", "Lind"),
  person("usr_patient_1", "PATIENT", "Leo", "Park"),
  person("usr_patient_2", "PATIENT", "Mia", "Wu"),
  authorizationOf(1, "usr_patient_1"),
  authorizationOf(2, "usr_patient_2"),
  authorizationOf(3, "usr_patient_2", ENDED),
  sessionOf("apt_past", 1, `${YESTERDAY}T09:00`, `${YESTERDAY}T11:00`),
  sessionOf("apt_first", 1, `${TOMORROW}T09:00`, `${TOMORROW}T11:00`),
  sessionOf("apt_second", 2, `${TOMORROW}T13:00`, `${TOMORROW}T14:00`),
  sessionOf("apt_over", 2, `${LATER}T10:30`, `${LATER}T16:00`),
  sessionOf("apt_late", 2, `${LATER}T08:00`, `${LATER}T09:00`, "auth_3"),
];
