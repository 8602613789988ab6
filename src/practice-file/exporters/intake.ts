import type { Db } from "../../../db/database.ts";
import type { IntakeLeadRow } from "../../../db/schema.ts";
import { labelsOf } from "../export-repository.ts";
import { compact, type Fields, optional } from "./compact.ts";

export async function intakeLeadsFields(
  db: Db,
  organizationId: string,
  leads: IntakeLeadRow[],
): Promise<Fields[]> {
  const ids = leads.map((lead) => lead.public_id);
  const labels = Map.groupBy(await labelsOf(db, organizationId, ids), (link) => link.lead_id);
  return leads.map((lead) =>
    compact({
      type: "intakeLead",
      publicId: lead.public_id,
      clientId: lead.client_id,
      caregiverId: lead.caregiver_id,
      relationship: lead.relationship,
      stageId: lead.stage_id,
      labelIds: optional(labels.get(lead.public_id)?.map((link) => link.label_id)),
      attribution: JSON.parse(lead.attribution ?? "null"),
      source: lead.source,
      channel: lead.channel,
      campaign: lead.campaign,
      createdAt: lead.created_at,
    }),
  );
}
