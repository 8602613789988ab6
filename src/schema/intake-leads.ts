import { field, json, recordMap } from "./record-map.ts";

export const intakeLeadMap = recordMap("intake_leads", {
  publicId: field("public_id"),
  clientId: field("client_id"),
  caregiverId: field("caregiver_id"),
  relationship: field("relationship"),
  stageId: field("stage_id"),
  attribution: field("attribution", json),
  source: field("source"),
  channel: field("channel"),
  campaign: field("campaign"),
  createdAt: field("created_at"),
});

/** The link table of a lead's labels. */
export const labelLinks = {
  table: "intake_lead_labels",
  owner: "lead_id",
  linked: "label_id",
} as const;
