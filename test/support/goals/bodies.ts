import { expect } from "bun:test";
import type { GoalType } from "../../../src/goals/models/common.ts";
import type { Issue } from "../../../src/lib/errors.ts";
import { type Answer, NOW } from "../harness.ts";

/** Bodies that create goals, and the responses. */

export type Json = Record<string, unknown>;

export const goalId: unknown = expect.stringMatching(/^goal_[0-9a-z]{26}$/);
export const metricId: unknown = expect.stringMatching(/^metric_[0-9a-z]{26}$/);

export const percentage = (value: number): Json => ({ value, unit: "PERCENTAGE" });

export const timesADay = (value: number): Json => ({
  value,
  unit: "FREQUENCY",
  frequencyUnit: "DAYS",
  observationPeriod: 14,
  observationPeriodUnit: "DAYS",
  successCriteria: "LESS_THAN_OR_EQUAL_TO",
});

export const step = (goalStatement: string, more: Json = {}): Json => ({
  skillAcquisitionGoalType: "CHAINED_GOAL_TARGET",
  goalStatement,
  enabledOutcomes: ["SUCCESS"],
  baselineMetric: percentage(0),
  successMetric: percentage(90),
  maintenanceMetric: percentage(80),
  ...more,
});

/** The required fields of each type of goal, besides the treatment plan. */
export const required: Record<GoalType, Json> = {
  frequency_duration: {
    type: "frequency_duration",
    goalStatement: "Asks for a break.",
    baselineMetric: { value: 12, unit: "COUNT" },
    successMetric: { value: 2.5, unit: "DURATION" },
    maintenanceMetric: percentage(90),
  },
  opportunity: {
    type: "opportunity",
    skillAcquisitionGoalType: "SINGLE_TARGET_GOAL",
    goalStatement: "Washes hands.",
    enabledOutcomes: [],
    baselineMetric: percentage(10),
    successMetric: { value: -1.5, unit: "COUNT" },
    maintenanceMetric: percentage(70),
  },
  rating: { type: "rating", title: "Calm transitions" },
  interval: {
    type: "interval",
    title: "On task",
    intervalDuration: 30,
    intervalQuantity: 10,
    sets: 3,
    intervalRecordingType: "WHOLE",
  },
};

/** The optional fields of each type of goal. */
export const optional: Record<GoalType, Json> = {
  frequency_duration: {
    status: "FUTURE",
    targetAchievementDate: "2026-09-01T00:00:00.000Z",
    baselineDate: "2026-03-01T14:00:00.000Z",
    targetMaladaptiveBehaviorName: "Shouting",
    definition: "Louder than speech, \u{1F5E3} for two seconds.",
    instructions: "Count each.",
    progressSummary: "",
    autoProgressToMaintenanceEnabled: true,
    autoProgressToMasteredEnabled: true,
    isBehavior: true,
    dataCollectionType: "FREQUENCY_AND_DURATION",
  },
  opportunity: {
    status: "ON_HOLD",
    targetAchievementDate: "2026-09-01T00:00:00.000Z",
    baselineDate: "2026-03-01T14:00:00.000Z",
    shortDescription: "Hands",
    instructions: "At the sink.",
    skillCategory: "Daily living",
    minTrialsCount: 5,
    autoProgressToMaintenanceEnabled: true,
    autoProgressToMasteredEnabled: true,
    childGoals: [step("Turns on the tap."), step("Dries hands.")],
  },
  rating: {
    status: "MASTERED",
    targetAchievementDate: "2026-09-01T00:00:00.000Z",
    baselineDate: "2026-03-01T14:00:00.000Z",
    description: "Between activities.",
    instructions: "From 1 to 5.",
  },
  interval: {
    status: "ARCHIVED",
    targetAchievementDate: "2026-09-01T00:00:00.000Z",
    baselineDate: "2026-03-01T14:00:00.000Z",
    description: "In class.",
    instructions: "",
    window: 0.5,
  },
};

