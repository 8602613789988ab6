import { addDays, type CalendarDate } from "../src/lib/calendar-date.ts";
import type { Instant } from "../src/lib/instant.ts";
import type { TimeZone } from "../src/lib/time-zone.ts";
import type { PracticeRecord } from "../src/practice-file/model.ts";

/**
 * The practice whose checks are measured: so many sessions on each of the last days, as a practice file. Most are as
 * they should be; some are outside their authorizations, not documented or booked twice over.
 */

export const CHECKS_PRACTICE = "org_checks";
/** The day of all data. */
export const CHECKS_DAY = "2026-01-15" as CalendarDate;

/** Sessions on a day; the 57 days of the default window have 40,000 of them. */
const SESSIONS_A_DAY = 702;
/** How many of the days lie ahead. */
const DAYS_AHEAD = 60;
const PATIENTS = SESSIONS_A_DAY;
const TECHNICIANS = 120;
const MINUTES = 90;
/** Days of an authorization. */
const AUTHORIZED_DAYS = 180;
const FREQUENCIES = ["WEEKLY", "WEEKLY", "WEEKLY", "MONTHLY", "TOTAL"] as const;
const UNITS = { WEEKLY: 44, MONTHLY: 180, TOTAL: 1080 };

const SERVICE_LINE = "svc_97153";

export function* checksPractice(sessions: number): Generator<PracticeRecord> {
  const days = Math.ceil(sessions / SESSIONS_A_DAY);
  const firstDay = DAYS_AHEAD - days;
  yield {
    type: "organization",
    publicId: CHECKS_PRACTICE,
    name: "Checks",
    timezone: "America/New_York" as TimeZone,
  };
  yield { type: "location", publicId: "loc_main", name: "Main clinic" };
  yield { type: "payor", publicId: "pay_1", name: "Fairwind" };
  yield { type: "serviceLine", publicId: SERVICE_LINE, name: "Therapy", billingUnitMinutes: 15 };
  for (let index = 0; index < TECHNICIANS; index += 1)
    yield {
      type: "user",
      publicId: technician(index),
      role: "TECHNICIAN",
      firstName: "Ana",
      lastName: `Ruiz ${index}`,
    };
  for (let index = 0; index < PATIENTS; index += 1)
    yield {
      type: "user",
      publicId: patient(index),
      role: "PATIENT",
      firstName: "Leo",
      lastName: `Park ${index}`,
      timezone: (index % 10 === 0 ? "America/Chicago" : "America/New_York") as TimeZone,
    };
  for (let index = 0; index < PATIENTS; index += 1)
    for (let number = 0; firstDay + number * AUTHORIZED_DAYS < DAYS_AHEAD; number += 1) {
      const frequency = FREQUENCIES[index % FREQUENCIES.length] ?? "WEEKLY";
      const start = addDays(CHECKS_DAY, firstDay + number * AUTHORIZED_DAYS);
      yield {
        type: "authorization",
        publicId: authorization(index, number),
        patientId: patient(index),
        authorizationNumber: `CHECKS-${index}-${number}`,
        authorizationStatus: "AUTHORIZED",
        authorizedUnitsQuantity: UNITS[frequency],
        authorizedUnitFrequency: frequency,
        serviceLineId: SERVICE_LINE,
        authorizationDate: start,
        // Some end a week before the next begins.
        authorizationExpirationDate: addDays(start, AUTHORIZED_DAYS - (index % 50 === 0 ? 8 : 1)),
      };
    }
  for (let day = firstDay; day < DAYS_AHEAD; day += 1)
    for (let index = 0; index < SESSIONS_A_DAY; index += 1)
      yield session(day, index, Math.floor((day - firstDay) / AUTHORIZED_DAYS));
  for (let day = firstDay; day < 0; day += 1)
    for (let index = 0; index < SESSIONS_A_DAY; index += 1) {
      if ((index + day) % 97 === 0) continue;
      const {
        startTime,
        publicId,
        authorizationId = "",
      } = session(day, index, Math.floor((day - firstDay) / AUTHORIZED_DAYS));
      yield {
        type: "encounter",
        publicId: publicId.replace("apt", "enc"),
        authorizationId: authorizationId ?? "",
        sessionId: publicId,
        startTime,
        units: 6,
      };
    }
}

function session(day: number, index: number, number: number) {
  // Each technician has six sessions a day, one after the other; a few begin while the one before goes on.
  const begins = 13 * 60 + (index % 6) * MINUTES - ((index + day) % 101 === 0 ? 15 : 0);
  return {
    type: "session",
    publicId: `apt_${String(day + 5000).padStart(4, "0")}_${String(index).padStart(4, "0")}`,
    title: "Direct therapy",
    status: "CONFIRMED",
    startTime: instantOf(day, begins),
    endTime: instantOf(day, begins + MINUTES),
    isSupervision: false,
    isClientPresent: true,
    placeOfService: "OFFICE",
    locationId: "loc_main",
    technicianId: technician(Math.floor(index / 6)),
    clientId: patient(index),
    isBillable: true,
    isTelehealth: false,
    services: SERVICE_LINE,
    authorizationId: authorization(index, number),
  } as const;
}

function instantOf(day: number, minute: number): Instant {
  const midnight = Date.parse(addDays(CHECKS_DAY, day));
  return new Date(midnight + minute * 60_000).toISOString() as Instant;
}

function technician(index: number): string {
  return `usr_tech_${String(index).padStart(4, "0")}`;
}

function patient(index: number): string {
  return `usr_patient_${String(index).padStart(4, "0")}`;
}

function authorization(index: number, number: number): string {
  return `auth_${String(index).padStart(4, "0")}_${number}`;
}
