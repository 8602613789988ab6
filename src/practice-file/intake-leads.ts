import { type Static, Type } from "@sinclair/typebox";
import {
  AddressTextField,
  EnumField,
  InstantField,
  ListField,
  PublicIdField,
  ShortTextField,
} from "../schema/fields.ts";
import { labelLinks, intakeLeadMap } from "../schema/intake-leads.ts";
import { exporter, storer } from "../schema/record-map.ts";
import { caregiverRelationships, RawAttribution } from "../intake-leads/model.ts";
import { exportPages, type RecordKind } from "./record-kind.ts";
import { linksOf } from "./repository.ts";

export const IntakeLeadRecord = Type.Object({
  type: Type.Literal("intakeLead"),
  publicId: PublicIdField(),
  clientId: PublicIdField(),
  caregiverId: PublicIdField(),
  relationship: EnumField(caregiverRelationships),
  stageId: Type.Optional(PublicIdField()),
  labelIds: Type.Optional(ListField(PublicIdField())),
  attribution: Type.Optional(RawAttribution),
  // It may be the name of a host.
  source: Type.Optional(AddressTextField()),
  channel: Type.Optional(ShortTextField()),
  campaign: Type.Optional(ShortTextField()),
  createdAt: Type.Optional(InstantField()),
});

export type IntakeLeadRecord = Static<typeof IntakeLeadRecord>;

const leadColumns = storer(intakeLeadMap);
const exportLead = exporter(intakeLeadMap, IntakeLeadRecord);

export const intakeLead: RecordKind<IntakeLeadRecord> = {
  check(record, line) {
    line.referToUser("clientId", record.clientId);
    line.referToUser("caregiverId", record.caregiverId);
    line.refer("stageId", "intakeStage", record.stageId);
    line.referToEach("labelIds", "intakeLabel", record.labelIds);
  },

  write(record, batch, _, { known, now }) {
    const earlier = known.facts("intakeLead", record.publicId);
    if (earlier !== undefined) batch.delete("intake_lead_labels", "lead_id", record.publicId);
    const createdAt = record.createdAt ?? earlier?.created_at ?? now;
    const row = leadColumns({ ...record, createdAt });
    batch.upsert("intake_leads", row);
    for (const label_id of new Set(record.labelIds))
      batch.insert("intake_lead_labels", { lead_id: record.publicId, label_id });
    return row;
  },

  export: exportPages("intake_leads", async (db, organizationId, leads) => {
    const ids = leads.map((lead) => lead.public_id);
    const labels = await linksOf(db, organizationId, labelLinks, ids);
    return leads.map((lead) => exportLead(lead, { labelIds: labels.get(lead.public_id) }));
  }),
};