const noTime = { frequencyUnit: null, observationPeriod: null, observationPeriodUnit: null };
const metricsOf = (baseline: Json, success: Json, maintenance: Json): Json => ({
  baselineMetric: { publicId: metricId, successCriteria: null, ...baseline },
  successMetric: { publicId: metricId, successCriteria: null, ...success },
  maintenanceMetric: { publicId: metricId, successCriteria: null, ...maintenance },
});
/** The response that creates a `step`. */
export const shownStep = (goalStatement: string): Json => ({
  ...{ type: "opportunity", publicId: goalId, status: "BASELINE", goalStatement },
  ...{ skillAcquisitionGoalType: "CHAINED_GOAL_TARGET", shortDescription: null },
  ...{ instructions: null, skillCategory: null, baselineDate: null, targetAchievementDate: null },
  ...{ progressSummary: null, minTrialsCount: null, enabledOutcomes: ["SUCCESS"] },
  ...{ autoProgressToMaintenanceEnabled: false, autoProgressToMasteredEnabled: false },
  ...metricsOf(percentage(0), percentage(90), percentage(80)),
  ...{ childGoals: [], skillTrials: [] },
});

/** The responses that create a goal with the required fields. */
export const least: Record<GoalType, Json> = {
  frequency_duration: {
    ...{ type: "frequency_duration", publicId: goalId, status: "BASELINE" },
    ...{
      dataCollectionType: null,
      addedToTreatmentPlanAt: NOW,
      goalStatement: "Asks for a break.",
    },
    ...{ targetMaladaptiveBehaviorName: null, definition: null, instructions: null },
    ...{ progressSummary: null, baselineDate: null, targetAchievementDate: null },
    ...{ autoProgressToMaintenanceEnabled: false, autoProgressToMasteredEnabled: false },
    isBehavior: false,
    ...metricsOf(
      { value: 12, unit: "COUNT", ...noTime },
      { value: 2.5, unit: "DURATION", ...noTime },
      percentage(90),
    ),
    behaviorInstances: null,
  },
  opportunity: {
    ...{ ...shownStep("Washes hands."), skillAcquisitionGoalType: "SINGLE_TARGET_GOAL" },
    enabledOutcomes: [],
    ...metricsOf(percentage(10), { value: -1.5, unit: "COUNT" }, percentage(70)),
  },
  rating: {
    ...{ type: "rating", publicId: goalId, status: "BASELINE", title: "Calm transitions" },
    ...{ description: null, instructions: null, measurementType: "RATING", ratingInstances: [] },
  },
  interval: {
    ...{ type: "interval", publicId: goalId, status: "BASELINE", title: "On task" },
    ...{ description: null, instructions: null, measurementType: "INTERVAL" },
    ...{ intervalDuration: 30, intervalQuantity: 10, sets: 3, intervalRecordingType: "WHOLE" },
    ...{ window: null, intervalSets: [] },
  },
};

/** The responses that create a goal with the optional fields, too. Two types do not show their dates. */
export const most: Record<GoalType, Json> = {
  frequency_duration: { ...least.frequency_duration, ...optional.frequency_duration },
  opportunity: {
    ...{ ...least.opportunity, ...optional.opportunity },
    childGoals: [shownStep("Turns on the tap."), shownStep("Dries hands.")],
  },
  rating: { ...least.rating, ...withoutDates(optional.rating) },
  interval: { ...least.interval, ...withoutDates(optional.interval) },
};

function withoutDates({ baselineDate, targetAchievementDate, ...fields }: Json): Json {
  return fields;
}

export const goalTypes = Object.keys(required) as GoalType[];

/** The response to an invalid body. */
export function refusedBody(...details: Issue[]): Json {
  return { error: "Validation error", details };
}

export function publicIdOf({ body }: Answer): string {
  return (body as { publicId: string }).publicId;
}
