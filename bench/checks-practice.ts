import { addDays, type CalendarDate } from "../src/lib/calendar-date.ts";
import { toInstant } from "../src/lib/instant.ts";
import type { TimeZone } from "../src/lib/time-zone.ts";
import type { PracticeRecord } from "../src/practice-file/model.ts";

/**
 * The practice for measuring the checks, as a practice file with the same number of sessions on each day. Most have no findings;
 * some are undocumented, overlap, or exceed a period's units.
 */

export const CHECKS_PRACTICE = "org_checks";
const TODAY = "2026-01-15" as CalendarDate;

/** The requested window of 57 days. */
export const CHECKED_DAYS = { startDate: addDays(TODAY, -28), endDate: addDays(TODAY, 28) };
const DAYS_ASKED_FOR = 57;

/** The number of sessions in the requested window. Each day has as many patients as sessions, and a sixth as many technicians. */
export function checkedSessions(sessionsADay: number): number {
  return sessionsADay * DAYS_ASKED_FOR;
}

const FIRST_DAY = -82;
const LAST_DAY = 60;
const SESSIONS_OF_TECHNICIAN = 6;
const MINUTES = 90;
/** The weeks of an authorization. */
const DAYS = 60;
const FREQUENCIES = ["WEEKLY", "WEEKLY", "WEEKLY", "MONTHLY", "TOTAL"] as const;
const UNITS = { WEEKLY: 42, MONTHLY: 180, TOTAL: 360 };
const SERVICE_LINE = "svc_97153";

export function* checksPractice(sessionsADay: number): Generator<PracticeRecord> {
  yield {
    type: "organization",
    publicId: CHECKS_PRACTICE,
    name: "Checks",
    timezone: "America/New_York" as TimeZone,
  };
  yield { type: "location", publicId: "loc_main", name: "Main clinic" };
  yield { type: "serviceLine", publicId: SERVICE_LINE, name: "Therapy", billingUnitMinutes: 15 };
  for (let index = 0; index < sessionsADay; index += SESSIONS_OF_TECHNICIAN)
    yield {
      type: "user",
      publicId: technicianOf(index),
      role: "TECHNICIAN",
      firstName: "Ana",
      lastName: `Benchley ${index}`,
    };
  for (let index = 0; index < sessionsADay; index += 1) yield patient(index);
  for (let index = 0; index < sessionsADay; index += 1)
    for (let day = FIRST_DAY; day < LAST_DAY; day += DAYS) yield authorization(index, day);
  for (let day = FIRST_DAY; day < LAST_DAY; day += 1)
    for (let index = 0; index < sessionsADay; index += 1) yield session(day, index);
  // Of all days, so that the number of findings does not depend on the server's clock.
  for (let day = FIRST_DAY; day < LAST_DAY; day += 1)
    for (let index = 0; index < sessionsADay; index += 1)
      if ((index + day) % 97 !== 0) yield encounter(day, index);
}

function patient(index: number): PracticeRecord {
  return {
    type: "user",
    publicId: patientId(index),
    role: "PATIENT",
    firstName: "Bea",
    lastName: `Benchley ${index}`,
    timezone: (index % 10 === 0 ? "America/Chicago" : "America/New_York") as TimeZone,
  };
}

function authorization(index: number, day: number): PracticeRecord {
  const frequency = FREQUENCIES[index % FREQUENCIES.length] ?? "WEEKLY";
  const startDate = addDays(TODAY, day);
  return {
    type: "authorization",
    publicId: authorizationId(index, day),
    patientId: patientId(index),
    authorizationNumber: `CHECKS-${index}`,
    authorizationStatus: "AUTHORIZED",
    authorizedUnitsQuantity: UNITS[frequency],
    authorizedUnitFrequency: frequency,
    serviceLineId: SERVICE_LINE,
    authorizationDate: startDate,
    // Some end a week before the next one begins.
    authorizationExpirationDate: addDays(startDate, DAYS - (index % 50 === 0 ? 8 : 1)),
  };
}

function encounter(day: number, index: number): PracticeRecord {
  const { publicId, startTime, authorizationId } = session(day, index);
  return {
    type: "encounter",
    publicId: publicId.replace("apt", "enc"),
    authorizationId,
    sessionId: publicId,
    startTime,
    units: 6,
  };
}

/** A technician's sessions follow one another; a few overlap the previous one. */
function session(day: number, index: number) {
  const isEarly = (index + day) % 101 === 0;
  const minute = 13 * 60 + (index % SESSIONS_OF_TECHNICIAN) * MINUTES - (isEarly ? 15 : 0);
  const start = Date.parse(addDays(TODAY, day)) + minute * 60_000;
  return {
    type: "session",
    publicId: `apt_checks_${day - FIRST_DAY}_${index}`,
    title: "Direct therapy",
    status: "CONFIRMED",
    startTime: toInstant(start),
    endTime: toInstant(start + MINUTES * 60_000),
    isSupervision: false,
    isClientPresent: true,
    placeOfService: "OFFICE",
    locationId: "loc_main",
    technicianId: technicianOf(index),
    clientId: patientId(index),
    isBillable: true,
    isTelehealth: false,
    services: SERVICE_LINE,
    authorizationId: authorizationId(index, day),
  } as const;
}

function technicianOf(index: number): string {
  return `usr_checks_tech_${Math.floor(index / SESSIONS_OF_TECHNICIAN)}`;
}

function patientId(index: number): string {
  return `usr_checks_${index}`;
}

function authorizationId(index: number, day: number): string {
  return `auth_checks_${index}_${Math.floor((day - FIRST_DAY) / DAYS)}`;
}
