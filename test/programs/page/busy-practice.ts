import { authorization, importRecords, person, places, session } from "./imported-practices.ts";

/** An organization in addition to the demo practice, with 400 current authorizations. */

export const BUSY_ORGANIZATION = "org_busy";
export const LIVE_AUTHORIZATIONS = 400;

/** An authorization of it, whose id is unknown in the demo practice. */
export const BUSY_AUTHORIZATION = "auth_busy_1";

/** A session of its only technician on Wednesday, November 18, 2026, with times in UTC. */
function sessionOf(number: 1 | 2 | 3, from: string, to: string): object {
  return session({
    ...{ publicId: `apt_busy_${number}`, title: "Direct therapy" },
    ...{ startTime: `2026-11-18T${from}:00.000Z`, endTime: `2026-11-18T${to}:00.000Z` },
    ...{ technicianId: "usr_busy_tech", clientId: `usr_busy_${number}` },
  });
}

export function importBusyPractice(folder: string): Promise<void> {
  const numbers = Array.from({ length: LIVE_AUTHORIZATIONS }, (_, index) => index + 1);
  return importRecords(folder, [
    {
      ...{ type: "organization", publicId: BUSY_ORGANIZATION, name: "Busy" },
      ...{ timezone: "America/Chicago", weekStartsOn: "MONDAY" },
    },
    ...places,
    ...numbers.map((number) => ({
      ...person(`usr_busy_${number}`, "PATIENT", "Patient", `Zero ${number}`),
      timezone: "America/Chicago",
    })),
    person("usr_busy_tech", "TECHNICIAN", "Ana", "Ruiz"),
    sessionOf(1, "15:00", "17:00"),
    sessionOf(2, "16:30", "18:00"),
    sessionOf(3, "18:00", "19:00"),
    ...numbers.map((number) =>
      authorization({
        ...{ publicId: `auth_busy_${number}`, patientId: `usr_busy_${number}` },
        ...{ authorizationNumber: `B-${number}`, authorizedUnitsQuantity: number },
        authorizedUnitFrequency: "WEEKLY",
        ...{ authorizationDate: "2020-01-01", authorizationExpirationDate: "2099-12-31" },
      }),
    ),
  ]);
}
