import { fromBit, type GoalMetricRow, type GoalRow } from "../../db/schema.ts";
import type { Goal } from "./model.ts";
import type { GoalStatus, GoalType } from "./models/common.ts";
import type { DataCollectionType, FrequencyDurationGoal } from "./models/frequency-duration.ts";
import type { IntervalGoal, IntervalRecordingType } from "./models/interval.ts";
import type {
  Metric,
  MetricPurpose,
  MetricUnit,
  OpportunityMetric,
  SuccessCriteria,
  TimeUnit,
} from "./models/metric.ts";
import type {
  OpportunityGoal,
  SkillAcquisitionGoalType,
  TrialOutcome,
} from "./models/opportunity.ts";
import type { RatingGoal } from "./models/rating.ts";
import type { GoalRows } from "./repository.ts";

/** Goals by their ids as the API shows them (specification 2.5), in the order of the ids. */
export function presentGoals(rows: GoalRows, ids: readonly string[]): Goal[] {
  const stored = byGoal(rows);
  return ids.flatMap((id) => {
    const goal = stored.goals.get(id);
    return goal === undefined ? [] : [presentGoal(goal, stored)];
  });
}

type ByGoal = ReturnType<typeof byGoal>;

function byGoal(rows: GoalRows) {
  const ofGoal = (row: { goal_id: string }) => row.goal_id;
  return {
    goals: new Map(rows.goals.map((goal) => [goal.public_id, goal])),
    children: Map.groupBy(rows.goals, (goal) => goal.parent_goal_id),
    metrics: Map.groupBy(rows.metrics, ofGoal),
    behaviorInstances: Map.groupBy(rows.behaviorInstances, ofGoal),
    skillTrials: Map.groupBy(rows.skillTrials, ofGoal),
    ratingInstances: Map.groupBy(rows.ratingInstances, ofGoal),
    intervalSets: Map.groupBy(rows.intervalSets, ofGoal),
  };
}

function presentGoal(goal: GoalRow, stored: ByGoal): Goal {
  switch (goal.type as GoalType) {
    case "frequency_duration":
      return presentFrequencyDuration(goal, stored);
    case "opportunity":
      return presentOpportunity(goal, stored);
    case "rating":
      return presentRating(goal, stored);
    case "interval":
      return presentInterval(goal, stored);
  }
}

function presentFrequencyDuration(goal: GoalRow, stored: ByGoal): FrequencyDurationGoal {
  return {
    type: "frequency_duration",
    ...identity(goal),
    dataCollectionType: goal.data_collection_type as DataCollectionType | null,
    addedToTreatmentPlanAt: goal.added_to_treatment_plan_at,
    goalStatement: goal.goal_statement ?? "",
    targetMaladaptiveBehaviorName: goal.target_maladaptive_behavior_name,
    definition: goal.definition,
    instructions: goal.instructions,
    progressSummary: goal.progress_summary,
    baselineDate: goal.baseline_date,
    targetAchievementDate: goal.target_achievement_date,
    ...progress(goal),
    isBehavior: fromBit(goal.is_behavior ?? 0),
    baselineMetric: presentMetric(metricFor("baseline", goal, stored)),
    successMetric: presentMetric(metricFor("success", goal, stored)),
    maintenanceMetric: presentMetric(metricFor("maintenance", goal, stored)),
    behaviorInstances:
      stored.behaviorInstances.get(goal.public_id)?.map((instance) => ({
        publicId: instance.public_id,
        quantity: instance.quantity,
        happenedAt: instance.happened_at,
        antecedent: instance.antecedent,
        consequence: instance.consequence,
        durationSeconds: instance.duration_seconds,
      })) ?? null,
  };
}

