import { describe, expect, test } from "bun:test";
import type { GoalType } from "../../src/goals/models/common.ts";
import type { Issue } from "../../src/lib/errors.ts";
import { goalTypes, type Json, optional, refusedBody, step } from "../support/goals/bodies.ts";
import {
  commonRules,
  expectedAt,
  kindRules,
  pathOf,
  refusals,
  withValue,
} from "../support/goals/field-rules.ts";
import { newPractice } from "../support/goals/practice.ts";

/** POST /v1/goals: invalid bodies respond 400 (specification, section 4.8). */

const { service, key, bodyOf, create, treatmentPlanId } = await newPractice();

/** A body with every field of the goal type. */
function completeBody(type: GoalType): Json {
  const children = [step("a", { childGoals: [step("b")] }), step("c", { childGoals: [] })];
  return bodyOf(type, {
    ...optional[type],
    ...(type === "opportunity" && {
      enabledOutcomes: ["SUCCESS", "FAILURE", "PROMPTED"],
      childGoals: children,
    }),
  });
}

describe.each(goalTypes)("%s", (type) => {
  const rules = { ...commonRules, ...kindRules[type] };

  test.each(refusals(rules))("%s: %j", async (name, value, issue) => {
    const { status, body } = await create(withValue(completeBody(type), name, value));
    expect([status, body]).toEqual([400, refusedBody(issue)]);
  });
});

describe("a required field", () => {
  const metrics = ["baselineMetric", "successMetric", "maintenanceMetric"];
  const ofMetrics = metrics.flatMap((name) => [name, `${name}.value`, `${name}.unit`]);
  const skill = ["skillAcquisitionGoalType", "goalStatement", "enabledOutcomes", ...ofMetrics];
  const requiredFields: Record<GoalType, string[]> = {
    frequency_duration: ["treatmentPlanId", "goalStatement", ...ofMetrics],
    opportunity: [
      "treatmentPlanId",
      ...skill,
      ...skill.map((name) => `childGoals.1.${name}`),
      ...skill.map((name) => `childGoals.0.childGoals.0.${name}`),
    ],
    rating: ["treatmentPlanId", "title"],
    interval: [
      "treatmentPlanId",
      "title",
      "intervalDuration",
      "intervalQuantity",
      "sets",
      "intervalRecordingType",
    ],
  };
  const cases = goalTypes.flatMap((type) =>
    requiredFields[type].map((name): [GoalType, string] => [type, name]),
  );

  test.each(cases)("of a %s goal: %s must be present and not null", async (type, name) => {
    const whole = completeBody(type);
    const [missing, none] = await Promise.all([
      create(withValue(whole, name, undefined)),
      create(withValue(whole, name, null)),
    ]);
    const expected = expectedAt({ ...commonRules, ...kindRules[type] }, name);
    const issue = (message: string): Issue => ({
      code: "invalid_type",
      message,
      path: pathOf(name),
    });
    // The required fields of a missing metric are listed, too.
    const below = /Metric$/.test(name) ? [`${name}.value`, `${name}.unit`] : [];
    const alsoMissing = below.map((field) => ({ ...issue("Required"), path: pathOf(field) }));
    expect([missing.status, missing.body]).toEqual([
      400,
      refusedBody(issue("Required"), ...alsoMissing),
    ]);
    expect([none.status, none.body]).toEqual([
      400,
      refusedBody(issue(`Expected ${expected}, received null`)),
    ]);
  });
});

describe("the type", () => {
  const issue: Issue = {
    code: "invalid_union_discriminator",
    message:
      "Invalid discriminator value. Expected 'frequency_duration' | 'opportunity' | 'rating' | 'interval'",
    path: ["type"],
  };

  const invalidTypes = [
    ...[undefined, null, "", "RATING", "rating ", "a\0", "constructor", "__proto__"],
    ...[5, true, ["rating"], { rating: true }],
  ];
  test.each(invalidTypes.map((type) => [type]))(
    "%j is not a goal type, and no other field is reported",
    async (type) => {
      const { status, body } = await create({ title: 5, type });
      expect([status, body]).toEqual([400, refusedBody(issue)]);
    },
  );
});

