import { type Static, Type } from "@sinclair/typebox";
import { fromBit } from "../../db/schema.ts";
import {
  DiscriminatedUnion,
  EnumField,
  InstantField,
  PublicIdField,
  ShortTextField,
} from "../schema/fields.ts";
import { exporter, storer } from "../schema/record-map.ts";
import { encounterMap, sessionMap } from "../schema/sessions.ts";
import { placesOfService, sessionStatuses } from "../sessions/model.ts";
import { exportRows, type RecordKind } from "./record-kind.ts";
import type { RecordLine } from "./record-line.ts";

/** Sessions, and the units that were delivered. */

const common = {
  type: Type.Literal("session"),
  publicId: PublicIdField(),
  title: ShortTextField(),
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
const exportBillable = exporter(sessionMap, BillableSessionRecord);
const exportNonBillable = exporter(sessionMap, NonBillableSessionRecord);

export const session: RecordKind<SessionRecord> = {
  check(record, line) {
    if (record.endTime < record.startTime) line.refuse("endTime", "Is before startTime");
    line.refer("locationId", "location", record.locationId);
    line.referToUser("technicianId", record.technicianId);
    line.referToUser("clientId", record.clientId);
    if (record.isBillable) checkBillable(record, line);
    else line.refer("nonBillableCode", "nonBillableCode", record.nonBillableCode);
  },

  write(record, batch, line, { known, late }) {
    const row = sessionColumns(record);
    const boundTo = known.facts("session", record.publicId)?.authorization_id ?? null;
    if (boundTo !== null && boundTo !== row.authorization_id)
      late.sessionRebound(record.publicId, line.number);
    batch.upsert("sessions", row);
    return row;
  },

  export: exportRows("sessions", (row) =>
    fromBit(row.is_billable) ? exportBillable(row) : exportNonBillable(row),
  ),
};

function checkBillable(record: BillableSessionRecord, line: RecordLine): void {
  line.referToUser("clinicianId", record.clinicianId);
  line.refer("providerLocationId", "location", record.providerLocationId);
  line.refer("services", "serviceLine", record.services);
  const id = record.authorizationId;
  const authorization = line.refer("authorizationId", "authorization", id);
  if (authorization === undefined) return;
  if (authorization.patient_id !== record.clientId)
    line.refuse(
      "authorizationId",
      `${id} is not an authorization of the session's client`,
      "Is not an authorization of the session's client",
    );
  if (authorization.service_line_id !== record.services)
    line.refuse(
      "services",
      `Is not the service line of ${id}`,
      "Is not the service line of the authorization",
    );
}

const encounterColumns = storer(encounterMap);

export const encounter: RecordKind<EncounterRecord> = {
  check(record, line) {
    const { authorizationId, sessionId } = record;
    const authorization = line.refer("authorizationId", "authorization", authorizationId);
    const bound = line.refer("sessionId", "session", sessionId);
    if (authorization === undefined || bound === undefined) return;
    if (bound.authorization_id !== authorizationId)
      line.refuse(
        "sessionId",
        `${sessionId} is not bound to ${authorizationId}`,
        "Is not bound to the encounter's authorization",
      );
  },

  write(record, batch) {
    const row = encounterColumns(record);
    batch.upsert("encounters", row);
    return row;
  },

  export: exportRows("encounters", exporter(encounterMap, EncounterRecord)),
};
