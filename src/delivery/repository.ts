import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Db } from "../../db/database.ts";
import { byId } from "../../db/join.ts";
import type { InstantRange } from "../lib/time-zone.ts";
import { payorOfUnits } from "../utilization/repository.ts";

/** The filter of a delivery report, and the span of its records. */
export interface DeliveryScope extends InstantRange {
  organizationId: string;
  patientId?: string | undefined;
  payorId?: string | undefined;
}

/** The ids of authorizations with a session or encounter in the span, ordered by patient, then id. */
export async function listAuthorizationIds(
  db: Db,
  { organizationId, patientId, payorId, from, to }: DeliveryScope,
): Promise<string[]> {
  const rows = await db
    .selectFrom("authorizations as authorization")
    .leftJoin("authorization_pools as pool", byId("pool", "authorization.authorization_pool_id"))
    .where("authorization.organization_id", "=", organizationId)
    .$if(patientId !== undefined, (query) =>
      query.where("authorization.patient_id", "=", patientId as string),
    )
    .$if(payorId !== undefined, (query) => query.where(payorOfUnits, "=", payorId as string))
    .where((where) =>
      where.or([
        startsIn("sessions", organizationId, { from, to }),
        startsIn("encounters", organizationId, { from, to }),
      ]),
    )
    .select("authorization.public_id as publicId")
    .orderBy("authorization.patient_id")
    .orderBy("authorization.public_id")
    .execute();
  return rows.map(({ publicId }) => publicId);
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
