import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import { streamRows } from "../../db/rows.ts";
import { providerRoles } from "../callers/roles.ts";
import type { CalendarDate } from "../lib/calendar-date.ts";
import type { Instant } from "../lib/instant.ts";
import type { InstantRange } from "../lib/time-zone.ts";
import { countOfDeliveries, sessionsOfSpan } from "../sessions/repository.ts";
import { payorOfUnits } from "../utilization/repository.ts";

/** A session, with the data of its client, authorization and encounters that the checks need. */
export type CheckedSession = RowOf<typeof selectSessions>;

/** An encounter, with the data of its authorization and session that the checks need. */
export type CheckedEncounter = RowOf<typeof selectEncounters>;

type RowOf<Select extends (...given: never[]) => { execute(): Promise<object[]> }> = Awaited<
  ReturnType<ReturnType<Select>["execute"]>
>[number];

interface SessionScope {
  organizationId: string;
  now: Instant;
  /** Only the sessions in which one of them takes part. */
  people?: readonly string[] | undefined;
}

/** Streams the sessions of a span, before it those that go on as it begins, ordered by start, then id. */
export async function* streamSessions(
  db: Db,
  scope: SessionScope,
  span: InstantRange,
): AsyncGenerator<CheckedSession[]> {
  for (const sessions of sessionsOfSpan(db, scope.organizationId, span, scope.people))
    yield* streamRows(
      db,
      selectSessions(db, scope, sessions)
        .orderBy("session.start_time")
        .orderBy("session.public_id"),
    );
}

/** Selects from sessions, of inactive patients only those that are to come. */
function selectSessions(
  db: Db,
  { organizationId, now }: SessionScope,
  sessions: ReturnType<typeof sessionsOfSpan>[number],
) {
  return db
    .selectFrom(sessions.as("session"))
    .leftJoin("users as client", byId("client", "session.client_id"))
    .leftJoin("service_lines as line", byId("line", "session.service_line_id"))
    .leftJoin("authorizations as authorization", byId("authorization", "session.authorization_id"))
    .leftJoin("authorization_pools as pool", byId("pool", "authorization.authorization_pool_id"))
    .where("session.organization_id", "=", organizationId)
    .where((where) =>
      where.or([
        where("session.client_id", "is", null),
        where("client.is_active", "=", 1),
        where("session.start_time", ">=", now),
      ]),
    )
    .select([
      "session.public_id as publicId",
      "session.start_time as startTime",
      "session.end_time as endTime",
      "session.status",
      "session.is_billable as isBillable",
      "session.is_supervision as isSupervision",
      "session.technician_id as technicianId",
      "session.clinician_id as clinicianId",
      "session.client_id as patientId",
      "client.is_active as clientIsActive",
      "client.time_zone as patientTimeZone",
      "line.billing_unit_minutes as billingUnitMinutes",
      "line.is_group as isGroup",
      "session.service_line_id as serviceLineId",
      "session.place_of_service as placeOfService",
      "session.location_id as locationId",
      "session.authorization_id as authorizationId",
      "authorization.authorization_date as authorizedFrom",
      "authorization.authorization_expiration_date as authorizedTo",
      "pool.public_id as poolId",
      payorOfUnits.as("payorId"),
      countOfDeliveries(organizationId).as("deliveries"),
    ]);
}

/**
 * Streams the encounters of active patients, all or some, in a span, ordered by start. All of them: SQLite would not let others in
 * while it passes over those without a finding.
 */
export function streamEncounters(
  db: Db,
  { organizationId, people }: Pick<SessionScope, "organizationId" | "people">,
  { from, to }: InstantRange,
): AsyncIterable<CheckedEncounter[]> {
  const query = selectEncounters(db, organizationId)
    .$if(people !== undefined, (query) =>
      query.where(isOneOf("authorization.patient_id", people ?? [])),
    )
    .where("encounter.start_time", ">=", from)
    .where("encounter.start_time", "<=", to)
    .orderBy("encounter.start_time");
  return streamRows(db, query);
}

