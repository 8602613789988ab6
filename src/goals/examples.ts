import type { Instant } from "../lib/instant.ts";
import type { GoalUpdate, NewGoal } from "./model.ts";
import type { GoalType } from "./models/common.ts";

/** Example bodies for the documentation, one per type of goal. All of them are valid in the demo practice. */

type Examples<Body> = Record<GoalType, { summary: string; value: Body }>;

/** A treatment plan of the demo practice. */
const treatmentPlanId = "tp_000001";

const percentage = (value: number) => ({ value, unit: "PERCENTAGE" }) as const;

const timesADay = (value: number) =>
  ({
    value,
    unit: "FREQUENCY",
    frequencyUnit: "DAYS",
    observationPeriod: 14,
    observationPeriodUnit: "DAYS",
  }) as const;

export const creationExamples: Examples<NewGoal> = {
  frequency_duration: {
    summary: "Less shouting",
    value: {
      type: "frequency_duration",
      treatmentPlanId,
      status: "BASELINE",
      targetAchievementDate: "2026-09-01T00:00:00.000Z" as Instant,
      baselineDate: "2026-03-02T00:00:00.000Z" as Instant,
      goalStatement: "Leo asks for a break instead of shouting.",
      baselineMetric: timesADay(12),
      successMetric: { ...timesADay(2), successCriteria: "LESS_THAN_OR_EQUAL_TO" },
      maintenanceMetric: { ...percentage(90), successCriteria: "GREATER_THAN_OR_EQUAL_TO" },
      targetMaladaptiveBehaviorName: "Shouting",
      definition: "A vocalization above speaking volume that lasts two seconds or longer.",
      isBehavior: true,
      dataCollectionType: "FREQUENCY_AND_DURATION",
    },
  },
  opportunity: {
    summary: "Washing hands, step by step",
    value: {
      type: "opportunity",
      treatmentPlanId,
      skillAcquisitionGoalType: "CHAINED_GOAL",
      goalStatement: "Leo washes his hands before meals.",
      enabledOutcomes: ["SUCCESS", "FAILURE", "PROMPTED"],
      baselineMetric: percentage(10),
      successMetric: { ...percentage(80), successCriteria: "GREATER_THAN_OR_EQUAL_TO" },
      maintenanceMetric: { ...percentage(80), successCriteria: "GREATER_THAN_OR_EQUAL_TO" },
      skillCategory: "Daily living",
      minTrialsCount: 5,
      childGoals: [step("Turns on the tap."), step("Rubs both hands with soap.")],
    },
  },
  rating: {
    summary: "Calm transitions",
    value: {
      type: "rating",
      treatmentPlanId,
      title: "Calm transitions",
      description: "From one activity to the next.",
      instructions: "Rate from 1 (distressed) to 5 (calm).",
    },
  },
  interval: {
    summary: "Staying on task",
    value: {
      type: "interval",
      treatmentPlanId,
      title: "On task",
      intervalDuration: 30,
      intervalQuantity: 10,
      sets: 3,
      intervalRecordingType: "PARTIAL",
      window: 600,
    },
  },
};

export const updateExamples: Examples<GoalUpdate> = {
  frequency_duration: {
    summary: "Change one field of a metric",
    value: { status: "IN_PROGRESS", successMetric: { value: 3 } },
  },
  opportunity: {
    summary: "Replace the child goals",
    value: { minTrialsCount: null, childGoals: [step("Dries both hands.")] },
  },
  rating: {
    summary: "Change the title and clear the instructions",
    value: { title: "Calm transitions at school", instructions: null },
  },
  interval: {
    summary: "Longer intervals",
    value: { intervalDuration: 60, intervalRecordingType: "MOMENTARY" },
  },
};

const happenedAt = "2026-03-02T14:30:00.000Z" as Instant;

export const recordingExamples: Examples<{ entries: object[] }> = {
  frequency_duration: {
    summary: "What happened, and for how long",
    value: { entries: [{ quantity: 2, happenedAt, durationSeconds: 40 }] },
  },
  opportunity: {
    summary: "Two trials",
    value: {
      entries: [
        { outcome: "SUCCESS", happenedAt },
        { outcome: "FAILURE", happenedAt },
      ],
    },
  },
  rating: { summary: "A rating", value: { entries: [{ value: 4, happenedAt }] } },
  interval: {
    summary: "A set of intervals",
    value: { entries: [{ startedAt: happenedAt, intervals: [true, false, true] }] },
  },
};

function step(goalStatement: string) {
  return {
    skillAcquisitionGoalType: "CHAINED_GOAL_TARGET",
    goalStatement,
    enabledOutcomes: ["SUCCESS", "FAILURE"] as ("SUCCESS" | "FAILURE")[],
    baselineMetric: percentage(30),
    successMetric: percentage(90),
    maintenanceMetric: percentage(90),
  } as const;
}
