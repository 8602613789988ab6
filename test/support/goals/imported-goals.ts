import type { Database } from "../../../db/database.ts";
import type { GoalType } from "../../../src/goals/models/common.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import { insert, newGoal } from "../factories.ts";
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

/** The tables of data recorded on goals. */
export const recordTables = [
  "behavior_instances",
  "skill_trials",
  "rating_instances",
  "interval_sets",
] as const;

/** Inserts these goals into an organization; returns their ids by type. */
export async function insertImportedGoals(
  database: Database,
  organization_id: string,
  treatment_plan_id: string,
): Promise<Record<GoalType, string>> {
  const goal = (public_id: string, row: Parameters<typeof newGoal>[2]) =>
    newGoal(database, organization_id, { public_id, treatment_plan_id, ...row });
  const at = (text: string) => `2026-02-${text}.000Z` as Instant;

  await goal("goal_shouting", {
    type: "frequency_duration",
    data_collection_type: "DURATION_ONLY",
    definition: "Louder than speech.",
    progress_summary: "Improving.",
    target_achievement_date: "2026-06-30T00:00:00.000Z" as Instant,
    auto_progress_to_mastered_enabled: 1,
    is_behavior: 1,
  });
  const shouting = { organization_id, goal_id: "goal_shouting" };
  await insert(database, "behavior_instances", {
    ...shouting,
    public_id: "behavior_a",
    quantity: 2,
    happened_at: at("02T10:00:00"),
  });
  await insert(database, "behavior_instances", {
    ...shouting,
    public_id: "behavior_b",
    quantity: 1,
    happened_at: at("01T10:00:00"),
    antecedent: "A loud room",
    consequence: "A break",
    duration_seconds: 12.5,
  });

  await goal("goal_hands", { type: "opportunity" });
  const child = (public_id: string, parent_goal_id: string, order_among_siblings: number) =>
    goal(public_id, { type: "opportunity", parent_goal_id, order_among_siblings });
  await child("goal_a_soap", "goal_hands", 7);
  await child("goal_z_tap", "goal_hands", -1);
  await child("goal_handle", "goal_z_tap", 0);
  for (const [goal_id, public_id, outcome, happened_at] of [
    ["goal_hands", "trial_1", "NO_RESPONSE", "2026-02-01T10:00:00.001Z" as Instant],
    ["goal_hands", "trial_3", "SUCCESS", at("01T10:00:00")],
    ["goal_hands", "trial_2", "PROMPTED", at("01T10:00:00")],
    ["goal_handle", "trial_1", "FAILURE", at("01T10:00:00")],
  ] as const)
    await insert(database, "skill_trials", {
      organization_id,
      goal_id,
      public_id,
      outcome,
      happened_at,
    });

  await goal("goal_calm", { type: "rating", description: "Between activities." });
  for (const [public_id, value, day] of [
    ["rating_0", 4, "03T10:00:00"],
    ["rating_1", 2.5, "01T10:00:00"],
  ] as const)
    await insert(database, "rating_instances", {
      organization_id,
      goal_id: "goal_calm",
      public_id,
      value,
      happened_at: at(day),
    });

  await goal("goal_task", { type: "interval", window: 600 });
  for (const [public_id, intervals, started_at] of [
    ["interval_2", "[]", at("01T11:00:00")],
    ["interval_1", "[true,false,true]", at("01T10:00:00")],
  ] as const)
    await insert(database, "interval_sets", {
      organization_id,
      goal_id: "goal_task",
      public_id,
      intervals,
      started_at,
    });

  return {
    frequency_duration: "goal_shouting",
    opportunity: "goal_hands",
    rating: "goal_calm",
    interval: "goal_task",
  };
}