function presentOpportunity(goal: GoalRow, stored: ByGoal): OpportunityGoal {
  return {
    type: "opportunity",
    ...identity(goal),
    goalStatement: goal.goal_statement ?? "",
    skillAcquisitionGoalType: goal.skill_acquisition_goal_type as SkillAcquisitionGoalType,
    shortDescription: goal.short_description,
    instructions: goal.instructions,
    skillCategory: goal.skill_category,
    baselineDate: goal.baseline_date,
    targetAchievementDate: goal.target_achievement_date,
    progressSummary: goal.progress_summary,
    minTrialsCount: goal.min_trials_count,
    enabledOutcomes: JSON.parse(goal.enabled_outcomes ?? "[]") as TrialOutcome[],
    ...progress(goal),
    baselineMetric: presentOpportunityMetric(metricFor("baseline", goal, stored)),
    successMetric: presentOpportunityMetric(metricFor("success", goal, stored)),
    maintenanceMetric: presentOpportunityMetric(metricFor("maintenance", goal, stored)),
    childGoals: (stored.children.get(goal.public_id) ?? []).map((child) =>
      presentOpportunity(child, stored),
    ),
    skillTrials: (stored.skillTrials.get(goal.public_id) ?? []).map((trial) => ({
      publicId: trial.public_id,
      outcome: trial.outcome as TrialOutcome,
      happenedAt: trial.happened_at,
    })),
  };
}

function presentRating(goal: GoalRow, stored: ByGoal): RatingGoal {
  return {
    type: "rating",
    ...identity(goal),
    ...wording(goal),
    measurementType: "RATING",
    ratingInstances: (stored.ratingInstances.get(goal.public_id) ?? []).map((rating) => ({
      publicId: rating.public_id,
      value: rating.value,
      happenedAt: rating.happened_at,
    })),
  };
}

// A goal's row has what its kind requires: both the API and the practice file see to it.
function presentInterval(goal: GoalRow, stored: ByGoal): IntervalGoal {
  return {
    type: "interval",
    ...identity(goal),
    ...wording(goal),
    measurementType: "INTERVAL",
    intervalDuration: goal.interval_duration ?? 0,
    intervalQuantity: goal.interval_quantity ?? 0,
    sets: goal.sets ?? 0,
    intervalRecordingType: goal.interval_recording_type as IntervalRecordingType,
    window: goal.window,
    intervalSets: (stored.intervalSets.get(goal.public_id) ?? []).map((set) => ({
      publicId: set.public_id,
      startedAt: set.started_at,
      intervals: JSON.parse(set.intervals) as boolean[],
    })),
  };
}

function identity(goal: GoalRow) {
  return { publicId: goal.public_id, status: goal.status as GoalStatus };
}

function wording(goal: GoalRow) {
  return {
    title: goal.title ?? "",
    description: goal.description,
    instructions: goal.instructions,
  };
}

function progress(goal: GoalRow) {
  return {
    autoProgressToMaintenanceEnabled: fromBit(goal.auto_progress_to_maintenance_enabled ?? 0),
    autoProgressToMasteredEnabled: fromBit(goal.auto_progress_to_mastered_enabled ?? 0),
  };
}

function metricFor(purpose: MetricPurpose, goal: GoalRow, stored: ByGoal): GoalMetricRow {
  const metrics = stored.metrics.get(goal.public_id) ?? [];
  const metric = metrics.find((candidate) => candidate.purpose === purpose);
  if (metric === undefined) throw new Error(`A goal has no ${purpose} metric`);
  return metric;
}

function presentMetric(metric: GoalMetricRow): Metric {
  const { publicId, value, unit, successCriteria } = presentOpportunityMetric(metric);
  if (unit === "PERCENTAGE") return { publicId, value, unit, successCriteria };
  return {
    publicId,
    value,
    unit,
    frequencyUnit: metric.frequency_unit as TimeUnit | null,
    observationPeriod: metric.observation_period,
    observationPeriodUnit: metric.observation_period_unit as TimeUnit | null,
    successCriteria,
  };
}

function presentOpportunityMetric(metric: GoalMetricRow): OpportunityMetric {
  return {
    publicId: metric.public_id,
    value: metric.value,
    unit: metric.unit as MetricUnit,
    successCriteria: metric.success_criteria as SuccessCriteria | null,
  };
}
