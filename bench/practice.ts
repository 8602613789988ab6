import { visits, writtenRecords } from "../src/demo/clinic.ts";
import { DEMO_ORGANIZATION, demoLines, demoPractice, repeated } from "../src/demo/practice.ts";
import { addDays, type CalendarDate } from "../src/lib/calendar-date.ts";
import type { Instant } from "../src/lib/instant.ts";
import type { TimeZone } from "../src/lib/time-zone.ts";
import type { PracticeRecord } from "../src/practice-file/model.ts";

/**
 * The benchmark data, as practice files. The demo practice has the sessions; other data are added here, each
 * part as a practice file of the same organization.
 */

/** The reference date of all data, which makes data sets reproducible. */
const TODAY = "2026-01-15" as CalendarDate;

/** Others in the same database as the measured practice, which is that of the demo. */
export const OTHER_PRACTICES = [2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => `org_maple_${number}`);

/** The demo has eight weeks; a practice with more sessions has had the same for up to three years. */
const SESSIONS_PER_TERM = 170_000;
const WEEKS_OF_TERM = 26;

/** Users who come first in the list: a page of 25 of nine roles. */
const FIRST_PAGE = new Map([
  ["PATIENT", 8],
  ["CAREGIVER", 4],
  ["TECHNICIAN", 5],
  ["CLINICIAN", 3],
  ["CLINICAL_ADMIN", 1],
  ["CLINICAL_SUPERADMIN", 1],
  ["ADMIN", 1],
  ["BILLING_MANAGER", 1],
  ["SCHEDULING_MANAGER", 1],
]);
const BEFORE_ALL_OTHERS = "2015-01-01T12:00:00.000Z" as Instant;

/** The demo practice, with users of mixed roles on the first page; otherwise it would only have some roles. */
export function* practiceOf(organizationId: string, sessions: number): Generator<PracticeRecord> {
  const missing = new Map(FIRST_PAGE);
  const terms = Math.round(sessions / SESSIONS_PER_TERM);
  const written = writtenRecords(TODAY);
  const records = demoPractice({ today: TODAY, moreWeeks: WEEKS_OF_TERM * terms }, [
    ...written,
    ...termsBefore(written, terms),
  ]);
  for (const line of demoLines(records, sessions)) {
    const record = JSON.parse(line) as PracticeRecord;
    const places = record.type === "user" ? (missing.get(record.role) ?? 0) : 0;
    if (record.type === "organization") yield { ...record, publicId: organizationId };
    else if (record.type !== "user" || places === 0) yield record;
    else {
      missing.set(record.role, places - 1);
      yield { ...record, createdAt: BEFORE_ALL_OTHERS };
    }
  }
}

