import type { GoalMetricRow, GoalRow, Schema } from "../../db/schema.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { goalMap, metricMap, recordedMaps } from "../schema/goals.ts";
import { storer, updater } from "../schema/record-map.ts";
import type { GoalType } from "./models/common.ts";
import { metricPurposes, type MetricPurpose, type MetricUpdate } from "./models/metric.ts";

/** Converts goals from the API or a practice file to rows. `present.ts` is the reverse. */

/** Rows of goals, their metrics and recorded data: siblings in their order, recorded data in chronological order. */
export interface GoalRows {
  goals: GoalRow[];
  metrics: GoalMetricRow[];
  recorded: { [Name in RecordedList]: Schema[(typeof recordedMaps)[Name]["table"]][] };
}

/** The lists of recorded data; each belongs to one type of goal. */
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

/** A goal to be stored, with its metrics, children and recorded data. */
export type StorableGoal = GoalFields & {
  [Field in `${MetricPurpose}Metric`]?: Parameters<typeof metricColumns>[0];
} & {
  [Name in RecordedList]?: readonly Parameters<(typeof recordedColumns)[Name]>[0][] | undefined;
} & {
  goalType: GoalType;
  childGoals?: readonly Omit<StorableGoal, "goalType">[] | null | undefined;
};

/** The place of a goal in its tree. */
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
 * Adds the rows of a goal, its descendants, metrics and recorded data to `rows`, and returns the goal's own row. Goals
 * and metrics without an id get a new one. The sibling order of a child defaults to its index in the list.
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

/** The columns for the given fields of an update. Null clears a field, or resets it to its default. */
export const changedGoalColumns = updater(goalMap);

const changedMetricColumns = updater(metricMap);

/** Applies an update to a stored metric, which keeps its id. */
export function mergedMetric(stored: GoalMetricRow, update: MetricUpdate): GoalMetricRow {
  return fittedToUnit({ ...stored, ...changedMetricColumns(update) });
}

/** Clears frequency and observation period of percentages, which have none. */
function fittedToUnit(metric: GoalMetricRow): GoalMetricRow {
  return metric.unit === "PERCENTAGE"
    ? { ...metric, frequency_unit: null, observation_period: null, observation_period_unit: null }
    : metric;
}
