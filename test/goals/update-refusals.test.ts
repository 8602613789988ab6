import { describe, expect, test } from "bun:test";
import type { GoalType } from "../../src/goals/models/common.ts";
import type { Issue } from "../../src/lib/errors.ts";
import { goalTypes, type Json, publicIdOf, refusedBody, step } from "../support/goals/bodies.ts";
import {
  commonRules,
  expectedAt,
  kindRules,
  pathOf,
  refusals,
  updateRules,
  withValue,
} from "../support/goals/field-rules.ts";
import { newPractice } from "../support/goals/practice.ts";

/** PATCH /v1/goals/{goalId}: invalid bodies respond 400 (specification, section 4.9). */

const { service, key, bodyOf, create, update } = await newPractice();

const ids = Object.fromEntries(
  await Promise.all(goalTypes.map(async (type) => [type, publicIdOf(await create(bodyOf(type)))])),
) as Record<GoalType, string>;

const { treatmentPlanId, status: statusRule, ...dates } = commonRules;

/** Every rule that an update of the goal type checks. */
const rulesOf = (type: GoalType) => ({
  ...(statusRule && { status: statusRule }),
  ...(type === "frequency_duration" || type === "opportunity" ? dates : {}),
  ...kindRules[type],
  ...updateRules[type],
});

/** A body in which every path has a parent object. */
const frame = (type: GoalType): Json => ({
  baselineMetric: {},
  successMetric: {},
  maintenanceMetric: {},
  ...(type === "opportunity" && {
    enabledOutcomes: ["SUCCESS", "FAILURE", "PROMPTED"],
    childGoals: [step("a", { childGoals: [step("b")] }), step("c", { childGoals: [] })],
  }),
});

describe.each(goalTypes)("%s", (type) => {
  test.each(refusals(rulesOf(type)))("%s: %j", async (name, value, issue) => {
    const { status, body } = await update(ids[type], withValue(frame(type), name, value));
    expect([status, body]).toEqual([400, refusedBody(issue)]);
  });
});

describe("null in a field that always has a value responds 400", () => {
  const metrics = ["baselineMetric", "successMetric", "maintenanceMetric"];
  const ofMetrics = metrics.flatMap((name) => [name, `${name}.value`, `${name}.unit`]);
  const skill = ["skillAcquisitionGoalType", "goalStatement", "enabledOutcomes", ...ofMetrics];
  const never: Record<GoalType, string[]> = {
    frequency_duration: ["status", "goalStatement", ...ofMetrics],
    opportunity: [
      "status",
      ...skill,
      "enabledOutcomes.1",
      "childGoals.1",
      ...skill.map((name) => `childGoals.1.${name}`),
    ],
    rating: ["status", "title"],
    interval: [
      "status",
      "title",
      "intervalDuration",
      "intervalQuantity",
      "sets",
      "intervalRecordingType",
    ],
  };
  const cases = goalTypes.flatMap((type) =>
    never[type].map((name): [GoalType, string] => [type, name]),
  );

  test.each(cases)("of a %s goal: %s", async (type, name) => {
    const { status, body } = await update(ids[type], withValue(frame(type), name, null));
    const rule = name === "enabledOutcomes.1" ? "enabledOutcomes.0" : name;
    const issue: Issue = {
      code: "invalid_type",
      message: `Expected ${expectedAt(rulesOf(type), rule)}, received null`,
      path: pathOf(name),
    };
    expect([status, body]).toEqual([400, refusedBody(issue)]);
  });
});

test("a new child goal has the required fields of a new goal", async () => {
  const { body } = await update(ids.opportunity, { childGoals: [{ goalStatement: "a" }] });
  const { details } = body as { details: Issue[] };
  expect(details.map(({ message, path }) => `${message}: ${path.join(".")}`)).toEqual([
    "Required: childGoals.0.skillAcquisitionGoalType",
    "Required: childGoals.0.enabledOutcomes",
    ...["baseline", "success", "maintenance"].flatMap((purpose) =>
      ["", ".value", ".unit"].map((field) => `Required: childGoals.0.${purpose}Metric${field}`),
    ),
  ]);
});

test("a refused update changes nothing", async () => {
  const before = await update(ids.opportunity, {});
  const { status } = await update(ids.opportunity, {
    status: "MASTERED",
    successMetric: { value: 1 },
    childGoals: [step("a")],
    minTrialsCount: -1,
  });
  expect(status).toBe(400);
  expect((await update(ids.opportunity, {})).text).toBe(before.text);
});

describe("a body that is not a JSON object", () => {
  const wrongType = (received: string): Issue => ({
    code: "invalid_type",
    message: received === "" ? "Required" : `Expected object, received ${received}`,
    path: [],
  });
  test.each([
    ["", wrongType("")],
    ["null", wrongType("null")],
    ["[]", wrongType("array")],
    ["5", wrongType("number")],
    ['"title"', wrongType("string")],
    [
      "{",
      { code: "custom", message: "Request body must be valid JSON in UTF-8", path: [] } as Issue,
    ],
  ])("%p responds 400, also for an unknown goal", async (raw, issue) => {
    for (const id of [ids.rating, "goal_unknown"]) {
      const { status, body } = await service.call(`PATCH /api/v1/goals/${id}`, {
        key,
        headers: { "Content-Type": "application/json" },
        raw,
      });
      expect([status, body]).toEqual([400, refusedBody(issue)]);
    }
  });
});