/** The first authorizations of each patient once more, for so many terms before them. */
function* termsBefore(
  written: readonly PracticeRecord[],
  terms: number,
): Generator<PracticeRecord> {
  const ids = new Set(written.map(({ publicId }) => publicId));
  // The number of the term is a part of the id.
  const before = (id: string): string =>
    id.replace(/_(\d)(?=_|$)/, (_, term) => `_${Number(term) - 1}`);
  for (const record of written)
    if (/^authorization/.test(record.type) && !ids.has(before(record.publicId)))
      for (let term = 1; term <= terms; term += 1) {
        const ended =
          record.type === "authorization" ? { ...record, authorizationStatus: "EXPIRED" } : record;
        const text = JSON.stringify(ended)
          .replaceAll(/"(?:auth|apool)_\w+/g, `$&_b${term}`)
          .replaceAll(/\d{4}-\d\d-\d\d(?=")/g, (date) =>
            addDays(date as CalendarDate, -7 * WEEKS_OF_TERM * term),
          );
        yield JSON.parse(text) as PracticeRecord;
      }
}

const OF_PEOPLE = new Set(["location", "user", "authorizationPool", "authorization"]);

/** At least `users` more users of all roles, with their authorizations: the clinic's, under other ids than the demo's. */
export function* joiningPeople(users: number): Generator<PracticeRecord> {
  const people = [];
  for (const record of writtenRecords(TODAY)) {
    if (record.type === "organization") yield record;
    if (OF_PEOPLE.has(record.type)) people.push(record);
  }
  const ofClinic = people.filter(({ type }) => type === "user").length;
  const clinics = 1 + Math.ceil(users / ofClinic);
  for (const record of people.sort((a, b) => rankOf(a) - rankOf(b)))
    for (const line of [...repeated(record, clinics, "j")].slice(1))
      yield JSON.parse(line) as PracticeRecord;
}

/**
 * Users to whom others refer come first. With an unresolved reference, SQLite scans all users for each new
 * one, and an import of 200,000 users would take hours.
 */
function rankOf(record: PracticeRecord): number {
  if (record.type === "location") return 0;
  if (record.type !== "user") return 4;
  if (record.role === "CAREGIVER" || record.role === "TECHNICIAN") return 1;
  return record.role === "PATIENT" ? 3 : 2;
}

/** The practice for measuring the overview: current authorizations, each with a week of seven sessions. */
export const OVERVIEW_PRACTICE = "org_overview";
const SESSIONS_OF_EACH = 10;
/** No authorization cuts this week. */
export const OVERVIEW_DAY = TODAY;

export function* overviewPractice(authorizations: number): Generator<PracticeRecord> {
  yield { type: "organization", publicId: OVERVIEW_PRACTICE, name: "Overview" };
  yield { type: "location", publicId: "loc_main", name: "Main clinic" };
  yield { type: "serviceLine", publicId: "svc_97153", name: "Therapy", billingUnitMinutes: 15 };
  for (let index = 0; index < authorizations; index += 1) {
    yield {
      type: "user",
      publicId: overviewId("usr", index),
      role: "PATIENT",
      firstName: "Bea",
      lastName: `Benchley ${index}`,
      timezone: "America/New_York" as TimeZone,
    };
    yield {
      type: "authorization",
      publicId: overviewId("auth", index),
      patientId: overviewId("usr", index),
      authorizationNumber: `OVERVIEW-${index}`,
      authorizationStatus: "AUTHORIZED",
      authorizedUnitsQuantity: 20 + (index % 50),
      authorizedUnitFrequency: "WEEKLY",
      serviceLineId: "svc_97153",
      authorizationDate: addDays(TODAY, -50 - (index % 100)),
      authorizationExpirationDate: addDays(TODAY, 7 + ((index * 7) % 170)),
    };
  }
  for (let index = 0; index < authorizations; index += 1)
    for (let day = -6; day < SESSIONS_OF_EACH - 6; day += 1) yield* overviewSession(index, day);
}

/** A session on a day relative to today, with its encounter if it is past. */
function* overviewSession(index: number, day: number): Generator<PracticeRecord> {
  const date = addDays(TODAY, day);
  const number = `${index}_${day + 6}`;
  const startTime = `${date}T14:00:00.000Z` as Instant;
  const authorizationId = overviewId("auth", index);
  yield {
    type: "session",
    publicId: `apt_overview_${number}`,
    title: "Direct therapy",
    status: "CONFIRMED",
    startTime,
    endTime: `${date}T15:00:00.000Z` as Instant,
    isSupervision: false,
    isClientPresent: true,
    placeOfService: "OFFICE",
    locationId: "loc_main",
    clientId: overviewId("usr", index),
    isBillable: true,
    isTelehealth: false,
    services: "svc_97153",
    authorizationId,
  };
  if (day >= 0) return;
  yield {
    type: "encounter",
    publicId: `enc_overview_${number}`,
    authorizationId,
    sessionId: `apt_overview_${number}`,
    startTime,
    units: 4,
  };
}

function overviewId(prefix: string, index: number): string {
  return `${prefix}_overview_${String(index).padStart(6, "0")}`;
}

export const POOL_ID = "apool_bench";
const POOL_MEMBERS = [
  visits.assessment.serviceLineId,
  visits.direct.serviceLineId,
  visits.supervision.serviceLineId,
  visits.guidance.serviceLineId,
];
/** Each session has an encounter, so there are twice as many records. */
const POOL_SESSIONS = 1750;
const PATIENT_ID = "usr_bench_patient";

/** The year of the pool. Requests use it as window, so that the answer is the same on any day. */
export const POOL_YEAR = {
  startDate: addDays(TODAY, -364),
  endDate: TODAY,
};

/** A patient with a weekly pool of four authorizations, and a year of sessions and encounters on them. */
export function* poolSubject(): Generator<PracticeRecord> {
  yield { type: "organization", publicId: DEMO_ORGANIZATION, name: "Maple Street ABA" };
  yield {
    type: "user",
    publicId: PATIENT_ID,
    role: "PATIENT",
    firstName: "Bea",
    lastName: "Benchley",
    timezone: "America/New_York" as TimeZone,
  };
  yield {
    type: "authorizationPool",
    publicId: POOL_ID,
    patientId: PATIENT_ID,
    payorId: "pay_fairwind",
    totalUnits: 400,
    unitFrequency: "WEEKLY",
    isUnlimited: false,
  };
  for (const [index, serviceLineId] of POOL_MEMBERS.entries())
    yield {
      type: "authorization",
      publicId: memberId(index),
      patientId: PATIENT_ID,
      authorizationPoolId: POOL_ID,
      authorizationNumber: `BENCH-${index}`,
      authorizationStatus: "AUTHORIZED",
      serviceLineId,
      authorizationDate: POOL_YEAR.startDate,
      authorizationExpirationDate: POOL_YEAR.endDate,
    };
  for (let index = 0; index < POOL_SESSIONS; index += 1) yield poolSession(index);
  for (let index = 0; index < POOL_SESSIONS; index += 1) {
    const session = poolSession(index);
    yield {
      type: "encounter",
      publicId: `enc_bench_${index}`,
      authorizationId: memberOf(index),
      sessionId: session.publicId,
      startTime: session.startTime,
      units: 4,
    };
  }
}

function poolSession(index: number) {
  const day = addDays(POOL_YEAR.startDate, Math.floor((index * 365) / POOL_SESSIONS));
  const hour = 13 + (index % 9);
  return {
    type: "session",
    publicId: `apt_bench_${index}`,
    title: "Direct therapy",
    status: "CONFIRMED",
    startTime: `${day}T${hour}:00:00.000Z` as Instant,
    endTime: `${day}T${hour + 1}:00:00.000Z` as Instant,
    isSupervision: false,
    isClientPresent: true,
    placeOfService: "OFFICE",
    locationId: "loc_0001",
    clientId: PATIENT_ID,
    isBillable: true,
    isTelehealth: false,
    services: POOL_MEMBERS[index % POOL_MEMBERS.length] ?? "",
    authorizationId: memberOf(index),
  } as const;
}

function memberOf(index: number): string {
  return memberId(index % POOL_MEMBERS.length);
}

function memberId(index: number): string {
  return `auth_bench_${index}`;
}
