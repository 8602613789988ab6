import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { prepared, preparedFirst } from "../../db/prepared.ts";
import type { InstantRange } from "../lib/time-zone.ts";

/** An authorization or pool, with the data of its patient and organization that utilization needs. */
export interface SubjectRow {
  /** The pool itself, or the pool of the authorization. */
  poolId: string | null;
  patientId: string;
  patientTimeZone: string | null;
  weekStartsOn: string;
  /** The pool's, if there is a pool. */
  unitFrequency: string | null;
  /** Per period; the pool's, if there is a pool. */
  authorizedUnits: number | null;
  isUnlimited: 0 | 1 | null;
}

/** An authorization as subject, with its own units even if it is in a pool. */
export interface AuthorizationSubjectRow extends SubjectRow {
  ownUnits: number | null;
  ownUnitFrequency: string | null;
}

interface ById {
  organizationId: string;
  publicId: string;
}

/** Records of authorizations that start in a range of time. */
interface InSpan extends InstantRange {
  organizationId: string;
  authorizationIds: readonly string[];
}

/** Finds an authorization by id, with frequency and units of its pool, if it is in one. */
export const findAuthorization = preparedFirst((db, { organizationId, publicId }: ById) =>
  db
    .selectFrom("authorizations as authorization")
    .leftJoin("authorization_pools as pool", (join) =>
      join
        .onRef("pool.organization_id", "=", "authorization.organization_id")
        .onRef("pool.public_id", "=", "authorization.authorization_pool_id"),
    )
    .innerJoin("users as patient", (join) =>
      join
        .onRef("patient.organization_id", "=", "authorization.organization_id")
        .onRef("patient.public_id", "=", "authorization.patient_id"),
    )
    .innerJoin("organizations as organization", (join) =>
      join.onRef("organization.public_id", "=", "authorization.organization_id"),
    )
    .select((select) => [
      "pool.public_id as poolId",
      "patient.public_id as patientId",
      "patient.time_zone as patientTimeZone",
      "organization.week_starts_on as weekStartsOn",
      select.fn
        .coalesce("pool.unit_frequency", "authorization.authorized_unit_frequency")
        .as("unitFrequency"),
      select.fn
        .coalesce("pool.total_units", "authorization.authorized_units_quantity")
        .as("authorizedUnits"),
      "pool.is_unlimited as isUnlimited",
      "authorization.authorized_units_quantity as ownUnits",
      "authorization.authorized_unit_frequency as ownUnitFrequency",
    ])
    .where("authorization.organization_id", "=", organizationId)
    .where("authorization.public_id", "=", publicId),
);

/** Finds a pool by id. */
export const findPool = preparedFirst((db, { organizationId, publicId }: ById) =>
  db
    .selectFrom("authorization_pools as pool")
    .innerJoin("users as patient", (join) =>
      join
        .onRef("patient.organization_id", "=", "pool.organization_id")
        .onRef("patient.public_id", "=", "pool.patient_id"),
    )
    .innerJoin("organizations as organization", (join) =>
      join.onRef("organization.public_id", "=", "pool.organization_id"),
    )
    .select([
      "pool.public_id as poolId",
      "patient.public_id as patientId",
      "patient.time_zone as patientTimeZone",
      "organization.week_starts_on as weekStartsOn",
      "pool.unit_frequency as unitFrequency",
      "pool.total_units as authorizedUnits",
      "pool.is_unlimited as isUnlimited",
    ])
    .where("pool.organization_id", "=", organizationId)
    .where("pool.public_id", "=", publicId),
);

/** The authorizations of a pool, ordered by start, then id. */
export const listMembers = prepared((db, { organizationId, publicId }: ById) =>
  selectAuthorizations(db, organizationId).where(
    "authorization.authorization_pool_id",
    "=",
    publicId,
  ),
);

/** One authorization, in the format of `listMembers`. */
export const listStandalone = prepared((db, { organizationId, publicId }: ById) =>
  selectAuthorizations(db, organizationId).where("authorization.public_id", "=", publicId),
);

export type AuthorizationRow = Awaited<ReturnType<typeof listMembers>>[number];

function selectAuthorizations(db: Db, organizationId: string) {
  return db
    .selectFrom("authorizations as authorization")
    .innerJoin("service_lines as line", (join) =>
      join
        .onRef("line.organization_id", "=", "authorization.organization_id")
        .onRef("line.public_id", "=", "authorization.service_line_id"),
    )
    .select([
      "authorization.public_id as publicId",
      "authorization.authorization_date as startDate",
      "authorization.authorization_expiration_date as endDate",
      "line.public_id as serviceLineId",
      "line.billing_unit_minutes as billingUnitMinutes",
    ])
    .where("authorization.organization_id", "=", organizationId)
    .orderBy("authorization.authorization_date")
    .orderBy("authorization.public_id");
}

