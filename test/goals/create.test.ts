import { describe, expect, test } from "bun:test";
import type { GoalType } from "../../src/goals/models/common.ts";
import { NOW } from "../support/harness.ts";
import {
  goalId,
  goalTypes,
  type Json,
  metricId,
  optional,
  percentage,
  publicIdOf,
  refusedBody,
  timesADay,
} from "../support/goals/bodies.ts";
import {
  criteria,
  dataCollectionTypes,
  outcomes,
  recordingTypes,
  skillTypes,
  statuses,
  timeUnits,
  units,
} from "../support/inputs/goals.ts";
import { newPractice } from "../support/goals/practice.ts";
import { statementsOf } from "../support/statements.ts";

/** POST /v1/goals: the stored goal and the response (specification, section 4.8). */

const { bodyOf, create, update, storedGoal } = await newPractice();

describe("a new goal of each type", () => {
  const metricsOf = (...values: Json[]) => ({
    baselineMetric: { publicId: metricId, ...values[0] },
    successMetric: { publicId: metricId, ...values[1] },
    maintenanceMetric: { publicId: metricId, ...values[2] },
  });
  const noTime = { frequencyUnit: null, observationPeriod: null, observationPeriodUnit: null };
  const child = (goalStatement: string): Json => ({
    type: "opportunity",
    publicId: goalId,
    status: "BASELINE",
    goalStatement,
    skillAcquisitionGoalType: "CHAINED_GOAL_TARGET",
    shortDescription: null,
    instructions: null,
    skillCategory: null,
    baselineDate: null,
    targetAchievementDate: null,
    progressSummary: null,
    minTrialsCount: null,
    enabledOutcomes: ["SUCCESS"],
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: false,
    ...metricsOf(
      { ...percentage(0), successCriteria: null },
      { ...percentage(90), successCriteria: null },
      { ...percentage(80), successCriteria: null },
    ),
    childGoals: [],
    skillTrials: [],
  });

  const answers: Record<GoalType, { least: Json; most: Json }> = {
    frequency_duration: {
      least: {
        type: "frequency_duration",
        publicId: goalId,
        status: "BASELINE",
        dataCollectionType: null,
        addedToTreatmentPlanAt: NOW,
        goalStatement: "Asks for a break.",
        targetMaladaptiveBehaviorName: null,
        definition: null,
        instructions: null,
        progressSummary: null,
        baselineDate: null,
        targetAchievementDate: null,
        autoProgressToMaintenanceEnabled: false,
        autoProgressToMasteredEnabled: false,
        isBehavior: false,
        ...metricsOf(
          { value: 12, unit: "COUNT", ...noTime, successCriteria: null },
          { value: 2.5, unit: "DURATION", ...noTime, successCriteria: null },
          { value: 90, unit: "PERCENTAGE", successCriteria: null },
        ),
        behaviorInstances: null,
      },
      most: optional.frequency_duration,
    },
    opportunity: {
      least: {
        ...child("Washes hands."),
        skillAcquisitionGoalType: "SINGLE_TARGET_GOAL",
        enabledOutcomes: [],
        ...metricsOf(
          { ...percentage(10), successCriteria: null },
          { value: -1.5, unit: "COUNT", successCriteria: null },
          { ...percentage(70), successCriteria: null },
        ),
      },
      most: {
        ...optional.opportunity,
        childGoals: [child("Turns on the tap."), child("Dries hands.")],
      },
    },
    rating: {
      least: {
        type: "rating",
        publicId: goalId,
        status: "BASELINE",
        title: "Calm transitions",
        description: null,
        instructions: null,
        measurementType: "RATING",
        ratingInstances: [],
      },
      most: {
        status: "MASTERED",
        description: "Between activities.",
        instructions: "From 1 to 5.",
      },
    },
    interval: {
      least: {
        type: "interval",
        publicId: goalId,
        status: "BASELINE",
        title: "On task",
        description: null,
        instructions: null,
        measurementType: "INTERVAL",
        intervalDuration: 30,
        intervalQuantity: 10,
        sets: 3,
        intervalRecordingType: "WHOLE",
        window: null,
        intervalSets: [],
      },
      most: { status: "ARCHIVED", description: "In class.", instructions: "", window: 0.5 },
    },
  };

  test.each(goalTypes)("%s: with only the required fields", async (type) => {
    const { status, body } = await create(bodyOf(type));
    expect([status, body]).toEqual([201, answers[type].least]);
  });

  test.each(goalTypes)("%s: with all fields", async (type) => {
    const { status, body } = await create(bodyOf(type, optional[type]));
    expect([status, body]).toEqual([201, { ...answers[type].least, ...answers[type].most }]);
  });

  test.each(goalTypes)("%s: the response has its fields in the documented order", async (type) => {
    const { body } = await create(bodyOf(type));
    expect(Object.keys(body as Json)).toEqual(Object.keys(answers[type].least));
  });

  test.each(goalTypes)("%s: the stored goal equals the response", async (type) => {
    const created = await create(bodyOf(type, optional[type]));
    const unchanged = await update(publicIdOf(created), {});
    expect([unchanged.status, unchanged.text]).toEqual([200, created.text]);
  });
});

