import { toBit } from "../../../db/schema.ts";
import { earlierVersion, type ImportContext } from "../import-context.ts";
import type { AuthorizationPoolRecord, AuthorizationRecord } from "../model.ts";
import type { RecordLine } from "../record-line.ts";

export async function importAuthorizationPool(
  record: AuthorizationPoolRecord,
  line: RecordLine,
  context: ImportContext,
): Promise<void> {
  const { statements, known, rechecks } = context;
  await line.referToUser("patientId", record.patientId);
  await line.refer("payorId", "payor", record.payorId);
  if ((await known.find("authorization", record.publicId)) !== undefined)
    line.refuse("publicId", "Is the id of an authorization, and a pool needs its own");
  if (!line.isSound) return;

  const earlier = await earlierVersion(context, "authorizationPool", record.publicId);
  if (earlier !== undefined && earlier.patient_id !== record.patientId) {
    // Its members may follow further down; until then they can be in no pool of another patient.
    const members = await statements.releasePoolMembers(record.publicId);
    rechecks.poolMembersReleased(members, { line: line.number, pool: record.publicId });
  }
  const row = {
    public_id: record.publicId,
    patient_id: record.patientId,
    payor_id: record.payorId,
    total_units: record.totalUnits,
    unit_frequency: record.unitFrequency,
    is_unlimited: toBit(record.isUnlimited),
  };
  await statements.upsert("authorization_pools", row);
  known.remember("authorizationPool", record.publicId, row);
}

export async function importAuthorization(
  record: AuthorizationRecord,
  line: RecordLine,
  context: ImportContext,
): Promise<void> {
  const { statements, known, rechecks } = context;
  await checkAuthorization(record, line);
  if ((await known.find("authorizationPool", record.publicId)) !== undefined)
    line.refuse("publicId", "Is the id of a pool, and an authorization needs its own");
  if (!line.isSound) return;

  const row = {
    public_id: record.publicId,
    patient_id: record.patientId,
    authorization_pool_id: record.authorizationPoolId ?? null,
    authorization_number: record.authorizationNumber,
    authorization_status: record.authorizationStatus,
    authorized_units_quantity: record.authorizedUnitsQuantity ?? null,
    authorized_unit_frequency: record.authorizedUnitFrequency ?? null,
    service_line_id: record.serviceLineId,
    authorization_date: record.authorizationDate,
    authorization_expiration_date: record.authorizationExpirationDate,
  };
  const earlier = await earlierVersion(context, "authorization", record.publicId);
  await statements.upsert("authorizations", row);
  if (
    earlier !== undefined &&
    (earlier.patient_id !== row.patient_id || earlier.service_line_id !== row.service_line_id)
  )
    rechecks.authorizationChanged(record.publicId, line.number);
  known.remember("authorization", record.publicId, row);
}

async function checkAuthorization(record: AuthorizationRecord, line: RecordLine): Promise<void> {
  await line.referToUser("patientId", record.patientId);
  const pool = await line.refer(
    "authorizationPoolId",
    "authorizationPool",
    record.authorizationPoolId,
  );
  if (pool !== undefined && pool.patient_id !== record.patientId)
    line.refuse(
      "authorizationPoolId",
      `${record.authorizationPoolId} is a pool of another patient`,
    );
  if (record.authorizationPoolId === undefined) {
    for (const field of ["authorizedUnitsQuantity", "authorizedUnitFrequency"] as const)
      if (record[field] === undefined)
        line.refuse(field, "Required of an authorization that is in no pool");
  }
  await line.refer("serviceLineId", "serviceLine", record.serviceLineId);
  if (record.authorizationExpirationDate < record.authorizationDate)
    line.refuse("authorizationExpirationDate", "Is before authorizationDate");
}
