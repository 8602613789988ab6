import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { byId } from "../../db/join.ts";
import { streamRows } from "../../db/rows.ts";
import type { Bit } from "../../db/schema.ts";
import { FIRST_DATE, LAST_DATE } from "../lib/calendar-date.ts";
import { possibleInstants } from "../lib/day-finder.ts";
import type { InstantRange } from "../lib/time-zone.ts";

/** Encounters of an organization, of one patient or of one batch, that start in a span; or one of them. */
export interface LineScope extends InstantRange {
  organizationId: string;
  patientId?: string | undefined;
  batch?: string | undefined;
  encounterId?: string | undefined;
}

/** An encounter with its session. */
export type DeliveredEncounter = Awaited<
  ReturnType<ReturnType<typeof withSessions>["execute"]>
>[number];

/** `cross join` fixes the order of the join on SQLite, which would otherwise scan all encounters for those of a few. */
function encountersOf(db: Db, { organizationId, patientId, batch, encounterId }: LineScope) {
  if (encounterId !== undefined)
    return allEncounters(db).where("encounter.public_id", "=", encounterId);
  if (batch !== undefined)
    return db
      .selectFrom("billed_batches as billed")
      .crossJoin("encounters as encounter")
      .where("billed.organization_id", "=", organizationId)
      .where("billed.batch", "=", batch)
      .whereRef("encounter.public_id", "=", "billed.encounter_id");
  if (patientId !== undefined)
    return db
      .selectFrom("authorizations as authorization")
      .crossJoin("encounters as encounter")
      .where("authorization.organization_id", "=", organizationId)
      .where("authorization.patient_id", "=", patientId)
      .whereRef("encounter.authorization_id", "=", "authorization.public_id");
  return allEncounters(db);
}

function selectEncounters(db: Db, scope: LineScope) {
  const { organizationId, from, to } = scope;
  return (encountersOf(db, scope) as ReturnType<typeof allEncounters>)
    .where("encounter.organization_id", "=", organizationId)
    .where("encounter.start_time", ">=", from)
    .where("encounter.start_time", "<=", to);
}

function allEncounters(db: Db) {
  return db.selectFrom("encounters as encounter");
}

/** Streams the encounters of a scope, ordered by start. */
export function streamEncounters(db: Db, scope: LineScope): AsyncIterable<DeliveredEncounter[]> {
  // An expression: for the column, SQLite would read the span of the whole practice once for each authorization.
  const { patientId, batch, encounterId } = scope;
  const isOfAll = (patientId ?? batch ?? encounterId) === undefined;
  const encounters = selectEncounters(db, scope).orderBy(
    isOfAll ? "encounter.start_time" : sql`encounter.start_time || ''`,
  );
  return streamRows(db, withSessions(encounters, scope.organizationId));
}

/** The encounters with some ids. */
export function listEncounters(db: Db, organizationId: string, ids: readonly string[]) {
  const encounters = allEncounters(db)
    .where("encounter.organization_id", "=", organizationId)
    .where(isOneOf("encounter.public_id", ids));
  return withSessions(encounters, organizationId).execute();
}

function withSessions(encounters: ReturnType<typeof allEncounters>, organizationId: string) {
  return encounters
    .leftJoin("sessions as session", byId("session", "encounter.session_id"))
    .select([
      "encounter.public_id as publicId",
      "encounter.authorization_id as authorizationId",
      "encounter.start_time as startTime",
      "encounter.units",
      "encounter.billed",
      "encounter.session_id as sessionId",
      "session.start_time as sessionStart",
      "session.end_time as sessionEnd",
      "session.status",
      "session.is_supervision as isSupervision",
      "session.is_client_present as isClientPresent",
      "session.place_of_service as placeOfService",
      "session.technician_id as technicianId",
      "session.clinician_id as clinicianId",
      // Finds one row of an index, however many encounters a session has. One without units delivers nothing.
      sql<Bit | null>`case when encounter.session_id is not null then
        case when encounter.public_id = (
          select first.public_id from encounters as first
          where first.organization_id = ${organizationId} and first.session_id = encounter.session_id and first.units > 0
          order by first.start_time, first.public_id
          limit 1
        ) then 1 else 0 end
      end`.as("isFirstOfSession"),
    ]);
}

/** The first and the last start of a batch's encounters, or of one encounter; undefined if there are none. */
export async function spanOf(
  db: Db,
  scope: Omit<LineScope, "from" | "to">,
): Promise<InstantRange | undefined> {
  const always = possibleInstants({ startDate: FIRST_DATE, endDate: LAST_DATE });
  const { from, to } = await selectEncounters(db, { ...scope, ...always })
    .select(({ fn }) => [
      fn.min("encounter.start_time").as("from"),
      fn.max("encounter.start_time").as("to"),
    ])
    .executeTakeFirstOrThrow();
  return from === null || to === null ? undefined : { from, to };
}

/** The authorizations and the providers that occur in a scope. */
export async function listOccurring(
  db: Db,
  scope: LineScope,
): Promise<{ authorizationIds: string[]; providerIds: string[] }> {
  const rows = await selectEncounters(db, scope)
    .leftJoin("sessions as session", byId("session", "encounter.session_id"))
    .select([
      "encounter.authorization_id as authorizationId",
      "session.technician_id as technicianId",
      "session.clinician_id as clinicianId",
    ])
    .distinct()
    .execute();
  const providers = rows.flatMap(({ technicianId, clinicianId }) => [technicianId, clinicianId]);
  return {
    authorizationIds: [...new Set(rows.map(({ authorizationId }) => authorizationId))],
    providerIds: [...new Set(providers)].filter((id) => id !== null),
  };
}

/** When the sessions of some authorizations' encounters are, by encounter. */
export async function listSessionTimes(
  db: Db,
  scope: LineScope,
  authorizationIds: readonly string[],
) {
  return selectEncounters(db, scope)
    .innerJoin("sessions as session", byId("session", "encounter.session_id"))
    .where(isOneOf("encounter.authorization_id", authorizationIds))
    .select([
      "encounter.public_id as publicId",
      "encounter.authorization_id as authorizationId",
      "session.status",
      "session.start_time as startTime",
      "session.end_time as endTime",
    ])
    .execute();
}

/** The ids of all members of pools. */
export async function listMemberIds(
  db: Db,
  organizationId: string,
  poolIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom("authorizations")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("authorization_pool_id", poolIds))
    .select("public_id")
    .execute();
  return rows.map(({ public_id }) => public_id);
}

export type BilledPerson = Awaited<ReturnType<typeof listPeople>>[number];

/** Patients and providers. */
export function listPeople(db: Db, organizationId: string, userIds: readonly string[]) {
  return db
    .selectFrom("users")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", userIds))
    .select([
      "public_id as publicId",
      "first_name as firstName",
      "last_name as lastName",
      "npi_number as npiNumber",
      "birth_date as birthDate",
      "primary_clinician_id as primaryClinicianId",
      "sex",
      "address_line1 as addressLine1",
      "address_line2 as addressLine2",
      "city",
      "state",
      "postal_code as postalCode",
    ])
    .execute();
}

/** The codes of service lines; modifiers are JSON. */
export function listCodes(db: Db, organizationId: string, serviceLineIds: readonly string[]) {
  return db
    .selectFrom("service_lines")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", serviceLineIds))
    .select(["public_id as publicId", "code", "modifiers", "records_data as recordsData"])
    .execute();
}
