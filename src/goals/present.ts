import type { TObject } from "@sinclair/typebox";
import { inForm } from "../schema/record-map.ts";
import { type Fields, type GoalDocument, isPlain, metricsOf } from "./document.ts";
import type { Goal } from "./model.ts";
import type { GoalType } from "./models/common.ts";
import { FrequencyDurationGoal } from "./models/frequency-duration.ts";
import { IntervalGoal } from "./models/interval.ts";
import { Metric, OpportunityMetric } from "./models/metric.ts";
import { OpportunityGoal } from "./models/opportunity.ts";
import { RatingGoal } from "./models/rating.ts";
import { type GoalSummary, goalSummaries } from "./models/summary.ts";

const goals = {
  frequency_duration: FrequencyDurationGoal,
  opportunity: OpportunityGoal,
  rating: RatingGoal,
  interval: IntervalGoal,
} as const satisfies Record<GoalType, unknown>;

/** A goal or child goal in the API's format. Recorded data are as in an export. */
export function presentGoal(goal: GoalDocument): Goal {
  const shown = presented(goals[goal.goalType], goal);
  if (goal.childGoals !== undefined) shown.childGoals = goal.childGoals.map(presentGoal);
  const { behaviorInstances } = shown;
  if (Array.isArray(behaviorInstances) && behaviorInstances.length === 0)
    shown.behaviorInstances = null;
  return shown as unknown as Goal;
}

/** A goal of a list. */
export function presentSummary(goal: GoalDocument, childGoalIds: readonly string[]): GoalSummary {
  const shown = presented(goalSummaries[goal.goalType], { ...goal, childGoalIds });
  return shown as unknown as GoalSummary;
}

function presented(schema: TObject, goal: Fields & Pick<GoalDocument, "goalType">): Fields {
  const shown = inForm(schema, goal);
  for (const [name, metric] of metricsOf(shown))
    shown[name] = inForm(isPlain(metric, goal.goalType) ? OpportunityMetric : Metric, metric);
  return shown;
}
