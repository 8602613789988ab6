import type { GoalType } from "../../../src/goals/models/common.ts";
import type { Fields } from "../practice-file/practice-file.ts";
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

/** The lines of a practice file with these goals. What was recorded is in another order than responses have. */
export const importedLines: Fields[] = Object.values(importedGoals).map((goal) => ({
  ...{ ...lineOf(goal), type: "goal", treatmentPlanId: "tp_1" },
}));

function lineOf({ type, measurementType, childGoals, ...fields }: Json): Fields {
  const recorded = Object.entries(fields).map(([name, value]) => [
    name,
    Array.isArray(value) && name !== "enabledOutcomes" ? value.toReversed() : value,
  ]);
  const below = childGoals !== undefined && { childGoals: (childGoals as Json[]).map(lineOf) };
  return { ...(Object.fromEntries(recorded) as Fields), goalType: type, ...below };
}
