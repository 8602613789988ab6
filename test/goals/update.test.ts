import { updateExamples } from "../../src/goals/examples.ts";
import type { GoalType } from "../../src/goals/models/common.ts";
import { goalTypes, type Json, most, optional, step, timesADay } from "../support/goals/bodies.ts";
import { importedGoals, importedLines } from "../support/goals/imported-goals.ts";
import { child, get, line, patch, plan, post, unknown } from "../support/goals/transcripts.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** PATCH /v1/goals/{goalId} (specification, section 4.9). */

const practice = await transcripts();
const planned = practice(plan);
const imported = [...plan, ...importedLines];

for (const type of goalTypes) {
  const goal = importedGoals[type];
  practice(imported, { elsewhere: imported })(
    `an imported ${type} goal keeps its type, ids and recorded data, whatever the body contains`,
    [
      patch(goal.publicId, {}, 200, whole(goal)),
      patch(
        goal.publicId,
        {
          ...{ type: type === "rating" ? "interval" : "rating", publicId: "goal_mine" },
          ...{ organizationId: "org_other", treatmentPlanId: "tp_other", isActive: false },
          ...{ parentGoalId: "goal_calm", addedToTreatmentPlanAt: "2020-01-01T00:00:00.000Z" },
          ...{ measurementType: "OTHER", behaviorInstances: null, skillTrials: [] },
          ...{ ratingInstances: [], intervalSets: [], constructor: 5, nothing: "a\0b" },
        },
        200,
        whole(goal),
      ),
      patch(
        goal.publicId,
        '{"__proto__":{"status":"MASTERED","title":"Polluted"}}',
        200,
        whole(goal),
      ),
      patch(goal.publicId, updateExamples[type].value, 200, { publicId: goal.publicId }),
      patch(goal.publicId, { status: "ARCHIVED", baselineMetric: { value: 1 } }, 200, {
        status: "ARCHIVED",
      }),
      patch(goal.publicId, { childGoals: [] }, 200),
      // Neither another goal nor the one with the same id in another organization has changed.
      ...Object.values(importedGoals).flatMap((other): Step[] => [
        [`elsewhere: GET goals/${other.publicId}`, 200, whole(other)],
        ...(other === goal ? [] : [get(other.publicId, whole(other))]),
      ]),
    ],
  );
}

