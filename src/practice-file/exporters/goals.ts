import type { Db } from "../../../db/connect.ts";
import type { GoalRow } from "../../../db/schema.ts";
import type { Goal } from "../../goals/model.ts";
import { presentGoals } from "../../goals/present.ts";
import { readGoalRows } from "../../goals/repository.ts";
import { compact, type Fields, optional } from "./compact.ts";

/** Goals with all goals below them and all that was recorded: as the API shows them, and what it does not show. */
export async function goalsFields(
  db: Db,
  organizationId: string,
  goals: GoalRow[],
): Promise<Fields[]> {
  const ids = goals.map((goal) => goal.public_id);
  const presented = presentGoals(await readGoalRows(db, organizationId, ids), ids);
  return goals.map((row, index) => {
    const { publicId, ...fields } = entryFields(presented[index] as Goal);
    return compact({
      type: "goal",
      publicId,
      treatmentPlanId: row.treatment_plan_id,
      ...fields,
      // Of rating and interval goals the API does not answer them; the others have them by now.
      baselineDate: row.baseline_date,
      targetAchievementDate: row.target_achievement_date,
    });
  });
}

/** A goal or a child goal without what says where it belongs: `type` names the record, so the kind has another name. */
function entryFields({ type, publicId, ...fields }: Goal): Fields {
  const entry: Fields = { publicId, goalType: type, ...fields };
  for (const list of RECORDED_LISTS)
    if (list in entry) entry[list] = optional(entry[list] as unknown[] | null);
  if ("childGoals" in fields) entry.childGoals = optional(fields.childGoals.map(entryFields));
  return entry;
}

const RECORDED_LISTS = ["behaviorInstances", "skillTrials", "ratingInstances", "intervalSets"];
