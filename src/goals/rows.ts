import { type GoalMetricRow, type GoalRow, toBit } from "../../db/schema.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import type { NewGoal } from "./model.ts";
import type { GoalType } from "./models/common.ts";
import type { FrequencyDurationGoalUpdate } from "./models/frequency-duration.ts";
import type { IntervalGoalUpdate } from "./models/interval.ts";
import {
  type MetricPurpose,
  metricPurposes,
  type MetricUpdate,
  type NewMetric,
} from "./models/metric.ts";
import type { NewChildGoal, OpportunityGoalUpdate } from "./models/opportunity.ts";
import type { RatingGoalUpdate } from "./models/rating.ts";
import type { GoalRows } from "./repository.ts";

/** From checked bodies to rows; `present.ts` goes the other way. */

/** What an update of a goal of any kind may hold. */
export type AnyGoalUpdate = FrequencyDurationGoalUpdate &
  OpportunityGoalUpdate &
  RatingGoalUpdate &
  IntervalGoalUpdate;

/** The fields of a goal that its own row holds: not its metrics, nor its children. */
type GoalFields = Omit<AnyGoalUpdate, `${MetricPurpose}Metric` | "childGoals">;

/** The columns for the fields that are given; null clears, and puts a field with a default back to it. */
export function goalColumns(fields: GoalFields): Partial<GoalRow> {
  return withoutUndefined({
    status: fields.status,
    baseline_date: fields.baselineDate,
    target_achievement_date: fields.targetAchievementDate,
    goal_statement: fields.goalStatement,
    title: fields.title,
    description: fields.description,
    definition: fields.definition,
    instructions: fields.instructions,
    progress_summary: fields.progressSummary,
    target_maladaptive_behavior_name: fields.targetMaladaptiveBehaviorName,
    data_collection_type: fields.dataCollectionType,
    is_behavior: switchColumn(fields.isBehavior),
    auto_progress_to_maintenance_enabled: switchColumn(fields.autoProgressToMaintenanceEnabled),
    auto_progress_to_mastered_enabled: switchColumn(fields.autoProgressToMasteredEnabled),
    order_among_siblings: fields.orderAmongSiblings === null ? 0 : fields.orderAmongSiblings,
    skill_acquisition_goal_type: fields.skillAcquisitionGoalType,
    short_description: fields.shortDescription,
    skill_category: fields.skillCategory,
    min_trials_count: fields.minTrialsCount,
    enabled_outcomes: fields.enabledOutcomes && JSON.stringify(fields.enabledOutcomes),
    interval_duration: fields.intervalDuration,
    interval_quantity: fields.intervalQuantity,
    sets: fields.sets,
    interval_recording_type: fields.intervalRecordingType,
    window: fields.window,
  });
}

function switchColumn(value: boolean | null | undefined) {
  return value === undefined ? undefined : toBit(value ?? false);
}

function withoutUndefined(columns: { [Column in keyof GoalRow]?: GoalRow[Column] | undefined }) {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<GoalRow>;
}

/** What a new goal's row holds before its own fields are put in. */
const blankGoal = {
  status: "BASELINE",
  order_among_siblings: 0,
  parent_goal_id: null,
  baseline_date: null,
  target_achievement_date: null,
  added_to_treatment_plan_at: null,
  goal_statement: null,
  title: null,
  description: null,
  definition: null,
  instructions: null,
  progress_summary: null,
  target_maladaptive_behavior_name: null,
  data_collection_type: null,
  is_behavior: null,
  auto_progress_to_maintenance_enabled: null,
  auto_progress_to_mastered_enabled: null,
  skill_acquisition_goal_type: null,
  short_description: null,
  skill_category: null,
  min_trials_count: null,
  enabled_outcomes: null,
  interval_duration: null,
  interval_quantity: null,
  sets: null,
  interval_recording_type: null,
  window: null,
};

/** What a new goal of a kind has unless its body says otherwise. */
function defaultsOf(type: GoalType, now: Instant): Partial<GoalRow> {
  const noProgress = {
    auto_progress_to_maintenance_enabled: toBit(false),
    auto_progress_to_mastered_enabled: toBit(false),
  };
  switch (type) {
    case "frequency_duration":
      return { ...noProgress, is_behavior: toBit(false), added_to_treatment_plan_at: now };
    case "opportunity":
      return noProgress;
    case "rating":
    case "interval":
      return {};
  }
}

