import { toBit } from "../../../db/schema.ts";
import { earlierVersion, type ImportContext } from "../import-context.ts";
import type {
  BillableSessionRecord,
  EncounterRecord,
  NonBillableSessionRecord,
  SessionRecord,
} from "../model.ts";
import type { RecordLine } from "../record-line.ts";
import type { RowOf } from "../repository.ts";

export async function importSession(
  record: SessionRecord,
  line: RecordLine,
  context: ImportContext,
): Promise<void> {
  if (record.endTime < record.startTime) line.refuse("endTime", "Is before startTime");
  await line.refer("locationId", "location", record.locationId);
  await line.referToUser("technicianId", record.technicianId);
  await line.referToUser("clientId", record.clientId);
  if (record.isBillable) await checkBillable(record, line);
  else await line.refer("nonBillableCode", "nonBillableCode", record.nonBillableCode);
  if (!line.isSound) return;

  const { statements, known, rechecks } = context;
  const row = sessionRow(record);
  const earlier = await earlierVersion(context, "session", record.publicId);
  await statements.upsert("sessions", row);
  const boundTo = earlier?.authorization_id ?? null;
  if (boundTo !== null && boundTo !== row.authorization_id)
    rechecks.sessionRebound(record.publicId, line.number);
  known.remember("session", record.publicId, row);
}

async function checkBillable(record: BillableSessionRecord, line: RecordLine): Promise<void> {
  await line.referToUser("clinicianId", record.clinicianId);
  await line.refer("providerLocationId", "location", record.providerLocationId);
  await line.refer("services", "serviceLine", record.services);
  const id = record.authorizationId;
  const authorization = await line.refer("authorizationId", "authorization", id);
  if (authorization === undefined) return;
  if (authorization.patient_id !== record.clientId)
    line.refuse("authorizationId", `${id} is not an authorization of the session's client`);
  if (authorization.service_line_id !== record.services)
    line.refuse("services", `Is not the service line of ${id}`);
}

function sessionRow(record: SessionRecord): RowOf<"sessions"> {
  return {
    public_id: record.publicId,
    title: record.title,
    status: record.status,
    start_time: record.startTime,
    end_time: record.endTime,
    is_supervision: toBit(record.isSupervision),
    is_client_present: toBit(record.isClientPresent),
    place_of_service: record.placeOfService,
    location_id: record.locationId,
    technician_id: record.technicianId ?? null,
    client_id: record.clientId ?? null,
    is_billable: toBit(record.isBillable),
    ...(record.isBillable ? billableColumns(record) : nonBillableColumns(record)),
  };
}

function billableColumns(record: BillableSessionRecord) {
  return {
    is_telehealth: toBit(record.isTelehealth),
    clinician_id: record.clinicianId ?? null,
    provider_location_id: record.providerLocationId ?? null,
    service_line_id: record.services,
    non_billable_code_id: null,
    authorization_id: record.authorizationId ?? null,
  };
}

function nonBillableColumns(record: NonBillableSessionRecord) {
  return {
    is_telehealth: null,
    clinician_id: null,
    provider_location_id: null,
    service_line_id: null,
    non_billable_code_id: record.nonBillableCode,
    authorization_id: null,
  };
}

export async function importEncounter(
  record: EncounterRecord,
  line: RecordLine,
  { statements }: ImportContext,
): Promise<void> {
  const authorization = await line.refer(
    "authorizationId",
    "authorization",
    record.authorizationId,
  );
  const session = await line.refer("sessionId", "session", record.sessionId);
  if (
    authorization !== undefined &&
    session !== undefined &&
    session.authorization_id !== record.authorizationId
  )
    line.refuse("sessionId", `${record.sessionId} is not bound to ${record.authorizationId}`);
  if (!line.isSound) return;
  await statements.upsert("encounters", {
    public_id: record.publicId,
    authorization_id: record.authorizationId,
    session_id: record.sessionId ?? null,
    start_time: record.startTime,
    units: record.units,
  });
}
