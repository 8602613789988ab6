import { describe, expect, test } from "bun:test";
import { updateExamples } from "../../src/goals/examples.ts";
import type { GoalType } from "../../src/goals/models/common.ts";
import {
  goalTypes,
  type Json,
  optional,
  publicIdOf,
  timesADay,
  step,
} from "../support/goals/bodies.ts";
import { importedGoals, insertImportedGoals } from "../support/goals/imported-goals.ts";
import { newPractice } from "../support/goals/practice.ts";

/** PATCH /v1/goals/{goalId} (specification, section 4.9). */

const practice = await newPractice();
const { service, database, organization, treatmentPlanId, bodyOf, create, update } = practice;
const ids = await insertImportedGoals(database, organization, treatmentPlanId);

// Another organization has goals with the same ids.
const other = await newPractice(service);
await insertImportedGoals(database, other.organization, other.treatmentPlanId);

/** A new goal with every optional field, as its id and its response. */
async function newCompleteGoal(type: GoalType): Promise<{ id: string; whole: Json }> {
  const created = await create(bodyOf(type, optional[type]));
  return { id: publicIdOf(created), whole: created.body as Json };
}

describe.each(goalTypes)("an imported %s goal", (type) => {
  test("is returned unchanged by an empty update, with all recorded data", async () => {
    const { status, body } = await update(ids[type], {});
    expect([status, body]).toEqual([200, importedGoals[type]]);
  });

  test("keeps its type, ids and recorded data, whatever the body contains", async () => {
    const { status, body } = await update(ids[type], {
      type: type === "rating" ? "interval" : "rating",
      publicId: "goal_mine",
      organizationId: "org_other",
      treatmentPlanId: "tp_other",
      parentGoalId: "goal_calm",
      addedToTreatmentPlanAt: "2020-01-01T00:00:00.000Z",
      measurementType: "OTHER",
      behaviorInstances: null,
      skillTrials: [],
      ratingInstances: [],
      intervalSets: [],
      isActive: false,
      constructor: 5,
      nothing: "a\0b",
    });
    expect([status, body]).toEqual([200, importedGoals[type]]);
  });

  test("is not changed by `__proto__`", async () => {
    const { status, body } = await service.call(`PATCH /api/v1/goals/${ids[type]}`, {
      key: practice.key,
      headers: { "Content-Type": "application/json" },
      raw: '{"__proto__":{"status":"MASTERED","title":"Polluted"}}',
    });
    expect([status, body]).toEqual([200, importedGoals[type]]);
  });

  test("accepts the documented example", async () => {
    const { status, body } = await update(ids[type], updateExamples[type].value);
    expect([status, (body as Json).publicId]).toEqual([200, ids[type]]);
  });
});

describe("an update of one field changes only that field", () => {
  const ofSkill: Json = {
    goalStatement: "New",
    instructions: "",
    progressSummary: "New",
    baselineDate: "2025-01-01T00:00:00.000Z",
    targetAchievementDate: "2027-01-01T00:00:00.000Z",
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: false,
    status: "DISCONTINUED",
  };
  const fields: Record<GoalType, Json> = {
    frequency_duration: {
      ...ofSkill,
      targetMaladaptiveBehaviorName: "",
      definition: "New",
      isBehavior: false,
      dataCollectionType: "DURATION_ONLY",
    },
    opportunity: {
      ...ofSkill,
      skillAcquisitionGoalType: "CHAINED_GOAL",
      shortDescription: "New",
      skillCategory: "",
      minTrialsCount: 0,
      enabledOutcomes: ["NO_RESPONSE", "SUCCESS"],
    },
    rating: { title: "N", description: "N", instructions: "N", status: "DISCONTINUED" },
    interval: {
      title: "N",
      description: "N",
      instructions: "N",
      status: "DISCONTINUED",
      intervalDuration: 0.25,
      intervalQuantity: 1,
      sets: 2,
      window: 1,
      intervalRecordingType: "PARTIAL",
    },
  };
  const cases = goalTypes.flatMap((type) =>
    Object.entries(fields[type]).map(([name, value]): [GoalType, string, unknown] => [
      type,
      name,
      value,
    ]),
  );

  test.each(cases)("%s: %s", async (type, name, value) => {
    const { id, whole } = await newCompleteGoal(type);
    const { status, body } = await update(id, { [name]: value });
    expect([status, body]).toEqual([200, { ...whole, [name]: value }]);
    expect(whole[name]).not.toEqual(value);
  });

  test.each(goalTypes)("%s: all fields at once", async (type) => {
    const { id, whole } = await newCompleteGoal(type);
    const { status, body } = await update(id, fields[type]);
    expect([status, body]).toEqual([200, { ...whole, ...fields[type] }]);
  });
});