test("the response is made from the rows that were written, without reading them back", async () => {
  const { result, statements } = await statementsOf(() => create(bodyOf("opportunity")));
  expect(result.status).toBe(201);
  expect(statements.filter((text) => /^select .* from "goal/.test(text))).toEqual([]);
  expect(statements.some((text) => text.startsWith('insert into "goals"'))).toBe(true);
});

describe("dates", () => {
  test.each(["rating", "interval"] as const)(
    "of a %s goal are stored, but not in the response",
    async (type) => {
      const created = await create(
        bodyOf(type, {
          baselineDate: "2026-03-01T09:00-05:00",
          targetAchievementDate: "2026-09-01T00:00:00.000999Z",
        }),
      );
      expect(created.text).not.toContain("2026-");
      expect(await storedGoal(publicIdOf(created))).toMatchObject({
        baselineDate: "2026-03-01T14:00:00.000Z",
        targetAchievementDate: "2026-09-01T00:00:00.000Z",
      });
    },
  );

  test("are returned in UTC with milliseconds", async () => {
    const { body } = await create(
      bodyOf("opportunity", { baselineDate: "2026-03-01T09:00:00.5-05:00" }),
    );
    expect((body as Json).baselineDate).toBe("2026-03-01T14:00:00.500Z");
  });
});

describe("metrics", () => {
  test("with a frequency unit keep all their fields", async () => {
    const { body } = await create(
      bodyOf("frequency_duration", { baselineMetric: timesADay(-0.25) }),
    );
    expect((body as Json).baselineMetric).toEqual({ publicId: metricId, ...timesADay(-0.25) });
  });

  test("with the unit PERCENTAGE neither store nor return frequency and observation period", async () => {
    const created = await create(
      bodyOf("frequency_duration", {
        baselineMetric: { ...timesADay(12), unit: "PERCENTAGE" },
      }),
    );
    expect((created.body as Json).baselineMetric).toEqual({
      publicId: metricId,
      value: 12,
      unit: "PERCENTAGE",
      successCriteria: "LESS_THAN_OR_EQUAL_TO",
    });
    expect((await storedGoal(publicIdOf(created)))?.baselineMetric).toMatchObject({
      frequencyUnit: null,
      observationPeriod: null,
      observationPeriodUnit: null,
    });
  });

  test("of an opportunity goal have only value, unit and success criteria", async () => {
    const { body } = await create(
      bodyOf("opportunity", { baselineMetric: { ...timesADay(12), publicId: "metric_mine" } }),
    );
    expect((body as Json).baselineMetric).toEqual({
      publicId: metricId,
      value: 12,
      unit: "FREQUENCY",
      successCriteria: "LESS_THAN_OR_EQUAL_TO",
    });
  });

  test("accept null in optional fields", async () => {
    const { frequencyUnit, observationPeriod, observationPeriodUnit, successCriteria, ...least } =
      timesADay(1);
    const nulls = {
      frequencyUnit: null,
      observationPeriod: null,
      observationPeriodUnit: null,
      successCriteria: null,
    };
    const { body } = await create(
      bodyOf("frequency_duration", { baselineMetric: { ...least, ...nulls } }),
    );
    expect((body as Json).baselineMetric).toEqual({ publicId: metricId, ...least, ...nulls });
  });
});

describe("enumerations accept each of their values", () => {
  const unit = (value: string) => ({ baselineMetric: { value: 1, unit: value } });
  const time = (name: string) => (value: string) => ({
    baselineMetric: { value: 1, unit: "COUNT", [name]: value },
  });
  const sets: [GoalType, string[], (value: string) => Json][] = [
    ["rating", statuses, (status) => ({ status })],
    ["frequency_duration", dataCollectionTypes, (type) => ({ dataCollectionType: type })],
    ["frequency_duration", units, unit],
    ["frequency_duration", timeUnits, time("frequencyUnit")],
    ["frequency_duration", timeUnits, time("observationPeriodUnit")],
    ["frequency_duration", criteria, time("successCriteria")],
    ["opportunity", units, unit],
    ["opportunity", criteria, time("successCriteria")],
    ["opportunity", skillTypes, (type) => ({ skillAcquisitionGoalType: type })],
    ["opportunity", outcomes, (outcome) => ({ enabledOutcomes: [outcome] })],
    ["interval", recordingTypes, (type) => ({ intervalRecordingType: type })],
  ];
  const cases = sets.flatMap(([type, values, fields]) =>
    values.map((value): [GoalType, Json] => [type, fields(value)]),
  );

  test.each(cases)("%s %j", async (type, fields) => {
    const { status, body } = await create(bodyOf(type, fields));
    expect(status).toBe(201);
    expect(body).toMatchObject(fields);
  });
});

describe("treatmentPlanId", () => {
  test("must be a plan of the organization", async () => {
    const { status, body } = await create(bodyOf("rating", { treatmentPlanId: "tp_unknown" }));
    const message = "The organization has no treatment plan with this id";
    const issue = { code: "custom", message, path: ["treatmentPlanId"] } as const;
    expect([status, body]).toEqual([400, refusedBody(issue as never)]);
  });

  test("is looked up after the body is validated", async () => {
    const { body } = await create({ type: "rating", treatmentPlanId: "tp_unknown" });
    expect(body).toEqual(
      refusedBody({ code: "invalid_type", message: "Required", path: ["title"] }),
    );
  });
});