const ofMetrics: Json = {
  goalStatement: "New",
  instructions: "",
  progressSummary: "New",
  baselineDate: "2025-01-01T00:00:00.000Z",
  targetAchievementDate: "2027-01-01T00:00:00.000Z",
  autoProgressToMaintenanceEnabled: false,
  autoProgressToMasteredEnabled: false,
  status: "DISCONTINUED",
};
/** Another value of each field than `optional` has. */
const fields: Record<GoalType, Json> = {
  frequency_duration: {
    ...ofMetrics,
    targetMaladaptiveBehaviorName: "",
    definition: "New",
    isBehavior: false,
    dataCollectionType: "DURATION_ONLY",
  },
  opportunity: {
    ...ofMetrics,
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
const withoutDefaults = {
  instructions: null,
  baselineDate: null,
  targetAchievementDate: null,
  autoProgressToMaintenanceEnabled: false,
  autoProgressToMasteredEnabled: false,
};
/** The values after null: the defaults of a new goal. */
const cleared: Record<GoalType, Json> = {
  frequency_duration: {
    ...withoutDefaults,
    targetMaladaptiveBehaviorName: null,
    definition: null,
    progressSummary: null,
    isBehavior: false,
    dataCollectionType: null,
  },
  opportunity: {
    ...withoutDefaults,
    shortDescription: null,
    skillCategory: null,
    progressSummary: null,
    minTrialsCount: null,
    childGoals: [],
  },
  rating: { description: null, instructions: null },
  interval: { description: null, instructions: null, window: null },
};

/** Updates of one field after the other, with the whole goal after each. */
function oneByOne(whole: Json, updates: Json, sent: (value: unknown) => unknown): [Json, Json][] {
  let goal = whole;
  return Object.entries(updates).map(([name, value]) => {
    goal = { ...goal, [name]: value };
    return [{ [name]: sent(value) }, goal];
  });
}

for (const type of goalTypes)
  planned(`a ${type} goal: one field changes only that field, and null clears optional ones`, [
    post(type, optional[type], 201, { publicId: "$goal" }),
    ...oneByOne(most[type], fields[type], (value) => value).map(([sent, goal]) =>
      patch("$goal", sent, 200, whole(goal)),
    ),
    post(type, optional[type], 201, { publicId: "$other" }),
    patch("$other", fields[type], 200, whole({ ...most[type], ...fields[type] })),
    post(type, optional[type], 201, { publicId: "$cleared" }),
    ...oneByOne(most[type], cleared[type], () => null).map(([sent, goal]) =>
      patch("$cleared", sent, 200, whole(goal)),
    ),
    get("$goal", whole({ ...most[type], ...fields[type] })),
  ]);

const full = timesADay(2);
const { value, unit, frequencyUnit, observationPeriod, observationPeriodUnit } = full;
const time = { frequencyUnit, observationPeriod, observationPeriodUnit };
const noTime = { frequencyUnit: null, observationPeriod: null, observationPeriodUnit: null };
const bare = { value, unit, ...noTime, successCriteria: null };
const percentage = { value, unit: "PERCENTAGE", successCriteria: full.successCriteria };

const merged: [before: Json, change: Json, after: Json][] = [
  [full, {}, full],
  [full, { value: -3.5 }, { ...full, value: -3.5 }],
  [full, { frequencyUnit: "WEEKS" }, { ...full, frequencyUnit: "WEEKS" }],
  [full, { observationPeriod: 0 }, { ...full, observationPeriod: 0 }],
  [full, { observationPeriodUnit: "MONTHS" }, { ...full, observationPeriodUnit: "MONTHS" }],
  [full, { successCriteria: "EQUAL_TO" }, { ...full, successCriteria: "EQUAL_TO" }],
  [full, { ...noTime, successCriteria: null }, bare],
  [{ value, unit }, time, { ...bare, ...time }],
  // An id is ignored, and so is a frequency for PERCENTAGE, which removes it.
  [full, { publicId: "metric_mine" }, full],
  [full, { unit: "PERCENTAGE" }, percentage],
  [full, { unit: "PERCENTAGE", ...time }, percentage],
  [{ value, unit: "PERCENTAGE" }, time, { ...percentage, successCriteria: null }],
  [
    { value, unit: "PERCENTAGE" },
    { unit, ...time },
    { ...bare, ...time },
  ],
];
for (const [before, change, after] of merged)
  planned(`a metric ${JSON.stringify(before)} is merged with ${JSON.stringify(change)}`, [
    post("frequency_duration", { ...optional.frequency_duration, successMetric: before }, 201, {
      ...{ publicId: "$goal", successMetric: { publicId: "$metric" } },
    }),
    patch(
      "$goal",
      { successMetric: change },
      200,
      whole({
        ...{ ...most.frequency_duration, successMetric: { publicId: "$metric", ...after } },
      }),
    ),
  ]);

planned("a frequency that PERCENTAGE removed does not come back", [
  post("frequency_duration", { successMetric: full }, 201, { publicId: "$goal" }),
  patch("$goal", { successMetric: { unit: "PERCENTAGE" } }, 200),
  patch("$goal", { successMetric: { unit } }, 200, { successMetric: { ...noTime, unit } }),
]);

planned("metrics of an opportunity goal are merged the same way", [
  post("opportunity", optional.opportunity, 201, {
    publicId: "$goal",
    ...{ baselineMetric: { publicId: "$baseline" }, maintenanceMetric: { publicId: "$later" } },
  }),
  patch(
    "$goal",
    {
      baselineMetric: { value: 11, frequencyUnit: "DAYS" },
      maintenanceMetric: { successCriteria: "EQUAL_TO" },
    },
    200,
    whole({
      ...most.opportunity,
      baselineMetric: {
        ...{ publicId: "$baseline", value: 11, unit: "PERCENTAGE", successCriteria: null },
      },
      maintenanceMetric: {
        ...{ publicId: "$later", value: 70, unit: "PERCENTAGE", successCriteria: "EQUAL_TO" },
      },
    }),
  ),
]);

const dates = { baselineDate: "no date", targetAchievementDate: null };
const ofOthers: Record<GoalType, Json> = {
  frequency_duration: { title: 5, minTrialsCount: "x", childGoals: [5], window: 0 },
  opportunity: { definition: 5, isBehavior: "x", dataCollectionType: "x", sets: 0 },
  // Dates of these cannot be updated, as responses do not have them.
  rating: { ...dates, goalStatement: 5, childGoals: 5, baselineMetric: 5 },
  interval: { ...dates, goalStatement: 5, childGoals: 5, baselineMetric: 5 },
};
for (const type of goalTypes)
  planned(`a ${type} goal ignores fields of other types`, [
    post(type, optional[type], 201, { publicId: "$goal" }),
    ["GET practice-file?types=goal&ids=$goal", 200, "$line"],
    patch("$goal", ofOthers[type], 200, whole(most[type])),
    ["GET practice-file?types=goal&ids=$goal", 200, "$line"],
  ]);

planned("a refused update changes nothing", [
  post("opportunity", {}, 201, "$whole"),
  ["GET goals", 200, { data: [{ publicId: "$goal" }] }],
  patch(
    "$goal",
    {
      ...{ status: "MASTERED", successMetric: { value: 1 }, childGoals: [step("a")] },
      minTrialsCount: -1,
    },
    400,
    { error: "Validation error", details: [{ path: ["minTrialsCount"] }] },
  ),
  get("$goal", "$whole"),
]);

const changed = (since: number) => ({ error: `Has changed since ${since}` });
const refused = (code: string, message: string) => ({
  ...{ error: "Validation error", details: [{ code, message, path: ["unchangedSince"] }] },
});
const both = (since: string | number, status: number, body: object): Step[] => [
  patch(`goal_1?unchangedSince=${since}`, { instructions: "Slowly." }, status, body),
  [`DELETE goals/goal_1?unchangedSince=${since}`, status, body],
];
const tree = [...plan, line("goal_1", "opportunity", { childGoals: [child("goal_2")] })];
practice(tree)("with unchangedSince, a goal is updated and deleted unless it has changed since", [
  // What changes nothing is no change.
  patch("goal_1?unchangedSince=1", {}, 200),
  patch("goal_1?unchangedSince=1", { status: "IN_PROGRESS" }, 200),
  patch("goal_1?unchangedSince=2", { status: "IN_PROGRESS" }, 200),
  patch("goal_1?unchangedSince=2", { instructions: "At the sink." }, 200),
  ...both(2, 412, changed(2)),
  patch("goal_2?unchangedSince=2", { instructions: "Slowly." }, 412, changed(2)),
  // A change of a child goal is one of its goal.
  patch("goal_2?unchangedSince=3", { instructions: "Slowly." }, 200),
  ...both(3, 412, changed(3)),
  ...both(99, 400, refused("custom", "Is above the sequence of the last write")),
  ...both("1.5", 400, refused("invalid_type", "Expected integer, received string")),
  ["DELETE goals/goal_1?unchangedSince=4", 200, { success: true }],
  ...both(4, 404, unknown),
  ...both(2, 404, unknown),
]);
practice(tree, { organization: { sequence: 1_000_000_001, changes_known_from: 1_000_000_001 } })(
  "since a sequence that is no longer known",
  both(1, 410, { error: "Changes since 1 are no longer known; export everything" }),
);