describe("null clears an optional field", () => {
  const ofSkill = {
    instructions: null,
    baselineDate: null,
    targetAchievementDate: null,
    autoProgressToMaintenanceEnabled: false,
    autoProgressToMasteredEnabled: false,
  };
  /** The value after null: the default of a new goal. */
  const cleared: Record<GoalType, Json> = {
    frequency_duration: {
      ...ofSkill,
      targetMaladaptiveBehaviorName: null,
      definition: null,
      progressSummary: null,
      isBehavior: false,
      dataCollectionType: null,
    },
    opportunity: {
      ...ofSkill,
      shortDescription: null,
      skillCategory: null,
      progressSummary: null,
      minTrialsCount: null,
      childGoals: [],
    },
    rating: { description: null, instructions: null },
    interval: { description: null, instructions: null, window: null },
  };
  const cases = goalTypes.flatMap((type) =>
    Object.entries(cleared[type]).map(([name, value]): [GoalType, string, unknown] => [
      type,
      name,
      value,
    ]),
  );

  test.each(cases)("%s: %s", async (type, name, value) => {
    const { id, whole } = await newCompleteGoal(type);
    const { status, body } = await update(id, { [name]: null });
    expect([status, body]).toEqual([200, { ...whole, [name]: value }]);
  });

  test("null resets orderAmongSiblings to 0", async () => {
    const { whole } = await newCompleteGoal("opportunity");
    const [, { publicId: id }] = whole.childGoals as [unknown, { publicId: string }];
    await update(id, { orderAmongSiblings: 3 });
    await update(id, { orderAmongSiblings: null });
    expect((await practice.storedGoal(id))?.orderAmongSiblings).toBe(0);
  });
});

describe("metrics are merged field by field and keep their ids", () => {
  const metricAfter = async (before: Json, change: Json): Promise<[unknown, unknown]> => {
    const created = await create(bodyOf("frequency_duration", { successMetric: before }));
    const { body } = await update(publicIdOf(created), { successMetric: change });
    const { successMetric: after, ...rest } = body as Json;
    const { successMetric, ...unchanged } = created.body as Json;
    expect(rest).toEqual(unchanged);
    const { publicId } = successMetric as Json;
    return [after, publicId];
  };

  const full = timesADay(2);
  const { value, unit, frequencyUnit, observationPeriod, observationPeriodUnit } = full;
  const time = { frequencyUnit, observationPeriod, observationPeriodUnit };
  const noTime = { frequencyUnit: null, observationPeriod: null, observationPeriodUnit: null };
  const bare = { value, unit, ...noTime, successCriteria: null };

  test.each<[string, Json, Json, Json]>([
    ["an empty update", full, {}, full],
    ["the value", full, { value: -3.5 }, { ...full, value: -3.5 }],
    ["the frequency unit", full, { frequencyUnit: "WEEKS" }, { ...full, frequencyUnit: "WEEKS" }],
    ["the observation period", full, { observationPeriod: 0 }, { ...full, observationPeriod: 0 }],
    [
      "its unit",
      full,
      { observationPeriodUnit: "MONTHS" },
      { ...full, observationPeriodUnit: "MONTHS" },
    ],
    [
      "the success criteria",
      full,
      { successCriteria: "EQUAL_TO" },
      { ...full, successCriteria: "EQUAL_TO" },
    ],
    ["null in all optional fields", full, { ...noTime, successCriteria: null }, bare],
    ["all fields that were absent", { value, unit }, time, { ...bare, ...time }],
    ["an id, which is ignored", full, { publicId: "metric_mine" }, full],
    [
      "PERCENTAGE, which removes the frequency",
      full,
      { unit: "PERCENTAGE" },
      { value, unit: "PERCENTAGE", successCriteria: full.successCriteria },
    ],
    [
      "PERCENTAGE with a frequency, which is ignored",
      full,
      { unit: "PERCENTAGE", ...time },
      { value, unit: "PERCENTAGE", successCriteria: full.successCriteria },
    ],
    [
      "a frequency for PERCENTAGE, which is ignored",
      { value, unit: "PERCENTAGE" },
      time,
      { value, unit: "PERCENTAGE", successCriteria: null },
    ],
    [
      "another unit than PERCENTAGE",
      { value, unit: "PERCENTAGE" },
      { unit, ...time },
      { ...bare, ...time },
    ],
  ])("%s", async (_, before, change, after) => {
    const [metric, publicId] = await metricAfter(before, change);
    expect(metric).toEqual({ publicId, ...after });
  });

  test("a frequency that PERCENTAGE removed does not come back", async () => {
    const created = await create(bodyOf("frequency_duration", { successMetric: full }));
    await update(publicIdOf(created), { successMetric: { unit: "PERCENTAGE" } });
    const { body } = await update(publicIdOf(created), { successMetric: { unit } });
    expect((body as Json).successMetric).toMatchObject({ ...noTime, unit });
  });

  test("metrics of an opportunity goal are merged the same way", async () => {
    const { id, whole } = await newCompleteGoal("opportunity");
    const { body } = await update(id, {
      baselineMetric: { value: 11, frequencyUnit: "DAYS" },
      maintenanceMetric: { successCriteria: "EQUAL_TO" },
    });
    expect(body).toEqual({
      ...whole,
      baselineMetric: { ...(whole.baselineMetric as Json), value: 11 },
      maintenanceMetric: { ...(whole.maintenanceMetric as Json), successCriteria: "EQUAL_TO" },
    });
  });
});

