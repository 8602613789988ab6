import { bit, field, list, number, recordMap, text } from "./record-map.ts";

export const treatmentPlanMap = recordMap("treatment_plans", {
  publicId: field("public_id"),
  patientId: field("patient_id"),
  name: field("name"),
});

/** Fields of goals of all types. The schema of each type selects its own. */
export const goalMap = recordMap("goals", {
  publicId: field("public_id"),
  treatmentPlanId: field("treatment_plan_id"),
  parentGoalId: field("parent_goal_id"),
  orderAmongSiblings: field("order_among_siblings", number, 0),
  goalType: field("type"),
  status: field("status", text, "BASELINE"),
  dataCollectionType: field("data_collection_type"),
  addedToTreatmentPlanAt: field("added_to_treatment_plan_at"),
  goalStatement: field("goal_statement"),
  targetMaladaptiveBehaviorName: field("target_maladaptive_behavior_name"),
  definition: field("definition"),
  skillAcquisitionGoalType: field("skill_acquisition_goal_type"),
  shortDescription: field("short_description"),
  skillCategory: field("skill_category"),
  title: field("title"),
  description: field("description"),
  instructions: field("instructions"),
  progressSummary: field("progress_summary"),
  baselineDate: field("baseline_date"),
  targetAchievementDate: field("target_achievement_date"),
  minTrialsCount: field("min_trials_count"),
  enabledOutcomes: field("enabled_outcomes", list),
  autoProgressToMaintenanceEnabled: field("auto_progress_to_maintenance_enabled", bit, false),
  autoProgressToMasteredEnabled: field("auto_progress_to_mastered_enabled", bit, false),
  isBehavior: field("is_behavior", bit, false),
  intervalDuration: field("interval_duration"),
  intervalQuantity: field("interval_quantity"),
  sets: field("sets"),
  intervalRecordingType: field("interval_recording_type"),
  window: field("window"),
});

/** A metric of a goal. Its purpose (`baseline`, …) is not a field, but the prefix of the goal's field. */
export const metricMap = recordMap("goal_metrics", {
  publicId: field("public_id"),
  value: field("value"),
  unit: field("unit"),
  frequencyUnit: field("frequency_unit"),
  observationPeriod: field("observation_period"),
  observationPeriodUnit: field("observation_period_unit"),
  successCriteria: field("success_criteria"),
});

/** Data recorded on goals, by the goal's field that lists them. */
export const recordedMaps = {
  behaviorInstances: recordMap("behavior_instances", {
    publicId: field("public_id"),
    quantity: field("quantity"),
    happenedAt: field("happened_at"),
    antecedent: field("antecedent"),
    consequence: field("consequence"),
    durationSeconds: field("duration_seconds"),
  }),
  skillTrials: recordMap("skill_trials", {
    publicId: field("public_id"),
    outcome: field("outcome"),
    happenedAt: field("happened_at"),
  }),
  ratingInstances: recordMap("rating_instances", {
    publicId: field("public_id"),
    value: field("value"),
    happenedAt: field("happened_at"),
  }),
  intervalSets: recordMap("interval_sets", {
    publicId: field("public_id"),
    startedAt: field("started_at"),
    intervals: field("intervals", list),
  }),
};
