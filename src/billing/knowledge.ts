import type { Db } from "../../db/database.ts";
import { fromBit } from "../../db/schema.ts";
import { findRecordedWithin } from "../goals/repository.ts";
import type { CalendarDate, DateRange } from "../lib/calendar-date.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { delivererOf } from "../lib/presence.ts";
import { localDateTime, type TimeZone } from "../lib/time-zone.ts";
import { entriesOf } from "../users/details-repository.ts";
import { credentialsIn, payorsIn } from "../users/stored-entries.ts";
import type { PracticeCalendar } from "../utilization/calendar.ts";
import { listAuthorizations } from "../utilization/repository.ts";
import { type AuthorizationRow, type Subject, subjectsOf } from "../utilization/subject.ts";
import { countsAsScheduled, elapsedMinutes } from "../utilization/units.ts";
import { coverageFinder, type PayorEntry } from "./coverage.ts";
import { type Credential, credentialAt, lastingLonger } from "./credentials.ts";
import type { KnownLine } from "./line.ts";
import { encountersOver } from "./units-of-periods.ts";
import { codeOfPlace } from "./place-of-service.ts";
import {
  type BilledPerson,
  type DeliveredEncounter,
  type LineScope,
  listCodes,
  listMemberIds,
  listOccurring,
  listPeople,
  listSessionTimes,
} from "./repository.ts";

/** What is known of an authorization. */
export interface Authorized {
  row: AuthorizationRow;
  patient: BilledPerson | undefined;
  code: string | null;
  modifiers: string[];
  /** Whether data are expected to be recorded with each delivery. */
  recordsData: boolean;
  coverageOn(date: CalendarDate): PayorEntry | undefined;
}

/** All that lines are made of besides encounters and their sessions: in proportion to the window's subjects and people. */
export interface Knowledge {
  authorizations: ReadonlyMap<string, Authorized>;
  /** Clinicians and technicians. */
  providers: ReadonlyMap<string, BilledPerson>;
  /** By provider. */
  credentials: ReadonlyMap<string, readonly Credential[]>;
  /** The subjects of the authorizations, with all their members. */
  subjects: readonly Subject[];
  /** The ids of encounters that are over the authorized units. */
  over: ReadonlySet<string>;
  /** The ids of encounters with whose session nothing was recorded, though data are expected. */
  unrecorded: ReadonlySet<string>;
}

/** Reads it, with a number of statements that does not depend on the number of lines. */
export async function readKnowledge(
  db: Db,
  scope: LineScope,
  { window, calendar }: { window: DateRange; calendar: PracticeCalendar },
): Promise<Knowledge> {
  const { organizationId, from } = scope;
  const { authorizationIds, providerIds } = await listOccurring(db, scope);
  const rows = await listAuthorizations(db, { organizationId, authorizationIds });
  const authorizations = await authorized(db, organizationId, rows);
  const clinicianIds = authorizations.flatMap(({ patient }) => patient?.primaryClinicianId ?? []);
  const people = distinct([...providerIds, ...clinicianIds]);
  const providers = await listPeople(db, organizationId, people);
  const ofProviders = await entriesOf(db, { organizationId, userIds: providerIds });
  const subjects = await subjectsWith(db, organizationId, rows);
  return {
    authorizations: new Map(authorizations.map((one) => [one.row.authorizationId, one])),
    providers: new Map(providers.map((person) => [person.publicId, person])),
    credentials: new Map(
      ofProviders.map((row) => [row.user_id, lastingLonger(credentialsIn(row))]),
    ),
    subjects,
    over: await encountersOver(db, { organizationId, window, calendar, from }, subjects),
    unrecorded: await withoutRecords(db, scope, authorizations),
  };
}

/** What is recorded within so much of a session belongs to it. */
const AROUND = 30 * 60_000;

/** A session with the time around it in which its data are recorded. */
export function recordingTime(patientId: string, startTime: Instant, endTime: Instant) {
  return {
    patientId,
    from: toInstant(epochMilliseconds(startTime) - AROUND),
    to: toInstant(epochMilliseconds(endTime) + AROUND),
  };
}

async function withoutRecords(
  db: Db,
  scope: LineScope,
  authorizations: readonly Authorized[],
): Promise<Set<string>> {
  const recording = authorizations.filter(({ recordsData }) => recordsData);
  if (recording.length === 0) return new Set();
  const patients = new Map(recording.map(({ row }) => [row.authorizationId, row.patientId]));
  const all = await listSessionTimes(db, scope, [...patients.keys()]);
  const held = all.filter(({ status }) => countsAsScheduled(status));
  const times = held.map(({ authorizationId, startTime, endTime }) =>
    recordingTime(patients.get(authorizationId) as string, startTime, endTime),
  );
  const recorded = await findRecordedWithin(db, scope.organizationId, times);
  return new Set(held.flatMap(({ publicId }, place) => (recorded.has(place) ? [] : publicId)));
}

