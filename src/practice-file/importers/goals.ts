import { deleteGoalRow, insertGoalRows } from "../../goals/repository.ts";
import { addGoal, noGoalRows } from "../../goals/rows.ts";
import { earlierVersion, type ImportContext } from "../import-context.ts";
import type { GoalRecord, TreatmentPlanRecord } from "../model.ts";
import type { RecordLine } from "../record-line.ts";
import { checkGoalTree, goalIds } from "./goal-rules.ts";

export async function importTreatmentPlan(
  record: TreatmentPlanRecord,
  line: RecordLine,
  { statements, known }: ImportContext,
): Promise<void> {
  await line.referToUser("patientId", record.patientId);
  if (!line.isSound) return;
  await statements.upsert("treatment_plans", {
    public_id: record.publicId,
    patient_id: record.patientId,
    name: record.name ?? null,
  });
  known.remember("treatmentPlan", record.publicId, {});
}

/**
 * Writes a goal with its child goals and all that was recorded on any of them. What an earlier version had of
 * these is replaced; a child that was another goal's, or nobody's, moves here.
 */
export async function importGoal(
  record: GoalRecord,
  line: RecordLine,
  context: ImportContext,
): Promise<void> {
  await line.refer("treatmentPlanId", "treatmentPlan", record.treatmentPlanId);
  await checkGoalTree(record, line, context.statements);
  if (!line.isSound) return;

  const { organizationId, statements, now } = context;
  const earlier = await earlierVersion(context, "goal", record.publicId);
  if (!context.isNewOrganization)
    for (const public_id of goalIds(record))
      await deleteGoalRow(statements.trx, { organization_id: organizationId, public_id });
  const rows = noGoalRows();
  const place = {
    organizationId,
    treatmentPlanId: record.treatmentPlanId,
    parentGoalId: null,
    // Only an update through the API gives a place among others to a goal that is nobody's child.
    orderAmongSiblings: earlier?.order_among_siblings ?? 0,
  };
  addGoal(rows, record, place, now);
  await insertGoalRows(statements.trx, rows);
}
