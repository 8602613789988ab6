import { sql } from "kysely";
import type { Db } from "../../../db/database.ts";
import { isOneOf } from "../../../db/engine.ts";
import { byId } from "../../../db/join.ts";
import type { Instant } from "../../lib/instant.ts";
import { SCHEDULED_STATUSES } from "../../utilization/units.ts";

/** Reads the data for notes: records of a file with related records. */

/** Sessions, with the dates of their authorization and the zone of their client. */
export function listSessions(db: Db, organizationId: string, ids: readonly string[]) {
  return db
    .selectFrom("sessions as session")
    .leftJoin("authorizations as authorization", byId("authorization", "session.authorization_id"))
    .leftJoin("users as client", byId("client", "session.client_id"))
    .select([
      "session.public_id as id",
      "session.start_time as startTime",
      "session.end_time as endTime",
      "session.is_billable as isBillable",
      "session.authorization_id as authorizationId",
      "session.client_id as patientId",
      "authorization.authorization_date as authorizedFrom",
      "authorization.authorization_expiration_date as authorizedTo",
      "client.time_zone as timezone",
    ])
    .where("session.organization_id", "=", organizationId)
    .where(isOneOf("session.public_id", ids))
    .orderBy("session.public_id")
    .execute();
}

/** Encounters, with their session (if any), authorization and the zone of their patient. */
export async function listEncounters(db: Db, organizationId: string, ids: readonly string[]) {
  const encounters = await db
    .selectFrom("encounters as encounter")
    .innerJoin(
      "authorizations as authorization",
      byId("authorization", "encounter.authorization_id"),
    )
    .innerJoin("users as patient", byId("patient", "authorization.patient_id"))
    .innerJoin("service_lines as line", byId("line", "authorization.service_line_id"))
    .leftJoin("sessions as session", byId("session", "encounter.session_id"))
    .select([
      "encounter.public_id as id",
      "encounter.start_time as startTime",
      "encounter.units",
      "encounter.session_id as sessionId",
      "session.status",
      "session.start_time as sessionStart",
      "session.end_time as sessionEnd",
      "authorization.authorization_date as authorizedFrom",
      "authorization.authorization_expiration_date as authorizedTo",
      "line.billing_unit_minutes as billingUnitMinutes",
      "patient.time_zone as timezone",
    ])
    .where("encounter.organization_id", "=", organizationId)
    .where(isOneOf("encounter.public_id", ids))
    .orderBy("encounter.public_id")
    .execute();
  const sessionIds = encounters.flatMap(({ sessionId }) => sessionId ?? []);
  const shared = await findSharedSessions(db, organizationId, sessionIds);
  return encounters.map((encounter) => ({
    ...encounter,
    isShared: shared.has(encounter.sessionId ?? ""),
  }));
}

async function findSharedSessions(
  db: Db,
  organizationId: string,
  sessionIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom("encounters")
    .select("session_id")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("session_id", sessionIds))
    .groupBy("session_id")
    .having((having) => having.fn.countAll<number>(), ">", 1)
    .execute();
  return new Set(rows.map(({ session_id }) => session_id as string));
}

/** Users, those who are made inactive with the number of their sessions from now on. */
export async function listUsers(
  db: Db,
  organizationId: string,
  ids: readonly string[],
  { now, deactivated }: { now: Instant; deactivated: ReadonlySet<string> },
) {
  const gone = ids.filter((id) => deactivated.has(id));
  const coming = await countComingSessions(db, organizationId, gone, now);
  const users = await db
    .selectFrom("users")
    .select([
      "public_id as id",
      "role",
      "email",
      "time_zone as timezone",
      "birth_date as birthDate",
    ])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("public_id", ids))
    .orderBy("public_id")
    .execute();
  return users.map((user) => ({ ...user, comingSessions: coming.get(user.id) ?? 0 }));
}

/** The number of scheduled sessions of users from an instant on, by id: as client, technician or clinician. */
async function countComingSessions(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, number>> {
  if (userIds.length === 0) return new Map();
  const each = ["client_id", "technician_id", "clinician_id"].map(
    (column) => sql`
      select public_id, ${sql.ref(column)} as user_id from sessions
      where organization_id = ${organizationId} and ${isOneOf(column, userIds)}
        and start_time >= ${now} and status in (${sql.join(SCHEDULED_STATUSES)})`,
  );
  const { rows } = await sql<{ id: string; sessions: number }>`
    select user_id as id, count(*) as sessions
    from (${sql.join(each, sql` union `)}) as coming group by user_id
  `.execute(db);
  return new Map(rows.map(({ id, sessions }) => [id, sessions]));
}

export type NotedSession = Awaited<ReturnType<typeof listSessions>>[number];
export type NotedEncounter = Awaited<ReturnType<typeof listEncounters>>[number];
export type NotedUser = Awaited<ReturnType<typeof listUsers>>[number];
