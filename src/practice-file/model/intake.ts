import { type Static, Type } from "@sinclair/typebox";
import { EnumField, InstantField, PublicIdField } from "../../schema/fields.ts";
import { caregiverRelationships, RawAttribution } from "../../intake-leads/model.ts";

export const IntakeLeadRecord = Type.Object({
  type: Type.Literal("intakeLead"),
  publicId: PublicIdField(),
  clientId: PublicIdField(),
  caregiverId: PublicIdField(),
  relationship: EnumField(caregiverRelationships),
  stageId: Type.Optional(PublicIdField()),
  labelIds: Type.Optional(Type.Array(PublicIdField())),
  attribution: Type.Optional(RawAttribution),
  source: Type.Optional(Type.String()),
  channel: Type.Optional(Type.String()),
  campaign: Type.Optional(Type.String()),
  createdAt: Type.Optional(InstantField()),
});

export type IntakeLeadRecord = Static<typeof IntakeLeadRecord>;