/** The columns of encounters in a span that `countUnits` needs. All are in one index. */
export const listEncounters = prepared(
  (db, { organizationId, authorizationIds, from, to }: InSpan) =>
    db
      .selectFrom("encounters")
      .select(["authorization_id as authorizationId", "start_time as startTime", "units"])
      .where("organization_id", "=", organizationId)
      .where(isOneOf("authorization_id", authorizationIds))
      .where("start_time", ">=", from)
      .where("start_time", "<=", to),
);

/** The columns of sessions in a span that `countUnits` needs. All are in one index. */
export const listScheduledSessions = prepared(
  (db, { organizationId, authorizationIds, from, to }: InSpan) =>
    db
      .selectFrom("sessions")
      .select([
        "authorization_id as authorizationId",
        "start_time as startTime",
        "end_time as endTime",
        "status",
      ])
      .where("organization_id", "=", organizationId)
      .where(isOneOf("authorization_id", authorizationIds))
      .where("start_time", ">=", from)
      .where("start_time", "<=", to)
      .$narrowType<{ authorizationId: string }>(),
);

/** Sessions in a span, of any status, that no encounter of their authorization refers to. */
export const listOpenSessions = prepared(
  (db, { organizationId, authorizationIds, from, to }: InSpan) =>
    db
      .selectFrom("sessions as session")
      .select([
        "session.public_id as publicId",
        "session.authorization_id as authorizationId",
        "session.start_time as startTime",
        "session.end_time as endTime",
        "session.status",
      ])
      .where("session.organization_id", "=", organizationId)
      .where(isOneOf("session.authorization_id", authorizationIds))
      .where("session.start_time", ">=", from)
      .where("session.start_time", "<=", to)
      .where(isOpen("session", organizationId))
      .$narrowType<{ authorizationId: string }>(),
);

/** Condition: no encounter of a session's authorization refers to the session. */
export function isOpen(session: string, organizationId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select 1 from encounters as encounter
    where encounter.organization_id = ${organizationId}
      and encounter.session_id = ${sql.ref(`${session}.public_id`)}
      and encounter.authorization_id = ${sql.ref(`${session}.authorization_id`)}
  )`;
}

/** The sessions of an authorization among the given ids, with their start. */
export function listSessionsById(
  db: Db,
  organizationId: string,
  authorizationId: string,
  ids: readonly string[],
) {
  return db
    .selectFrom("sessions")
    .select(["public_id as publicId", "start_time as startTime"])
    .where("organization_id", "=", organizationId)
    .where("authorization_id", "=", authorizationId)
    .where(isOneOf("public_id", ids))
    .execute();
}

/** Encounters in a span, with their ids, for the ledger and explanations. */
export const listNamedEncounters = prepared(
  (db, { organizationId, authorizationIds, from, to }: InSpan) =>
    db
      .selectFrom("encounters")
      .select([
        "public_id as publicId",
        "authorization_id as authorizationId",
        "start_time as startTime",
        "units",
      ])
      .where("organization_id", "=", organizationId)
      .where(isOneOf("authorization_id", authorizationIds))
      .where("start_time", ">=", from)
      .where("start_time", "<=", to),
);

/** Sessions in a span, of any status, with their ids. */
export const listNamedSessions = prepared(
  (db, { organizationId, authorizationIds, from, to }: InSpan) =>
    db
      .selectFrom("sessions")
      .select([
        "public_id as publicId",
        "authorization_id as authorizationId",
        "start_time as startTime",
        "end_time as endTime",
        "status",
      ])
      .where("organization_id", "=", organizationId)
      .where(isOneOf("authorization_id", authorizationIds))
      .where("start_time", ">=", from)
      .where("start_time", "<=", to)
      .$narrowType<{ authorizationId: string }>(),
);

/** The organizations that have an authorization or pool with the id. */
export async function organizationsWith(db: Db, publicId: string): Promise<string[]> {
  const ofAuthorizations = db
    .selectFrom("organizations as organization")
    .innerJoin("authorizations as subject", "subject.organization_id", "organization.public_id")
    .select("subject.organization_id")
    .where("subject.public_id", "=", publicId);
  const ofPools = db
    .selectFrom("organizations as organization")
    .innerJoin(
      "authorization_pools as subject",
      "subject.organization_id",
      "organization.public_id",
    )
    .select("subject.organization_id")
    .where("subject.public_id", "=", publicId);
  const rows = await ofAuthorizations.union(ofPools).orderBy("organization_id").execute();
  return rows.map((row) => row.organization_id);
}

/** The authorizations with a payor's authorization number, in all organizations. */
export function listAuthorizationsByNumber(db: Db, authorizationNumber: string) {
  return db
    .selectFrom("organizations as organization")
    .innerJoin("authorizations as subject", "subject.organization_id", "organization.public_id")
    .select(["subject.organization_id as organizationId", "subject.public_id as publicId"])
    .where("subject.authorization_number", "=", authorizationNumber)
    .orderBy("subject.organization_id")
    .orderBy("subject.public_id")
    .execute();
}
