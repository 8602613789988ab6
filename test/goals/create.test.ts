import { expect, test } from "bun:test";
import type { GoalType } from "../../src/goals/models/common.ts";
import {
  goalTypes,
  type Json,
  least,
  metricId,
  most,
  optional,
  refusedBody,
  timesADay,
} from "../support/goals/bodies.ts";
import { newPractice } from "../support/goals/practice.ts";
import { bodyOf, get, patch, plan, post } from "../support/goals/transcripts.ts";
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
import { statementsOf } from "../support/statements.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** POST /v1/goals: the stored goal, the response, and what is refused (specification, section 4.8). */

const practice = await transcripts();
const planned = practice(plan);

for (const type of goalTypes)
  planned(`a ${type} goal with the required fields, and with all: stored as in the response`, [
    post(type, {}, 201, whole(least[type])),
    post(type, optional[type], 201, "$whole"),
    ["GET goals", 200, { data: [{}, { publicId: "$goal" }] }],
    get("$goal", "$whole"),
    patch("$goal", {}, 200, whole(most[type])),
    get("$goal", "$whole"),
  ]);

const metric = (baselineMetric: Json) => ({ baselineMetric });
const { frequencyUnit, observationPeriod, observationPeriodUnit, successCriteria, ...bare } =
  timesADay(1);
const nulls = { frequencyUnit: null, observationPeriod: null, observationPeriodUnit: null };
const kept = { publicId: metricId, value: 12, successCriteria };

planned("metrics keep what their unit and type of goal have", [
  post("frequency_duration", metric(timesADay(-0.25)), 201, {
    baselineMetric: whole({ publicId: metricId, ...timesADay(-0.25) }),
  }),
  // Neither stored nor returned.
  post("frequency_duration", metric({ ...timesADay(12), unit: "PERCENTAGE" }), 201, {
    ...{ publicId: "$goal", baselineMetric: whole({ ...kept, unit: "PERCENTAGE" }) },
  }),
  patch("$goal", metric({ unit: "COUNT" }), 200, {
    baselineMetric: whole({ ...kept, unit: "COUNT", ...nulls }),
  }),
  post("opportunity", metric({ ...timesADay(12), publicId: "metric_mine" }), 201, {
    baselineMetric: whole({ ...kept, unit: "FREQUENCY" }),
  }),
  post("frequency_duration", metric({ ...bare, ...nulls, successCriteria: null }), 201, {
    baselineMetric: whole({ publicId: metricId, ...bare, ...nulls, successCriteria: null }),
  }),
]);

for (const type of ["rating", "interval"] as const)
  planned(`dates of a ${type} goal are stored, but not in the response`, [
    post(
      type,
      {
        baselineDate: "2026-03-01T09:00-05:00",
        targetAchievementDate: "2026-09-01T00:00:00.000999Z",
      },
      201,
      whole({ ...least[type], publicId: "$goal" }),
    ),
    [
      ...(["GET practice-file?types=goal&ids=$goal", 200] as const),
      [
        {},
        {
          baselineDate: "2026-03-01T14:00:00.000Z",
          targetAchievementDate: "2026-09-01T00:00:00.000Z",
        },
      ],
    ],
  ]);
planned("dates are returned in UTC with milliseconds", [
  post("opportunity", { baselineDate: "2026-03-01T09:00:00.5-05:00" }, 201, {
    baselineDate: "2026-03-01T14:00:00.500Z",
  }),
]);

const each = (type: GoalType, values: readonly unknown[], fields: (value: never) => Json) =>
  values.map((value) => post(type, fields(value as never), 201, fields(value as never)));
const unit = (value: string) => metric({ value: 1, unit: value });
const time = (name: string) => (value: string) =>
  metric({ value: 1, unit: "COUNT", [name]: value });
