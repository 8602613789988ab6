import type { Database } from "../../../db/database.ts";
import type { GoalType } from "../../../src/goals/models/common.ts";
import { newGoal } from "../factories.ts";
import type { Json } from "./bodies.ts";

/** Goals with recorded data, as stored by an import, and the responses for them. */

const metrics = {
  baselineMetric: {
    publicId: "metric_baseline",
    value: 10,
    unit: "PERCENTAGE",
    successCriteria: null,
  },
  successMetric: {
    publicId: "metric_success",
    value: 80,
    unit: "PERCENTAGE",
    successCriteria: null,
  },
  maintenanceMetric: {
    publicId: "metric_maintenance",
    value: 70,
    unit: "PERCENTAGE",
    successCriteria: null,
  },
};

const skill = {
  status: "IN_PROGRESS",
  goalStatement: "Washes hands.",
  skillAcquisitionGoalType: "SINGLE_TARGET_GOAL",
  shortDescription: null,
  instructions: null,
  skillCategory: null,
  baselineDate: null,
  targetAchievementDate: null,
  progressSummary: null,
  minTrialsCount: null,
  enabledOutcomes: ["SUCCESS", "FAILURE"],
  autoProgressToMaintenanceEnabled: false,
  autoProgressToMasteredEnabled: false,
  ...metrics,
};

export const importedGoals: Record<GoalType, Json & { publicId: string }> = {
  frequency_duration: {
    type: "frequency_duration",
    publicId: "goal_shouting",
    status: "IN_PROGRESS",
    dataCollectionType: "DURATION_ONLY",
    addedToTreatmentPlanAt: "2026-01-05T09:00:00.000Z",
    goalStatement: "Asks for a break.",
    targetMaladaptiveBehaviorName: null,
    definition: "Louder than speech.",
    instructions: null,
    progressSummary: "Improving.",
    baselineDate: null,
    targetAchievementDate: "2026-06-30T00:00:00.000Z",
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: true,
    isBehavior: true,
    ...metrics,
    behaviorInstances: [
      {
        publicId: "behavior_b",
        quantity: 1,
        happenedAt: "2026-02-01T10:00:00.000Z",
        antecedent: "A loud room",
        consequence: "A break",
        durationSeconds: 12.5,
      },
      {
        publicId: "behavior_a",
        quantity: 2,
        happenedAt: "2026-02-02T10:00:00.000Z",
        antecedent: null,
        consequence: null,
        durationSeconds: null,
      },
    ],
  },
  opportunity: {
    type: "opportunity",
    publicId: "goal_hands",
    ...skill,
    childGoals: [
      {
        type: "opportunity",
        publicId: "goal_z_tap",
        ...skill,
        childGoals: [
          {
            type: "opportunity",
            publicId: "goal_handle",
            ...skill,
            childGoals: [],
            skillTrials: [
              { publicId: "trial_1", outcome: "FAILURE", happenedAt: "2026-02-01T10:00:00.000Z" },
            ],
          },
        ],
        skillTrials: [],
      },
      {
        type: "opportunity",
        publicId: "goal_a_soap",
        ...skill,
        childGoals: [],
        skillTrials: [],
      },
    ],
    skillTrials: [
      { publicId: "trial_2", outcome: "PROMPTED", happenedAt: "2026-02-01T10:00:00.000Z" },
      { publicId: "trial_3", outcome: "SUCCESS", happenedAt: "2026-02-01T10:00:00.000Z" },
      { publicId: "trial_1", outcome: "NO_RESPONSE", happenedAt: "2026-02-01T10:00:00.001Z" },
    ],
  },
  rating: {
    type: "rating",
    publicId: "goal_calm",
    status: "IN_PROGRESS",
    title: "Calm transitions",
    description: "Between activities.",
    instructions: null,
    measurementType: "RATING",
    ratingInstances: [
      { publicId: "rating_1", value: 2.5, happenedAt: "2026-02-01T10:00:00.000Z" },
      { publicId: "rating_0", value: 4, happenedAt: "2026-02-03T10:00:00.000Z" },
    ],
  },
  interval: {
    type: "interval",
    publicId: "goal_task",
    status: "IN_PROGRESS",
    title: "On task",
    description: null,
    instructions: null,
    measurementType: "INTERVAL",
    intervalDuration: 30,
    intervalQuantity: 10,
    sets: 3,
    intervalRecordingType: "WHOLE",
    window: 600,
    intervalSets: [
      {
        publicId: "interval_1",
        startedAt: "2026-02-01T10:00:00.000Z",
        intervals: [true, false, true],
      },
      { publicId: "interval_2", startedAt: "2026-02-01T11:00:00.000Z", intervals: [] },
    ],
  },
};

/** Inserts these goals into an organization; returns their ids by type. */
export async function insertImportedGoals(
  database: Database,
  organization: string,
  treatmentPlanId: string,
): Promise<Record<GoalType, string>> {
  const insertGoal = (publicId: string, fields: object) =>
    newGoal(database, organization, { publicId, treatmentPlanId, ...fields });
  const at = (text: string) => `2026-02-${text}.000Z`;

  await insertGoal("goal_shouting", {
    goalType: "frequency_duration",
    dataCollectionType: "DURATION_ONLY",
    definition: "Louder than speech.",
    progressSummary: "Improving.",
    targetAchievementDate: "2026-06-30T00:00:00.000Z",
    autoProgressToMasteredEnabled: true,
    isBehavior: true,
    behaviorInstances: [
      { publicId: "behavior_a", quantity: 2, happenedAt: at("02T10:00:00") },
      {
        publicId: "behavior_b",
        quantity: 1,
        happenedAt: at("01T10:00:00"),
        antecedent: "A loud room",
        consequence: "A break",
        durationSeconds: 12.5,
      },
    ],
  });

  const trial = (publicId: string, outcome: string, happenedAt: string) => ({
    ...{ publicId, outcome, happenedAt },
  });
  await insertGoal("goal_hands", {
    goalType: "opportunity",
    childGoals: [
      { publicId: "goal_a_soap", orderAmongSiblings: 7 },
      {
        publicId: "goal_z_tap",
        orderAmongSiblings: -1,
        childGoals: [
          {
            publicId: "goal_handle",
            skillTrials: [trial("trial_1", "FAILURE", at("01T10:00:00"))],
          },
        ],
      },
    ],
    skillTrials: [
      trial("trial_1", "NO_RESPONSE", "2026-02-01T10:00:00.001Z"),
      trial("trial_3", "SUCCESS", at("01T10:00:00")),
      trial("trial_2", "PROMPTED", at("01T10:00:00")),
    ],
  });

  await insertGoal("goal_calm", {
    goalType: "rating",
    description: "Between activities.",
    ratingInstances: [
      { publicId: "rating_0", value: 4, happenedAt: at("03T10:00:00") },
      { publicId: "rating_1", value: 2.5, happenedAt: at("01T10:00:00") },
    ],
  });

  await insertGoal("goal_task", {
    goalType: "interval",
    window: 600,
    intervalSets: [
      { publicId: "interval_2", startedAt: at("01T11:00:00"), intervals: [] },
      {
        publicId: "interval_1",
        startedAt: at("01T10:00:00"),
        intervals: [true, false, true],
      },
    ],
  });

  return {
    frequency_duration: "goal_shouting",
    opportunity: "goal_hands",
    rating: "goal_calm",
    interval: "goal_task",
  };
}
