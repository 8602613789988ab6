import { exported } from "../fields.ts";
import type { Fields } from "../practice-file.ts";

/** A goal of each type with all data that can be recorded on it, as an export writes them. */

function metrics(prefix: string, metric: Fields): Fields {
  const named = (purpose: string) => ({ publicId: `metric_${prefix}_${purpose}`, ...metric });
  return {
    baselineMetric: named("baseline"),
    successMetric: named("success"),
    maintenanceMetric: named("maintenance"),
  };
}

export const behaviorGoal: Fields = exported({
  type: "goal",
  publicId: "goal_behavior",
  treatmentPlanId: "tp_1",
  goalType: "frequency_duration",
  status: "IN_PROGRESS",
  phases: [
    { status: "BASELINE", since: null, isAutomatic: false },
    { status: "IN_MAINTENANCE", since: "2026-01-20T09:00:00.000Z", isAutomatic: true },
    { status: "IN_PROGRESS", since: "2026-01-21T09:00:00.000Z", isAutomatic: false },
  ],
  dataCollectionType: "FREQUENCY_AND_DURATION",
  addedToTreatmentPlanAt: "2026-01-05T09:00:00.000Z",
  goalStatement: "Asks for a break.",
  targetMaladaptiveBehaviorName: "Shouting",
  definition: "Louder than speech.",
  instructions: "Offer the card.",
  progressSummary: "Improving.",
  baselineDate: "2026-01-06T09:00:00.000Z",
  targetAchievementDate: "2026-06-30T00:00:00.000Z",
  autoProgressToMaintenanceEnabled: true,
  autoProgressToMasteredEnabled: false,
  isBehavior: true,
  ...metrics("b", {
    value: 2.5,
    unit: "FREQUENCY",
    frequencyUnit: "DAYS",
    observationPeriod: 14,
    observationPeriodUnit: "WEEKS",
    successCriteria: "LESS_THAN_OR_EQUAL_TO",
  }),
  behaviorInstances: [
    {
      publicId: "behavior_2",
      quantity: 1,
      happenedAt: "2026-02-01T10:00:00.000Z",
      antecedent: "A loud room",
      consequence: "A break",
      durationSeconds: 12.5,
    },
    { publicId: "behavior_1", quantity: 2, happenedAt: "2026-02-02T10:00:00.000Z" },
  ],
});

const skillMetric = { value: 80, unit: "PERCENTAGE", successCriteria: "GREATER_THAN_OR_EQUAL_TO" };

function skill(publicId: string): Fields {
  return {
    status: "IN_PROGRESS",
    goalStatement: "Washes hands.",
    skillAcquisitionGoalType: "CHAINED_GOAL",
    shortDescription: "Hands",
    instructions: "Prompt once.",
    skillCategory: "Self-care",
    baselineDate: "2026-01-06T09:00:00.000Z",
    targetAchievementDate: "2026-06-30T00:00:00.000Z",
    progressSummary: "Improving.",
    minTrialsCount: 5,
    enabledOutcomes: ["SUCCESS", "FAILURE", "PROMPTED"],
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: true,
    ...metrics(publicId, skillMetric),
  };
}

function child(publicId: string, fields: Fields): Fields {
  return { publicId, goalType: "opportunity", ...skill(publicId), ...fields };
}

const trial = { publicId: "trial_1", outcome: "SUCCESS", happenedAt: "2026-02-01T10:00:00.000Z" };

export const skillGoal: Fields = exported({
  type: "goal",
  publicId: "goal_hands",
  treatmentPlanId: "tp_1",
  goalType: "opportunity",
  ...skill("goal_hands"),
  childGoals: [
    child("goal_z_tap", {
      childGoals: [child("goal_handle", { skillTrials: [trial] })],
      skillTrials: [trial],
    }),
    child("goal_a_soap", {
      phases: [{ status: "IN_PROGRESS", since: "2026-01-07T09:00:00.000Z", isAutomatic: false }],
    }),
  ],
  skillTrials: [
    trial,
    { publicId: "trial_2", outcome: "NO_RESPONSE", happenedAt: "2026-02-01T10:00:00.001Z" },
  ],
});

export const intervalGoal: Fields = exported({
  type: "goal",
  publicId: "goal_interval",
  treatmentPlanId: "tp_1",
  goalType: "interval",
  status: "FUTURE",
  title: "On task",
  description: "At the desk.",
  instructions: "Watch quietly.",
  measurementType: "INTERVAL",
  intervalDuration: 30,
  intervalQuantity: 10,
  sets: 3,
  intervalRecordingType: "MOMENTARY",
  window: 600.5,
  intervalSets: [
    { publicId: "interval_1", startedAt: "2026-02-01T10:00:00.000Z", intervals: [true, false] },
    { publicId: "interval_2", startedAt: "2026-02-01T11:00:00.000Z", intervals: [] },
  ],
  baselineDate: "2026-01-06T09:00:00.000Z",
  targetAchievementDate: "2026-06-30T00:00:00.000Z",
});

export const ratingGoal: Fields = exported({
  type: "goal",
  publicId: "goal_rating",
  treatmentPlanId: "tp_1",
  goalType: "rating",
  status: "MASTERED",
  title: "Calm transitions",
  description: "Between activities.",
  instructions: "Rate from 1 to 5.",
  measurementType: "RATING",
  ratingInstances: [{ publicId: "rating_1", value: 2.5, happenedAt: "2026-02-01T10:00:00.000Z" }],
  baselineDate: "2026-01-06T09:00:00.000Z",
  targetAchievementDate: "2026-06-30T00:00:00.000Z",
});
