import { type Static, Type } from "@sinclair/typebox";
import { DiscriminatedUnion, EnumField, InstantField, PublicIdField } from "../../schema/fields.ts";
import { placesOfService, sessionStatuses } from "../../sessions/model.ts";

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
