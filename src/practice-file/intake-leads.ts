import { type Static, Type } from "@sinclair/typebox";
import {
  AddressTextField,
  EnumField,
  InstantField,
  ListField,
  PublicIdField,
  ShortTextField,
} from "../schema/fields.ts";
import { intakeLeadMap } from "../schema/intake-leads.ts";
import { exporter, storer } from "../schema/record-map.ts";
import { sortedSet } from "../lib/text.ts";
import { caregiverRelationships, RawAttribution } from "../intake-leads/model.ts";
import type { RecordKind } from "./record-kind.ts";

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

const leadColumns = storer(intakeLeadMap);
const presentLead = exporter(intakeLeadMap, IntakeLeadRecord);

export const intakeLead: RecordKind<IntakeLeadRecord> = {
  table: "intake_leads",
  lists: [{ table: "intake_lead_labels", owner: "lead_id", order: ["label_id"] }],
  facts: [],

  rows(record, { organizationId, now }) {
    const own = { organization_id: organizationId };
    const { publicId, createdAt = now } = record;
    const labels = sortedSet(record.labelIds);
    return {
      row: { ...own, ...leadColumns({ ...record, createdAt }) },
      lists: {
        intake_lead_labels: labels.map((label_id) => ({ ...own, lead_id: publicId, label_id })),
      },
    };
  },

  present: ({ row, lists }) =>
    presentLead(row as never, {
      labelIds: lists.intake_lead_labels?.map(({ label_id }) => label_id),
    }),
};