/** A new goal's own row, and the rows of all that it consists of, that one included. */
export function newGoalRows(
  organizationId: string,
  body: NewGoal,
  now: Instant,
): { goal: GoalRow; rows: GoalRows } {
  const rows = noGoalRows();
  const place = { organization_id: organizationId, treatment_plan_id: body.treatmentPlanId };
  return { goal: addGoal(rows, body, place, now), rows };
}

/** The rows of new children of a goal, and of those below them; list order is sibling order. */
export function newChildGoalRows(
  parent: GoalRow,
  children: readonly NewChildGoal[],
  now: Instant,
): GoalRows {
  const rows = noGoalRows();
  addChildGoals(rows, parent, children, now);
  return rows;
}

export function noGoalRows(): GoalRows {
  return {
    goals: [],
    metrics: [],
    behaviorInstances: [],
    skillTrials: [],
    ratingInstances: [],
    intervalSets: [],
  };
}

/** Where a new goal goes. */
type Place = Pick<GoalRow, "organization_id" | "treatment_plan_id"> &
  Partial<Pick<GoalRow, "parent_goal_id" | "order_among_siblings">>;

type NewAnyGoal = NewGoal | ({ type: "opportunity" } & NewChildGoal);

/** A goal's own row: which one it is and where it goes, its fields, and what its kind has without them. */
export function newGoalRow(
  identity: Place & { public_id: string; type: GoalType },
  fields: GoalFields,
  now: Instant,
): GoalRow {
  return { ...blankGoal, ...defaultsOf(identity.type, now), ...identity, ...goalColumns(fields) };
}

function addGoal(rows: GoalRows, goal: NewAnyGoal, place: Place, now: Instant): GoalRow {
  const public_id = newPublicId("goal_", epochMilliseconds(now));
  const row = newGoalRow({ ...place, public_id, type: goal.type }, goal, now);
  rows.goals.push(row);
  if ("baselineMetric" in goal)
    for (const purpose of metricPurposes)
      rows.metrics.push(newMetricRow(row, purpose, goal[`${purpose}Metric`], now));
  if ("childGoals" in goal) addChildGoals(rows, row, goal.childGoals ?? [], now);
  return row;
}

function addChildGoals(
  rows: GoalRows,
  parent: GoalRow,
  children: readonly NewChildGoal[],
  now: Instant,
): void {
  const { organization_id, treatment_plan_id, public_id: parent_goal_id } = parent;
  children.forEach((child, order_among_siblings) => {
    const place = { organization_id, treatment_plan_id, parent_goal_id, order_among_siblings };
    addGoal(rows, { type: "opportunity", ...child }, place, now);
  });
}

function newMetricRow(
  goal: GoalRow,
  purpose: MetricPurpose,
  metric: MetricUpdate & Pick<NewMetric, "value" | "unit">,
  now: Instant,
): GoalMetricRow {
  return fittedToUnit({
    organization_id: goal.organization_id,
    goal_id: goal.public_id,
    purpose,
    public_id: newPublicId("metric_", epochMilliseconds(now)),
    value: metric.value,
    unit: metric.unit,
    frequency_unit: metric.frequencyUnit ?? null,
    observation_period: metric.observationPeriod ?? null,
    observation_period_unit: metric.observationPeriodUnit ?? null,
    success_criteria: metric.successCriteria ?? null,
  });
}

/** A stored metric with the fields that an update gives; it keeps its id (decisions 7). */
export function mergedMetric(stored: GoalMetricRow, update: MetricUpdate): GoalMetricRow {
  return fittedToUnit({
    ...stored,
    value: changed(stored.value, update.value),
    unit: changed(stored.unit, update.unit),
    frequency_unit: changed(stored.frequency_unit, update.frequencyUnit),
    observation_period: changed(stored.observation_period, update.observationPeriod),
    observation_period_unit: changed(stored.observation_period_unit, update.observationPeriodUnit),
    success_criteria: changed(stored.success_criteria, update.successCriteria),
  });
}

function changed<Value>(stored: Value, given: Value | undefined): Value {
  return given === undefined ? stored : given;
}

/** A percentage has no frequency and no observation period. */
function fittedToUnit(metric: GoalMetricRow): GoalMetricRow {
  return metric.unit === "PERCENTAGE"
    ? { ...metric, frequency_unit: null, observation_period: null, observation_period_unit: null }
    : metric;
}
