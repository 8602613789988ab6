/** Lines of a practice file, with plain values for what a test does not say. Times are in UTC. */

/** A record of a file, valid or not. */
export type Fields = Record<string, unknown>;

const line =
  (type: string, defaults: Fields) =>
  (publicId: string, more: Fields = {}): Fields => ({ type, publicId, ...defaults, ...more });

export const location = line("location", { name: "Main clinic" });
export const payor = line("payor", { name: "Acme Health" });
export const serviceLine = line("serviceLine", { name: "Therapy", billingUnitMinutes: 15 });

export const patient = line("user", {
  ...{ role: "PATIENT", firstName: "Leo", lastName: "Park", timezone: "America/New_York" },
});
export const technician = line("user", {
  ...{ role: "TECHNICIAN", firstName: "Ana", lastName: "Ruiz" },
});
export const clinician = line("user", {
  ...{ role: "CLINICIAN", firstName: "Noor", lastName: "Haddad" },
});

export const authorizationPool = line("authorizationPool", {
  ...{ patientId: "usr_leo", payorId: "pay_acme", totalUnits: 160, unitFrequency: "MONTHLY" },
  isUnlimited: false,
});
export const authorization = line("authorization", {
  ...{ patientId: "usr_leo", authorizationNumber: "A-100", authorizationStatus: "AUTHORIZED" },
  ...{ serviceLineId: "svc_1", authorizedUnitsQuantity: 80, authorizedUnitFrequency: "WEEKLY" },
  ...{ authorizationDate: "2026-01-07", authorizationExpirationDate: "2026-07-06" },
});

/** A time, such as `2026-03-09 14:00`, or `2026-03-09 14:00:59.999`. */
export function at(time: string): string {
  const [date, clock = ""] = time.split(" ");
  return `${date}T${clock}${"00:00:00.000".slice(clock.length)}Z`;
}

/** A billable session, such as of `2026-03-09 14:00-15:00`. */
export function session(publicId: string, times: string, more: Fields = {}): Fields {
  const [, date, from, to] = /^(\S+) ([^-]+)-(\S+)$/.exec(times) ?? [];
  return {
    ...{ type: "session", publicId, title: "Direct therapy", status: "CONFIRMED" },
    ...{ startTime: at(`${date} ${from}`), endTime: at(`${date} ${to}`) },
    ...{ isSupervision: false, isClientPresent: true, placeOfService: "HOME" },
    ...{ locationId: "loc_main", clientId: "usr_leo", isBillable: true, isTelehealth: false },
    ...{ services: "svc_1", ...more },
  };
}

/** An encounter, without a session unless one is named. */
export function encounter(publicId: string, time: string, units: number, more: Fields): Fields {
  return { type: "encounter", publicId, startTime: at(time), units, ...more };
}
