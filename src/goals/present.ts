import type { GoalMetricRow, GoalRow } from "../../db/schema.ts";
import { goalMap, metricMap, recordedMaps } from "../schema/goals.ts";
import { presenter } from "../schema/record-map.ts";
import type { Goal } from "./model.ts";
import type { GoalType } from "./models/common.ts";
import { BehaviorInstance, FrequencyDurationGoal } from "./models/frequency-duration.ts";
import { IntervalGoal, IntervalSet } from "./models/interval.ts";
import { Metric, OpportunityMetric } from "./models/metric.ts";
import { OpportunityGoal, SkillTrial } from "./models/opportunity.ts";
import { RatingGoal, RatingInstance } from "./models/rating.ts";
import { type GoalSummary, goalSummaries } from "./models/summary.ts";
import { type GoalRows, type RecordedList, recordedLists } from "./rows.ts";

/** The functions that build goals from rows, for one output format: the API or the practice file. */
export interface GoalShape<Shaped> {
  goals: Record<GoalType, FromGoalRow<Shaped>>;
  childGoal: FromGoalRow<Shaped>;
  metric(metric: GoalMetricRow, goal: GoalRow): object;
  recorded: Record<RecordedList, (row: never) => object>;
  /** The representation of an empty list. */
  noElements(list: RecordedList | "childGoals"): [] | null | undefined;
}

/** Builds a goal from its row and, in addition, its metrics, children and recorded data. */
type FromGoalRow<Shaped> = (row: GoalRow, beside: never) => Shaped;

const shown: GoalShape<Goal> = {
  goals: {
    frequency_duration: presenter(goalMap, FrequencyDurationGoal),
    opportunity: presenter(goalMap, OpportunityGoal),
    rating: presenter(goalMap, RatingGoal),
    interval: presenter(goalMap, IntervalGoal),
  },
  childGoal: presenter(goalMap, OpportunityGoal),
  metric: (metric, { type }) =>
    type === "opportunity" || metric.unit === "PERCENTAGE"
      ? presentOpportunityMetric(metric)
      : presentMetric(metric),
  recorded: {
    behaviorInstances: presenter(recordedMaps.behaviorInstances, BehaviorInstance),
    skillTrials: presenter(recordedMaps.skillTrials, SkillTrial),
    ratingInstances: presenter(recordedMaps.ratingInstances, RatingInstance),
    intervalSets: presenter(recordedMaps.intervalSets, IntervalSet),
  },
  noElements: (list) => (list === "behaviorInstances" ? null : []),
};

const presentMetric = presenter(metricMap, Metric);
/** Omits frequency and observation period. */
const presentOpportunityMetric = presenter(metricMap, OpportunityMetric);

const summaries: Record<GoalType, FromGoalRow<GoalSummary>> = {
  frequency_duration: presenter(goalMap, goalSummaries.frequency_duration),
  opportunity: presenter(goalMap, goalSummaries.opportunity),
  rating: presenter(goalMap, goalSummaries.rating),
  interval: presenter(goalMap, goalSummaries.interval),
};

/** A goal of a list. */
export function presentSummary(
  goal: GoalRow,
  metrics: readonly GoalMetricRow[] = [],
  childGoalIds: readonly string[] = [],
): GoalSummary {
  const beside = { childGoalIds, ...metricFields(goal, metrics, shown) };
  return summaries[goal.type as GoalType](goal, beside as never);
}

/** The goals with the given ids in the API's format, in the order of the ids. */
export function presentGoals(rows: GoalRows, ids: readonly string[]): Goal[] {
  return shapeGoals(rows, ids, shown);
}

/** The goals with the given ids in a given format, in the order of the ids, each with its descendants. */
export function shapeGoals<Shaped>(
  rows: GoalRows,
  ids: readonly string[],
  shape: GoalShape<Shaped>,
): Shaped[] {
  const goals = new Map(rows.goals.map((goal) => [goal.public_id, goal]));
  const children = Map.groupBy(rows.goals, (goal) => goal.parent_goal_id);
  const metrics = Map.groupBy(rows.metrics, ofGoal);
  const recorded = recordedLists.map((list) => ({
    list,
    entries: Map.groupBy<string, { goal_id: string }>(rows.recorded[list], ofGoal),
  }));

  function shaped(goal: GoalRow, fromRow: FromGoalRow<Shaped>): Shaped {
    const id = goal.public_id;
    const beside: Record<string, unknown> = {
      childGoals:
        children.get(id)?.map((child) => shaped(child, shape.childGoal)) ??
        shape.noElements("childGoals"),
      ...metricFields(goal, metrics.get(id) ?? [], shape),
    };
    for (const { list, entries } of recorded)
      beside[list] =
        entries.get(id)?.map((entry) => shape.recorded[list](entry as never)) ??
        shape.noElements(list);
    // Each type's function picks the fields of its schema.
    return fromRow(goal, beside as never);
  }

  return ids.flatMap((id) => {
    const goal = goals.get(id);
    return goal === undefined ? [] : [shaped(goal, shape.goals[goal.type as GoalType])];
  });
}

function metricFields(
  goal: GoalRow,
  metrics: readonly GoalMetricRow[],
  shape: Pick<GoalShape<unknown>, "metric">,
): Record<string, object> {
  return Object.fromEntries(
    metrics.map((metric) => [`${metric.purpose}Metric`, shape.metric(metric, goal)]),
  );
}

function ofGoal(row: { goal_id: string }): string {
  return row.goal_id;
}