planned("enumerations accept each of their values, and numbers are stored exactly", [
  ...each("rating", statuses, (status) => ({ status })),
  ...each("frequency_duration", dataCollectionTypes, (type) => ({ dataCollectionType: type })),
  ...each("frequency_duration", units, unit),
  ...each("frequency_duration", timeUnits, time("frequencyUnit")),
  ...each("frequency_duration", timeUnits, time("observationPeriodUnit")),
  ...each("frequency_duration", criteria, time("successCriteria")),
  ...each("opportunity", units, unit),
  ...each("opportunity", criteria, time("successCriteria")),
  ...each("opportunity", skillTypes, (type) => ({ skillAcquisitionGoalType: type })),
  ...each("opportunity", outcomes, (outcome) => ({ enabledOutcomes: [outcome] })),
  ...each("interval", recordingTypes, (type) => ({ intervalRecordingType: type })),
  ...each("opportunity", [0, Number.MAX_SAFE_INTEGER], (count) => ({ minTrialsCount: count })),
  ...Object.entries({
    ...{ "5e-324": 5e-324, "0.1": 0.1, "1": 1, "1.0": 1, "9007199254740993": 9007199254740992 },
    "1.7976931348623157e308": 1.7976931348623157e308,
  }).map(([text, window]): Step => [
    "POST goals",
    JSON.stringify(bodyOf("interval", { window: "?" })).replace('"?"', text),
    ...([201, { window }] as const),
  ]),
]);

const noType = refusedBody({
  code: "invalid_union_discriminator",
  message:
    "Invalid discriminator value. Expected 'frequency_duration' | 'opportunity' | 'rating' | 'interval'",
  path: ["type"],
});
const refused = (sent: object, ...details: [code: string, ...path: string[]][]): Step => [
  ...(["POST goals", sent, 400] as const),
  { error: "Validation error", details: details.map(([code, ...path]) => ({ code, path })) },
];
planned("a body is refused by the rules of its type, and then for an unknown plan", [
  ...[undefined, null, "", "RATING", "rating ", "a\0", "constructor", "__proto__"].map(
    (type): Step => ["POST goals", { title: 5, type }, 400, noType],
  ),
  ...[5, true, ["rating"], { rating: true }].map((type): Step => [
    "POST goals",
    { title: 5, type },
    400,
    noType,
  ]),
  // Common fields first, then its own, in the order of the schema.
  refused(
    {
      ...{ sets: 0, title: null, baselineDate: "yesterday", status: "DONE", type: "interval" },
      ...{ goalStatement: 5, enabledOutcomes: "none", baselineMetric: [] },
    },
    ["invalid_type", "treatmentPlanId"],
    ["invalid_enum_value", "status"],
    ["invalid_date", "baselineDate"],
    ["invalid_type", "title"],
    ["invalid_type", "intervalDuration"],
    ["invalid_type", "intervalQuantity"],
    ["too_small", "sets"],
    ["invalid_type", "intervalRecordingType"],
  ),
  refused({ type: "rating", treatmentPlanId: "tp_unknown" }, ["invalid_type", "title"]),
  post("rating", { treatmentPlanId: "tp_unknown" }, 400, {
    ...refusedBody({
      code: "custom",
      message: "The organization has no treatment plan with this id",
      path: ["treatmentPlanId"],
    }),
  }),
  ["GET goals", 200, { data: [] }],
]);

const { bodyOf: ownBody, create } = await newPractice();

test.each(goalTypes)("%s: the response has its fields in the documented order", async (type) => {
  const { body } = await create(ownBody(type));
  expect(Object.keys(body as Json)).toEqual(Object.keys(least[type]));
});

test("the response is made from the rows that were written, without reading them back", async () => {
  const { result, statements } = await statementsOf(() => create(ownBody("opportunity")));
  expect(result.status).toBe(201);
  expect(statements.filter((text) => /^select .* from "goal/.test(text))).toEqual([]);
  expect(statements.some((text) => text.startsWith('insert into "goals"'))).toBe(true);
});