describe("fields of other goal types are ignored", () => {
  test.each(["rating", "interval"] as const)(
    "a %s goal's dates cannot be updated, as responses do not have them",
    async (type) => {
      const { id, whole } = await newCompleteGoal(type);
      const { status, body } = await update(id, {
        baselineDate: "no date",
        targetAchievementDate: null,
        goalStatement: 5,
        childGoals: 5,
        baselineMetric: 5,
      });
      expect([status, body]).toEqual([200, whole]);
      expect(await practice.storedGoal(id)).toMatchObject({
        baselineDate: optional[type].baselineDate,
        targetAchievementDate: optional[type].targetAchievementDate,
      });
    },
  );

  test("title of a frequency_duration goal, definition of an opportunity goal", async () => {
    const measured = await newCompleteGoal("frequency_duration");
    const skill = await newCompleteGoal("opportunity");
    const answers = await Promise.all([
      update(measured.id, { title: 5, minTrialsCount: "x", childGoals: [5], window: 0 }),
      update(skill.id, { definition: 5, isBehavior: "x", dataCollectionType: "x", sets: 0 }),
    ]);
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, measured.whole],
      [200, skill.whole],
    ]);
  });
});

describe("only the addressed goal changes", () => {
  test("another goal of the same plan does not change", async () => {
    const [goal, neighbour] = await Promise.all([
      newCompleteGoal("rating"),
      newCompleteGoal("rating"),
    ]);
    await update(goal.id, { title: "Changed" });
    expect((await update(neighbour.id, {})).body).toEqual(neighbour.whole);
  });

  test.each(goalTypes)(
    "the %s goal with the same id in another organization does not change",
    async (type) => {
      const metrics = { baselineMetric: { value: 1 }, childGoals: [] };
      await update(ids[type], { status: "ARCHIVED", ...metrics });
      expect((await other.update(ids[type], {})).body).toEqual(importedGoals[type]);
    },
  );
});

test("a refused update changes nothing", async () => {
  const id = publicIdOf(await create(bodyOf("opportunity")));
  const before = await update(id, {});
  const { status } = await update(id, {
    status: "MASTERED",
    successMetric: { value: 1 },
    childGoals: [step("a")],
    minTrialsCount: -1,
  });
  expect(status).toBe(400);
  expect((await update(id, {})).text).toBe(before.text);
});