test("only the rules of the given type apply: common fields first, then its own, in the order of the schema", async () => {
  const { body } = await create({
    sets: 0,
    title: null,
    baselineDate: "yesterday",
    status: "DONE",
    type: "interval",
    goalStatement: 5,
    enabledOutcomes: "none",
    baselineMetric: [],
  });
  const { details } = body as { details: Issue[] };
  expect(details.map(({ code, path }) => [code, path.join(".")])).toEqual([
    ["invalid_type", "treatmentPlanId"],
    ["invalid_enum_value", "status"],
    ["invalid_date", "baselineDate"],
    ["invalid_type", "title"],
    ["invalid_type", "intervalDuration"],
    ["invalid_type", "intervalQuantity"],
    ["too_small", "sets"],
    ["invalid_type", "intervalRecordingType"],
  ]);
});

test("at most 50 issues are listed", async () => {
  const { body } = await create(
    bodyOf("opportunity", { childGoals: Array.from({ length: 60 }, () => 5) }),
  );
  const { details } = body as { details: Issue[] };
  expect([details.length, details.at(-1)?.path]).toEqual([50, ["childGoals", 49]]);
});

describe("a body that is not a JSON object", () => {
  const wrongType = (received: string): Issue => ({
    code: "invalid_type",
    message: received === "" ? "Required" : `Expected object, received ${received}`,
    path: [],
  });
  const notJson: Issue = {
    code: "custom",
    message: "Request body must be valid JSON in UTF-8",
    path: [],
  };
  test.each([
    ["", wrongType("")],
    ["null", wrongType("null")],
    ["[]", wrongType("array")],
    [`[{"type":"rating","title":"t","treatmentPlanId":"${treatmentPlanId}"}]`, wrongType("array")],
    ['"rating"', wrongType("string")],
    ["5", wrongType("number")],
    ["true", wrongType("boolean")],
    ["{", notJson],
    ["{'type':'rating'}", notJson],
    [new Uint8Array([0x22, 0xff, 0x22]), notJson],
    [`{"type":${"[".repeat(100_000)}`, notJson],
  ])("%p responds 400", async (raw, issue) => {
    const { status, body } = await service.call("POST /api/v1/goals", {
      key,
      headers: { "Content-Type": "application/json" },
      raw,
    });
    expect([status, body]).toEqual([400, refusedBody(issue)]);
  });
});

describe("extreme numbers", () => {
  const raw = (text: string) =>
    service.call("POST /api/v1/goals", {
      key,
      headers: { "Content-Type": "application/json" },
      raw: JSON.stringify(bodyOf("interval", { window: "?" })).replace('"?"', text),
    });

  test("beyond the range of a double respond 400", async () => {
    const { status, body } = await raw("1e400");
    expect([status, body]).toEqual([
      400,
      refusedBody({ code: "not_finite", message: "Number must be finite", path: ["window"] }),
    ]);
  });

  test.each([
    ["5e-324", 5e-324],
    ["0.1", 0.1],
    ["1", 1],
    ["1.0", 1],
    ["9007199254740993", 9007199254740992],
    ["1.7976931348623157e308", 1.7976931348623157e308],
  ])("%s is stored exactly", async (text, value) => {
    const { status, body } = await raw(text);
    expect([status, (body as Json).window]).toEqual([201, value]);
  });

  test.each([0, Number.MAX_SAFE_INTEGER])(
    "minTrialsCount %p is stored exactly",
    async (minTrialsCount) => {
      const { status, body } = await create(bodyOf("opportunity", { minTrialsCount }));
      expect([status, (body as Json).minTrialsCount]).toEqual([201, minTrialsCount]);
    },
  );
});
