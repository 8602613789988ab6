import { type Static, Type } from "@sinclair/typebox";
import { type Bit, fromBit } from "../../db/schema.ts";
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
import { plainKind } from "./plain-kind.ts";
import type { RecordKind } from "./record-kind.ts";

/** Sessions and encounters. */

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
  services: PublicIdField({ description: "The billable service line." }),
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

/** Delivered units. */
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
const presentBillable = exporter(sessionMap, BillableSessionRecord);
const presentNonBillable = exporter(sessionMap, NonBillableSessionRecord);

export const session: RecordKind<SessionRecord> = {
  table: "sessions",
  lists: [],
  facts: ["authorization_id"],

  check(record, refuse) {
    if (record.endTime < record.startTime)
      refuse({ path: ["endTime"], message: "is before startTime", value: record.endTime });
  },

  agree(record, named, refuse) {
    if (!record.isBillable) return;
    const authorization = named("authorization", record.authorizationId);
    if (authorization === undefined) return;
    if (authorization.patient_id !== record.clientId)
      refuse({
        path: ["authorizationId"],
        message: "is no authorization of the session's client",
        value: record.authorizationId,
      });
    if (authorization.service_line_id !== record.services)
      refuse({
        path: ["services"],
        message: "is not the service line of the session's authorization",
        value: record.services,
      });
  },

  rows: (record, { organizationId }) => ({
    row: { organization_id: organizationId, ...sessionColumns(record) },
    lists: {},
  }),

  present: ({ row }) =>
    fromBit(row.is_billable as Bit)
      ? presentBillable(row as never)
      : presentNonBillable(row as never),
};

export const encounter = plainKind(encounterMap, EncounterRecord, {
  agree(record, named, refuse) {
    const session = named("session", record.sessionId);
    if (session !== undefined && session.authorization_id !== record.authorizationId)
      refuse({
        path: ["sessionId"],
        message: "is no session of the encounter's authorization",
        value: record.sessionId,
      });
  },
});
