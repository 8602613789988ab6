import type { Db } from "../../../db/database.ts";
import type { GoalRow } from "../../../db/schema.ts";
import { type GoalShape, shapeGoals } from "../../goals/present.ts";
import { readGoalRows } from "../../goals/repository.ts";
import { goalMap, metricMap, recordedMaps } from "../../schema/goals.ts";
import { exporter } from "../../schema/record-map.ts";
import {
  BehaviorInstanceEntry,
  ChildGoalEntry,
  FrequencyDurationGoalRecord,
  IntervalGoalRecord,
  IntervalSetEntry,
  MetricEntry,
  OpportunityGoalRecord,
  RatingEntry,
  RatingGoalRecord,
  SkillTrialEntry,
} from "../model.ts";

const written: GoalShape<object> = {
  goals: {
    frequency_duration: exporter(goalMap, FrequencyDurationGoalRecord),
    opportunity: exporter(goalMap, OpportunityGoalRecord),
    rating: exporter(goalMap, RatingGoalRecord),
    interval: exporter(goalMap, IntervalGoalRecord),
  },
  childGoal: exporter(goalMap, ChildGoalEntry),
  metric: exporter(metricMap, MetricEntry),
  recorded: {
    behaviorInstances: exporter(recordedMaps.behaviorInstances, BehaviorInstanceEntry),
    skillTrials: exporter(recordedMaps.skillTrials, SkillTrialEntry),
    ratingInstances: exporter(recordedMaps.ratingInstances, RatingEntry),
    intervalSets: exporter(recordedMaps.intervalSets, IntervalSetEntry),
  },
  noElements: () => undefined,
};

/** Goals with all goals below them and all that was recorded on any of these. */
export async function exportGoals(
  db: Db,
  organizationId: string,
  goals: GoalRow[],
): Promise<object[]> {
  const ids = goals.map((goal) => goal.public_id);
  return shapeGoals(await readGoalRows(db, organizationId, ids), ids, written);
}
