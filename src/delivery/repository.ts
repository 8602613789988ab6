import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { Db } from "../../db/database.ts";
import { byEngine } from "../../db/engine.ts";
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
    .where(hasRecordIn({ organizationId, from, to }))
    .select("authorization.public_id as publicId")
    .orderBy("authorization.patient_id")
    .orderBy("authorization.public_id")
    .execute();
  return rows.map(({ publicId }) => publicId);
}

/** Condition: a session or encounter of the authorization starts in the span. */
function hasRecordIn({ organizationId, from, to }: DeliveryScope): RawBuilder<SqlBool> {
  const records = (table: "sessions" | "encounters") => sql`
    select record.authorization_id from ${sql.table(table)} as record
    where record.organization_id = ${organizationId}
      and record.start_time >= ${from} and record.start_time <= ${to}`;
  const id = sql.ref("authorization.public_id");
  const ofAuthorization = sql`and record.authorization_id = ${id}`;
  return byEngine<SqlBool>({
    // SQLite looks each authorization up. PostgreSQL expects the first record of a table to be one of the authorization's,
    // if most are of one, and would read all records for each.
    sqlite: sql`(exists (${records("sessions")} ${ofAuthorization})
      or exists (${records("encounters")} ${ofAuthorization}))`,
    postgresql: sql`${id} in (${records("sessions")} union all ${records("encounters")})`,
  });
}
