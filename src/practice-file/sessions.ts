import { type Static, Type } from "@sinclair/typebox";
import { EnumField, InstantField, PublicIdField, ShortTextField } from "../schema/fields.ts";
import { encounterMap, sessionMap } from "../schema/sessions.ts";
import { placesOfService, sessionStatuses } from "../sessions/model.ts";
import { plainKind } from "./record-kind.ts";

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

const BillableSessionRecord = Type.Object({
  ...common,
  isBillable: Type.Literal(true),
  isTelehealth: Type.Boolean(),
  clinicianId: Type.Optional(PublicIdField()),
  providerLocationId: Type.Optional(PublicIdField()),
  services: PublicIdField(),
  authorizationId: Type.Optional(PublicIdField()),
});

const NonBillableSessionRecord = Type.Object({
  ...common,
  isBillable: Type.Literal(false),
  nonBillableCode: PublicIdField(),
});

/** Delivered units. */
export const EncounterRecord = Type.Object({
  type: Type.Literal("encounter"),
  publicId: PublicIdField(),
  authorizationId: PublicIdField(),
  sessionId: Type.Optional(PublicIdField()),
  startTime: InstantField(),
  units: Type.Number({ minimum: 0 }),
});

export type SessionRecord = Static<typeof BillableSessionRecord | typeof NonBillableSessionRecord>;
export type EncounterRecord = Static<typeof EncounterRecord>;

export const session = plainKind(sessionMap, [BillableSessionRecord, NonBillableSessionRecord], {
  discriminator: "isBillable",
  check(record, refuse) {
    if (record.endTime < record.startTime)
      refuse({ path: ["endTime"], message: "is before startTime", value: record.endTime });
  },
});

export const encounter = plainKind(encounterMap, [EncounterRecord]);
