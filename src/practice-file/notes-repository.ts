import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";

/** Reads the data for notes: records of a file with related records. */

/** Sessions, with the dates of their authorization and the zone of their client. */
export function findSessions(db: Db, organizationId: string, ids: readonly string[]) {
  return db
    .selectFrom("sessions as session")
    .leftJoin("authorizations as authorization", (join) =>
      join
        .onRef("authorization.organization_id", "=", "session.organization_id")
        .onRef("authorization.public_id", "=", "session.authorization_id"),
    )
    .leftJoin("users as client", (join) =>
      join
        .onRef("client.organization_id", "=", "session.organization_id")
        .onRef("client.public_id", "=", "session.client_id"),
    )
    .select([
      "session.public_id as id",
      "session.start_time as startTime",
      "session.end_time as endTime",
      "session.is_billable as isBillable",
      "session.client_id as clientId",
      "authorization.authorization_date as firstDate",
      "authorization.authorization_expiration_date as lastDate",
      "client.time_zone as timezone",
    ])
    .where("session.organization_id", "=", organizationId)
    .where(isOneOf("session.public_id", ids))
    .orderBy("session.public_id")
    .execute();
}

/** Encounters, with their session (if any), authorization and the zone of their patient. */
export function findEncounters(db: Db, organizationId: string, ids: readonly string[]) {
  return db
    .selectFrom("encounters as encounter")
    .innerJoin("authorizations as authorization", (join) =>
      join
        .onRef("authorization.organization_id", "=", "encounter.organization_id")
        .onRef("authorization.public_id", "=", "encounter.authorization_id"),
    )
    .innerJoin("users as patient", (join) =>
      join
        .onRef("patient.organization_id", "=", "authorization.organization_id")
        .onRef("patient.public_id", "=", "authorization.patient_id"),
    )
    .innerJoin("service_lines as line", (join) =>
      join
        .onRef("line.organization_id", "=", "authorization.organization_id")
        .onRef("line.public_id", "=", "authorization.service_line_id"),
    )
    .leftJoin("sessions as session", (join) =>
      join
        .onRef("session.organization_id", "=", "encounter.organization_id")
        .onRef("session.public_id", "=", "encounter.session_id"),
    )
    .select([
      "encounter.public_id as id",
      "encounter.start_time as startTime",
      "encounter.units",
      "encounter.session_id as sessionId",
      "session.status",
      "session.start_time as sessionStart",
      "session.end_time as sessionEnd",
      "authorization.authorization_date as firstDate",
      "authorization.authorization_expiration_date as lastDate",
      "line.billing_unit_minutes as billingUnitMinutes",
      "patient.time_zone as timezone",
    ])
    .where("encounter.organization_id", "=", organizationId)
    .where(isOneOf("encounter.public_id", ids))
    .orderBy("encounter.public_id")
    .execute();
}

/** The sessions that have more than one encounter, with the number. */
export async function findSharedSessions(
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

/** Data of users for notes. */
export function findUsers(db: Db, organizationId: string, ids: readonly string[]) {
  return db
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
}

export type NotedSession = Awaited<ReturnType<typeof findSessions>>[number];
export type NotedEncounter = Awaited<ReturnType<typeof findEncounters>>[number];
export type NotedUser = Awaited<ReturnType<typeof findUsers>>[number];
