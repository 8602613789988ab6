import { type Static, Type } from "@sinclair/typebox";
import {
  AddressTextField,
  EnumField,
  InstantField,
  ListField,
  PublicIdField,
  ShortTextField,
} from "../../schema/fields.ts";
import { intakeLeadMap, labelLinks } from "../../schema/intake-leads.ts";
import { caregiverRelationships, RawAttribution } from "../../intake-leads/model.ts";
import { plainKind } from "./record-kind.ts";

export const IntakeLeadRecord = Type.Object({
  type: Type.Literal("intakeLead"),
  publicId: PublicIdField(),
  clientId: PublicIdField(),
  caregiverId: PublicIdField(),
  relationship: EnumField(caregiverRelationships),
  stageId: Type.Optional(PublicIdField()),
  labelIds: Type.Optional(ListField(PublicIdField())),
  attribution: Type.Optional(RawAttribution),
  // May be a host name, so it is not a short text.
  source: Type.Optional(AddressTextField()),
  channel: Type.Optional(ShortTextField()),
  campaign: Type.Optional(ShortTextField()),
  createdAt: Type.Optional(InstantField()),
});

export type IntakeLeadRecord = Static<typeof IntakeLeadRecord>;

export const intakeLead = plainKind(intakeLeadMap, [IntakeLeadRecord], {
  links: { labelIds: labelLinks },
});
