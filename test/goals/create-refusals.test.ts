import { describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import { type Json, refusedBody } from "../support/goals/bodies.ts";
import { newPractice } from "../support/goals/practice.ts";

/** POST /v1/goals: invalid types respond 400, and numbers are stored exactly (specification, section 4.8). */

const { service, key, bodyOf, create } = await newPractice();

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

describe("extreme numbers", () => {
  const raw = (text: string) =>
    service.call("POST /api/v1/goals", {
      key,
      headers: { "Content-Type": "application/json" },
      raw: JSON.stringify(bodyOf("interval", { window: "?" })).replace('"?"', text),
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