/** Selects encounters, except those of inactive patients. */
function selectEncounters(db: Db, organizationId: string) {
  return db
    .selectFrom("encounters as encounter")
    .innerJoin(
      "authorizations as authorization",
      byId("authorization", "encounter.authorization_id"),
    )
    .innerJoin("users as patient", byId("patient", "authorization.patient_id"))
    .leftJoin("sessions as session", byId("session", "encounter.session_id"))
    .leftJoin("authorization_pools as pool", byId("pool", "authorization.authorization_pool_id"))
    .where("encounter.organization_id", "=", organizationId)
    .where("patient.is_active", "=", 1)
    .select([
      "encounter.public_id as publicId",
      "encounter.start_time as startTime",
      "encounter.units",
      "authorization.patient_id as patientId",
      "patient.time_zone as patientTimeZone",
      "authorization.public_id as authorizationId",
      "authorization.authorization_date as authorizedFrom",
      "authorization.authorization_expiration_date as authorizedTo",
      "pool.public_id as poolId",
      payorOfUnits.as("payorId"),
      "session.public_id as sessionId",
      "session.status",
      "session.is_supervision as isSupervision",
      "session.technician_id as technicianId",
      "session.clinician_id as clinicianId",
    ]);
}

/** The encounters with units of some sessions, unordered: with `order by`, SQLite would read all encounters by start. */
export function listEncountersOfSessions(
  db: Db,
  organizationId: string,
  sessionIds: readonly string[],
) {
  return db
    .selectFrom("encounters")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("session_id", sessionIds))
    .where("units", ">", 0)
    .select([
      "public_id as publicId",
      "session_id as sessionId",
      "start_time as startTime",
      "units",
    ])
    .$narrowType<{ sessionId: string }>()
    .execute();
}

/** The end of the last credential, for providers whose credentials have all ended by a time. */
export async function listEndsOfCredentials(
  db: Db,
  organizationId: string,
  by: Instant,
): Promise<Map<string, Instant>> {
  const rows = await db
    .selectFrom("users")
    .where("organization_id", "=", organizationId)
    .where("credentials_end", "<=", by)
    .select(["public_id as userId", "credentials_end as endsAt"])
    .$narrowType<{ endsAt: Instant }>()
    .execute();
  return new Map(rows.map(({ userId, endsAt }) => [userId, endsAt]));
}

/** The ids of inactive technicians and clinicians. */
export async function listInactiveProviders(db: Db, organizationId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom("users")
    .where("organization_id", "=", organizationId)
    .where("role", "in", providerRoles)
    .where("is_active", "=", 0)
    .select("public_id")
    .execute();
  return new Set(rows.map(({ public_id }) => public_id));
}

/** Authorizations of some patients that end after a day, with the payor of their units. */
export function listLaterAuthorizations(
  db: Db,
  organizationId: string,
  { patientIds, after }: { patientIds: readonly string[]; after: CalendarDate },
) {
  return db
    .selectFrom("authorizations as authorization")
    .leftJoin("authorization_pools as pool", byId("pool", "authorization.authorization_pool_id"))
    .where("authorization.organization_id", "=", organizationId)
    .where(isOneOf("authorization.patient_id", patientIds))
    .where("authorization.authorization_expiration_date", ">", after)
    .select([
      "authorization.patient_id as patientId",
      payorOfUnits.as("payorId"),
      "authorization.service_line_id as serviceLineId",
      "authorization.authorization_date as startDate",
      "authorization.authorization_expiration_date as endDate",
    ])
    .execute();
}

export interface Name {
  firstName: string;
  lastName: string;
}

/** The names of users, by id. */
export async function listNames(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<Map<string, Name>> {
  const rows = await db
    .selectFrom("users")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", userIds))
    .select(["public_id as publicId", "first_name as firstName", "last_name as lastName"])
    .execute();
  return new Map(rows.map(({ publicId, ...name }) => [publicId, name]));
}
