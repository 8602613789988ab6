import type { GoalMetricRow, GoalRow, Schema } from "../../db/schema.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { goalMap, metricMap, recordedMaps } from "../schema/goals.ts";
import { storer, updater } from "../schema/record-map.ts";
import type { GoalType } from "./models/common.ts";
import { metricPurposes, type MetricPurpose, type MetricUpdate } from "./models/metric.ts";

/** From goals as they come in, through the API or in a practice file, to rows; `present.ts` goes the other way. */

/** Goals and all that hangs on them: siblings in their order, records in the order of time. */
export interface GoalRows {
  goals: GoalRow[];
  metrics: GoalMetricRow[];
  recorded: { [Name in RecordedList]: Schema[(typeof recordedMaps)[Name]["table"]][] };
}

/** The lists of what is recorded on goals, each of one kind of goal. */
export type RecordedList = keyof typeof recordedMaps;
export const recordedLists = Object.keys(recordedMaps) as RecordedList[];

const goalColumns = storer(goalMap);
const metricColumns = storer(metricMap);
const recordedColumns = {
  behaviorInstances: storer(recordedMaps.behaviorInstances),
  skillTrials: storer(recordedMaps.skillTrials),
  ratingInstances: storer(recordedMaps.ratingInstances),
  intervalSets: storer(recordedMaps.intervalSets),
};

type GoalFields = Parameters<typeof goalColumns>[0];

/** A goal that is to be stored: what its row holds, its metrics, its children, and what was recorded on it. */
export type StorableGoal = GoalFields & {
  [Field in `${MetricPurpose}Metric`]?: Parameters<typeof metricColumns>[0];
} & {
  [Name in RecordedList]?: readonly Parameters<(typeof recordedColumns)[Name]>[0][] | undefined;
} & {
  goalType: GoalType;
  childGoals?: readonly Omit<StorableGoal, "goalType">[] | null | undefined;
};

/** Where a goal goes. */
export interface Place {
  organizationId: string;
  treatmentPlanId: string;
  parentGoalId: string | null;
  orderAmongSiblings: number;
}

export function noGoalRows(): GoalRows {
  return {
    goals: [],
    metrics: [],
    recorded: { behaviorInstances: [], skillTrials: [], ratingInstances: [], intervalSets: [] },
  };
}

/**
 * Adds the rows of a goal and of all that it consists of, and answers the goal's own. A goal or a metric without an id
 * gets a new one; a child's place in its list is its order among its siblings, unless it
 * gives another.
 */
export function addGoal(rows: GoalRows, goal: StorableGoal, place: Place, now: Instant): GoalRow {
  const { organizationId, treatmentPlanId } = place;
  const publicId = goal.publicId ?? newPublicId("goal_", epochMilliseconds(now));
  const row = {
    organization_id: organizationId,
    ...goalColumns({ ...goal, ...place, publicId }),
  };
  rows.goals.push(row);
  const owner = { organization_id: organizationId, goal_id: publicId };
  for (const purpose of metricPurposes) {
    const metric = goal[`${purpose}Metric`];
    if (metric !== undefined) rows.metrics.push(newMetricRow(owner, purpose, metric, now));
  }
  for (const name of recordedLists)
    for (const entry of goal[name] ?? [])
      rows.recorded[name].push({ ...owner, ...recordedColumns[name](entry as never) } as never);
  for (const [index, child] of (goal.childGoals ?? []).entries()) {
    const orderAmongSiblings = child.orderAmongSiblings ?? index;
    const below = { organizationId, treatmentPlanId, parentGoalId: publicId, orderAmongSiblings };
    addGoal(rows, { ...child, goalType: "opportunity" }, below, now);
  }
  return row;
}

function newMetricRow(
  owner: Pick<GoalMetricRow, "organization_id" | "goal_id">,
  purpose: MetricPurpose,
  metric: Parameters<typeof metricColumns>[0],
  now: Instant,
): GoalMetricRow {
  const publicId = metric.publicId ?? newPublicId("metric_", epochMilliseconds(now));
  return fittedToUnit({ ...owner, purpose, ...metricColumns({ ...metric, publicId }) });
}

/** The columns for the fields that an update gives; null clears, and puts a field with a default back to it. */
export const changedGoalColumns = updater(goalMap);

const changedMetricColumns = updater(metricMap);

/** A stored metric with the fields that an update gives; it keeps its id. */
export function mergedMetric(stored: GoalMetricRow, update: MetricUpdate): GoalMetricRow {
  return fittedToUnit({ ...stored, ...changedMetricColumns(update) });
}

/** A percentage has no frequency and no observation period. */
function fittedToUnit(metric: GoalMetricRow): GoalMetricRow {
  return metric.unit === "PERCENTAGE"
    ? { ...metric, frequency_unit: null, observation_period: null, observation_period_unit: null }
    : metric;
}