async function authorized(
  db: Db,
  organizationId: string,
  rows: readonly AuthorizationRow[],
): Promise<Authorized[]> {
  const userIds = distinct(rows.map(({ patientId }) => patientId));
  const people = await listPeople(db, organizationId, userIds);
  const patients = new Map(people.map((patient) => [patient.publicId, patient]));
  const keyOf = (patientId: string, payorId: string | null) => `${patientId} ${payorId}`;
  const finders = new Map<string, ReturnType<typeof coverageFinder>>();
  for (const row of await entriesOf(db, { organizationId, userIds }))
    for (const [payorId, own] of Map.groupBy(payorsIn(row), ({ payorId }) => payorId))
      finders.set(keyOf(row.user_id, payorId), coverageFinder(own));
  const lines = distinct(rows.map(({ serviceLineId }) => serviceLineId));
  const codes = await listCodes(db, organizationId, lines);
  const codeOf = new Map(
    codes.map(({ publicId, code, modifiers, recordsData }) => [
      publicId,
      {
        ...{ code, modifiers: JSON.parse(modifiers) as string[] },
        recordsData: fromBit(recordsData),
      },
    ]),
  );
  return rows.map((row) => ({
    row,
    patient: patients.get(row.patientId),
    ...(codeOf.get(row.serviceLineId) ?? { code: null, modifiers: [], recordsData: false }),
    coverageOn: finders.get(keyOf(row.patientId, row.payorId)) ?? (() => undefined),
  }));
}

/** The subjects of authorizations, with the other members of their pools. */
async function subjectsWith(
  db: Db,
  organizationId: string,
  rows: readonly AuthorizationRow[],
): Promise<Subject[]> {
  const poolIds = distinct(rows.flatMap(({ poolId }) => poolId ?? []));
  const memberIds = await listMemberIds(db, organizationId, poolIds);
  const known = new Set(rows.map(({ authorizationId }) => authorizationId));
  const authorizationIds = memberIds.filter((id) => !known.has(id));
  const others = await listAuthorizations(db, { organizationId, authorizationIds });
  return subjectsOf([...rows, ...others]);
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

/** A line's fields from `date` on, as they are now. */
export function handedOverLine(
  encounter: DeliveredEncounter,
  { row, patient, code, modifiers, coverageOn }: Authorized,
  { providers, credentials }: Knowledge,
  { date, timezone }: { date: CalendarDate; timezone: TimeZone },
): KnownLine {
  const coverage = coverageOn(date);
  const { sessionStart, sessionEnd, placeOfService, clinicianId } = encounter;
  const renderedById = encounter.sessionId === null ? null : delivererOf(encounter);
  const rendering = renderedById === null ? undefined : providers.get(renderedById);
  const supervisorId = clinicianId ?? patient?.primaryClinicianId ?? null;
  const supervising =
    renderedById === null || supervisorId === null || supervisorId === renderedById
      ? undefined
      : providers.get(supervisorId);
  const insuredAddress = coverage?.insuredAddress;
  const minutes =
    sessionStart === null || sessionEnd === null ? null : elapsedMinutes(sessionStart, sessionEnd);
  const credential =
    renderedById === null || sessionStart === null
      ? undefined
      : credentialAt(credentials.get(renderedById) ?? [], sessionStart);
  return {
    date,
    timezone,
    startTime: sessionStart,
    endTime: sessionEnd,
    minutes,
    patientId: row.patientId,
    patientFirstName: row.patientFirstName,
    patientLastName: row.patientLastName,
    patientBirthDate: patient?.birthDate ?? null,
    internalRecordId: row.internalRecordId,
    payorId: row.payorId,
    payorName: row.payorName,
    memberId: coverage?.memberId ?? null,
    groupId: coverage?.groupId ?? null,
    planHolder: coverage?.planHolder ?? null,
    relationshipToPatient: coverage?.relationshipToPatient ?? null,
    priority: coverage?.priority ?? null,
    authorizationId: row.authorizationId,
    authorizationNumber: row.authorizationNumber,
    poolId: row.poolId,
    serviceLineId: row.serviceLineId,
    serviceLineName: row.serviceLineName,
    code,
    modifiers,
    placeOfService,
    placeOfServiceCode: placeOfService === null ? null : codeOfPlace(placeOfService),
    units: encounter.units,
    billingUnitMinutes: row.billingUnitMinutes,
    renderedById,
    renderedByFirstName: rendering?.firstName ?? null,
    renderedByLastName: rendering?.lastName ?? null,
    renderedByNpi: rendering?.npiNumber ?? null,
    renderedByCredential: credential?.credentialType ?? null,
    supervisedById: supervising?.publicId ?? null,
    supervisedByFirstName: supervising?.firstName ?? null,
    supervisedByLastName: supervising?.lastName ?? null,
    supervisedByNpi: supervising?.npiNumber ?? null,
    localStart: localMinute(sessionStart, timezone),
    localEnd: localMinute(sessionEnd, timezone),
    patientSex: patient?.sex ?? null,
    patientAddressLine1: patient?.addressLine1 ?? null,
    patientAddressLine2: patient?.addressLine2 ?? null,
    patientCity: patient?.city ?? null,
    patientState: patient?.state ?? null,
    patientPostalCode: patient?.postalCode ?? null,
    insuredBirthDate: coverage?.insuredBirthDate ?? null,
    insuredAddressLine1: insuredAddress?.addressLine1 ?? null,
    insuredAddressLine2: insuredAddress?.addressLine2 ?? null,
    insuredCity: insuredAddress?.city ?? null,
    insuredState: insuredAddress?.state ?? null,
    insuredPostalCode: insuredAddress?.postalCode ?? null,
  };
}

/** The local time in whole minutes: `2026-03-05T10:00`. */
function localMinute(instant: Instant | null, zone: TimeZone): string | null {
  return instant === null ? null : localDateTime(instant, zone).slice(0, 16);
}
