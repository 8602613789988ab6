import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { streamRows } from "../../db/rows.ts";
import type { InstantRange } from "../lib/time-zone.ts";

/** The filter of a delivery report, and the span of its records. */
export interface DeliveryScope extends InstantRange {
  organizationId: string;
  patientId?: string | undefined;
  payorId?: string | undefined;
}

export type AuthorizationRow = Awaited<ReturnType<typeof listAuthorizations>>[number];

/** Authorizations with a session or encounter in the span, ordered by patient, then id. */
export function listAuthorizations(
  db: Db,
  { organizationId, patientId, payorId, from, to }: DeliveryScope,
) {
  return db
    .selectFrom("authorizations as authorization")
    .innerJoin("users as patient", (join) =>
      join
        .onRef("patient.organization_id", "=", "authorization.organization_id")
        .onRef("patient.public_id", "=", "authorization.patient_id"),
    )
    .leftJoin("authorization_pools as pool", (join) =>
      join
        .onRef("pool.organization_id", "=", "authorization.organization_id")
        .onRef("pool.public_id", "=", "authorization.authorization_pool_id"),
    )
    .leftJoin("payors as payor", (join) =>
      join
        .onRef("payor.organization_id", "=", "authorization.organization_id")
        .on((on) =>
          on(
            "payor.public_id",
            "=",
            on.fn.coalesce("pool.payor_id", "authorization.payor_id").$castTo<string>(),
          ),
        ),
    )
    .where("authorization.organization_id", "=", organizationId)
    .$if(patientId !== undefined, (query) =>
      query.where("authorization.patient_id", "=", patientId as string),
    )
    .$if(payorId !== undefined, (query) => query.where("payor.public_id", "=", payorId as string))
    .where((where) =>
      where.or([
        startsIn("sessions", organizationId, { from, to }),
        startsIn("encounters", organizationId, { from, to }),
      ]),
    )
    .select([
      "authorization.public_id as authorizationId",
      "authorization.authorization_number as authorizationNumber",
      "authorization.authorization_date as authorizedFrom",
      "authorization.authorization_expiration_date as authorizedTo",
      "pool.public_id as poolId",
      "payor.public_id as payorId",
      "payor.name as payorName",
      "patient.public_id as patientId",
      "patient.first_name as patientFirstName",
      "patient.last_name as patientLastName",
      "patient.internal_record_id as internalRecordId",
      "patient.time_zone as patientTimeZone",
      "authorization.service_line_id as serviceLinePublicId",
    ])
    .orderBy("authorization.patient_id")
    .orderBy("authorization.public_id")
    .execute();
}

/** Condition: a record of the authorization starts in the span. */
function startsIn(
  table: "sessions" | "encounters",
  organizationId: string,
  { from, to }: InstantRange,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from ${sql.table(table)} as record
    where record.organization_id = ${organizationId}
      and record.authorization_id = ${sql.ref("authorization.public_id")}
      and record.start_time >= ${from} and record.start_time <= ${to}
  )`;
}

interface RecordsOf extends InstantRange {
  organizationId: string;
  authorizationIds: readonly string[];
}

const ROWS_AT_A_TIME = 2_000;

/** Streams the encounters of authorizations in the span. */
export function streamEncounters(
  db: Db,
  { organizationId, authorizationIds, from, to }: RecordsOf,
) {
  const query = db
    .selectFrom("encounters")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("authorization_id", authorizationIds))
    .where("start_time", ">=", from)
    .where("start_time", "<=", to)
    .select(["authorization_id as authorizationId", "start_time as startTime", "units"]);
  return streamRows(db, query, ROWS_AT_A_TIME);
}

/** Streams the sessions of authorizations in the span, of any status. */
export function streamSessions(db: Db, { organizationId, authorizationIds, from, to }: RecordsOf) {
  const query = db
    .selectFrom("sessions")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("authorization_id", authorizationIds))
    .where("start_time", ">=", from)
    .where("start_time", "<=", to)
    .select(["authorization_id as authorizationId", "start_time as startTime", "status"])
    .$narrowType<{ authorizationId: string }>();
  return streamRows(db, query, ROWS_AT_A_TIME);
}
