import { earlierVersion, type ImportContext } from "../import-context.ts";
import type { IntakeLeadRecord } from "../model.ts";
import type { RecordLine } from "../record-line.ts";

export async function importIntakeLead(
  record: IntakeLeadRecord,
  line: RecordLine,
  context: ImportContext,
): Promise<void> {
  const { statements, now } = context;
  await line.referToUser("clientId", record.clientId);
  await line.referToUser("caregiverId", record.caregiverId);
  await line.refer("stageId", "intakeStage", record.stageId);
  await line.referToEach("labelIds", "intakeLabel", record.labelIds);
  if (!line.isSound) return;

  const earlier = await earlierVersion(context, "intakeLead", record.publicId);
  if (earlier !== undefined)
    await statements.deleteOwned("intake_lead_labels", "lead_id", record.publicId);
  await statements.upsert("intake_leads", {
    public_id: record.publicId,
    client_id: record.clientId,
    caregiver_id: record.caregiverId,
    relationship: record.relationship,
    stage_id: record.stageId ?? null,
    attribution: record.attribution === undefined ? null : JSON.stringify(record.attribution),
    source: record.source ?? null,
    channel: record.channel ?? null,
    campaign: record.campaign ?? null,
    created_at: record.createdAt ?? earlier?.created_at ?? now,
  });
  for (const label_id of new Set(record.labelIds))
    await statements.insert("intake_lead_labels", { lead_id: record.publicId, label_id });
}
