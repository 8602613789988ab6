import { type Static, Type } from "@sinclair/typebox";
import { fromBit, type SessionRow } from "../../db/schema.ts";
import { DiscriminatedUnion, EnumField, InstantField, PublicIdField } from "../schema/fields.ts";
import { exporter, storer } from "../schema/record-map.ts";
import { encounterMap, sessionMap } from "../schema/sessions.ts";
import { placesOfService, sessionStatuses } from "../sessions/model.ts";
import { earlierVersion, type ImportContext } from "./import-context.ts";
import type { RecordLine } from "./record-line.ts";

/** Sessions, and the units that were delivered. */

const common = {
  type: Type.Literal("session"),
  publicId: PublicIdField(),
  title: Type.String(),
  status: EnumField(sessionStatuses),
  startTime: InstantField(),
  endTime: InstantField(),
  isSupervision: Type.Boolean(),
  isClientPresent: Type.Boolean(),
  placeOfService: EnumField(placesOfService),
  locationId: PublicIdField(),
  technicianId: Type.Optional(PublicIdField()),
  clientId: Type.Optional(PublicIdField()),
};

export const BillableSessionRecord = Type.Object({
  ...common,
  isBillable: Type.Literal(true),
  isTelehealth: Type.Boolean(),
  clinicianId: Type.Optional(PublicIdField()),
  providerLocationId: Type.Optional(PublicIdField()),
  services: PublicIdField({ description: "The billable service line that is rendered." }),
  authorizationId: Type.Optional(PublicIdField()),
});

export const NonBillableSessionRecord = Type.Object({
  ...common,
  isBillable: Type.Literal(false),
  nonBillableCode: PublicIdField(),
});

export const SessionRecord = DiscriminatedUnion("isBillable", [
  BillableSessionRecord,
  NonBillableSessionRecord,
]);

/** Units that were delivered. */
export const EncounterRecord = Type.Object({
  type: Type.Literal("encounter"),
  publicId: PublicIdField(),
  authorizationId: PublicIdField(),
  sessionId: Type.Optional(PublicIdField()),
  startTime: InstantField(),
  units: Type.Number({ minimum: 0 }),
});

export type BillableSessionRecord = Static<typeof BillableSessionRecord>;
export type NonBillableSessionRecord = Static<typeof NonBillableSessionRecord>;
export type SessionRecord = Static<typeof SessionRecord>;
export type EncounterRecord = Static<typeof EncounterRecord>;

const sessionColumns = storer(sessionMap);
const encounterColumns = storer(encounterMap);

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
  const row = sessionColumns(record);
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
  await statements.upsert("encounters", encounterColumns(record));
}

const exportBillable = exporter(sessionMap, BillableSessionRecord);
const exportNonBillable = exporter(sessionMap, NonBillableSessionRecord);

export function exportSession(row: SessionRow): object {
  return fromBit(row.is_billable) ? exportBillable(row) : exportNonBillable(row);
}

export const exportEncounter = exporter(encounterMap, EncounterRecord);
