import { expect, test } from "bun:test";
import fc from "fast-check";
import { daysOfEntries } from "../../src/goals/document.ts";
import { insert, newGoal } from "../support/factories.ts";
import { type Answer, NOW } from "../support/harness.ts";
import {
  goalId,
  type Json,
  publicIdOf,
  refusedBody,
  shownStep,
  step,
} from "../support/goals/bodies.ts";
import { newPractice } from "../support/goals/practice.ts";
import { child, get, line, patch, plan, post, unknown } from "../support/goals/transcripts.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** Child goals, the steps of a task analysis, in POST /v1/goals and PATCH /v1/goals/{goalId}. */

const practice = await transcripts();
const planned = practice(plan, {
  elsewhere: [
    ...plan,
    line("goal_theirs", "opportunity", { childGoals: [child("goal_elsewhere")] }),
  ],
});

/** Every optional field of a child goal. */
const everything = {
  ...{ status: "IN_PROGRESS", shortDescription: "Hands", instructions: "At the sink." },
  ...{ skillCategory: "Daily living", progressSummary: "Half of the steps.", minTrialsCount: 3 },
  ...{ baselineDate: "2026-03-01T14:00:00.000Z" },
  ...{ targetAchievementDate: "2026-09-01T00:00:00.000Z" },
  ...{ autoProgressToMaintenanceEnabled: true, autoProgressToMasteredEnabled: true },
};
const { status: _, ...optional } = everything;
const nulls = Object.fromEntries(Object.keys(optional).map((name) => [name, null]));
const trial = { publicId: "trial_1", outcome: "SUCCESS", happenedAt: NOW };

/**
 * An issue's path has at most 64 elements: two for each of 31 goals, and those of a field of a
 * metric.
 */
const DEEPEST = 31;
const nested = (depth: number): Json =>
  step(`at ${depth}`, depth === 1 ? {} : { childGoals: [nested(depth - 1)] });
const shownNested = (depth: number): Json => ({
  ...shownStep(`at ${depth}`),
  ...(depth === 1 ? { publicId: "$deepest" } : { childGoals: [shownNested(depth - 1)] }),
});
const refused = (code: "custom" | "too_big", message: string, ...path: (string | number)[]) =>
  refusedBody({ code, message, path });
const tooDeep = (...path: (string | number)[]) =>
  refused("too_big", "Nested too deeply", ...path, "childGoals");
const created = (childGoals: Json[], shown: unknown, publicId = goalId): Step =>
  post("opportunity", { childGoals }, 201, { publicId, childGoals: shown });
const stated = (...names: string[]) => names.map((goalStatement) => ({ goalStatement }));

planned("children have all fields of their type, their defaults, and an order among siblings", [
  created([step("a", { childGoals: [step("b", everything)] })], [{ childGoals: [everything] }]),
  created([step("a"), step("b", nulls)], [whole(shownStep("a")), whole(shownStep("b"))]),
  created(
    ["c", "a", "b"].map((name) => step(name, { status: "MASTERED" })),
    ["c", "a", "b"].map((name) => whole({ ...shownStep(name), status: "MASTERED" })),
  ),
  created([step("a", { orderAmongSiblings: 9 }), step("b"), step("c")], stated("b", "c", "a")),
  created([nested(DEEPEST)], [whole(shownNested(DEEPEST))]),
  post(
    "opportunity",
    { childGoals: [nested(DEEPEST + 1)] },
    400,
    tooDeep(...Array.from({ length: DEEPEST }, () => ["childGoals", 0]).flat()),
  ),
  // By its own id a goal is as deep in its tree.
  patch("$deepest", { childGoals: [step("a")] }, 400, tooDeep()),
]);

const steps = Array.from({ length: 499 }, (_, index) => `Step ${index}`);
planned("499 children can be created at once", [
  created(
    steps.map((name) => step(name)),
    stated(...steps),
  ),
]);

const tree: Step[] = [
  created(
    [step("a", { childGoals: [step("b")] }), step("c")],
    [{ publicId: "$a", childGoals: [{ publicId: "$b" }] }, { publicId: "$c" }],
    "$goal",
  ),
  ...[get("$goal", "$whole"), get("$a", "$first"), get("$c", "$second"), get("$b", "$below")],
];
const gone = (...ids: string[]) => ids.map((id): Step => [`GET goals/${id}`, 404, unknown]);
/** The tree with other children, and nothing else. */
const withChildren = (...childGoals: unknown[]) =>
  whole({
    ...{ ...shownStep("Washes hands."), publicId: "$goal", enabledOutcomes: [] },
    skillAcquisitionGoalType: "SINGLE_TARGET_GOAL",
    baselineMetric: expect.anything(),
    successMetric: expect.anything(),
    maintenanceMetric: expect.anything(),
    childGoals,
  });
const replace = (childGoals: unknown, ...shown: unknown[]): Step =>
  patch("$goal", { childGoals }, 200, withChildren(...shown));

planned("a list replaces the children and deletes those left out, with their descendants", [
  ...tree,
  replace(
    [step("z", { childGoals: [step("y")] }), step("x"), step("a")],
    { ...shownStep("z"), childGoals: [shownStep("y")] },
    ...[shownStep("x"), shownStep("a")],
  ),
  ...gone("$a", "$b", "$c"),
]);
for (const none of [[], null])
  planned(`${JSON.stringify(none)} deletes all children`, [
    ...tree,
    replace(none),
    ...gone("$a", "$b", "$c"),
    get("$goal", withChildren()),
  ]);

planned("an item with the id of a child updates the given fields of that child", [
  ...tree,
  replace(
    [{ publicId: "$c", status: "MASTERED", successMetric: { value: 70 } }, { publicId: "$a" }],
    {
      ...{ ...shownStep("c"), publicId: "$c", status: "MASTERED" },
      successMetric: {
        ...{ publicId: expect.anything(), value: 70, unit: "PERCENTAGE", successCriteria: null },
      },
    },
    "$first",
  ),
]);

const first = { ...shownStep("a"), publicId: "$a", childGoals: ["$below"], skillTrials: [trial] };
planned("an update of a child keeps what is recorded and accepts all fields, and null", [
  ...tree,
  ["POST goals/$a/recorded-data", { entries: [trial] }, 201],
  replace(
    [{ publicId: "$a", ...everything, skillTrials: [] }, "$second"],
    { ...first, ...everything },
    "$second",
  ),
  replace(
    [{ publicId: "$a", ...nulls }, { publicId: "$c" }],
    { ...first, status: "IN_PROGRESS" },
    "$second",
  ),
]);

planned("new and existing children may be mixed", [
  ...tree,
  replace([step("new"), { publicId: "$c" }], shownStep("new"), "$second"),
  ...gone("$a", "$b"),
]);

planned("nested children follow the same rules", [
  ...tree,
  replace(
    [
      {
        publicId: "$a",
        childGoals: [{ publicId: "$b", instructions: "Slowly." }, step("new")],
      },
      "$second",
    ],
    {
      ...{ ...shownStep("a"), publicId: "$a" },
      childGoals: [
        { ...shownStep("b"), publicId: "$b", instructions: "Slowly." },
        shownStep("new"),
      ],
    },
    "$second",
  ),
]);

const at = (...indexes: number[]) => [
  ...indexes.flatMap((index) => ["childGoals", index]),
  "publicId",
];
const noChild = "Must be the id of a child of this goal, and must occur only once in the list";
planned("an id that is not a child responds 400 at that id, and nothing changes", [
  post("opportunity", { childGoals: [step("n")] }, 201, { childGoals: [{ publicId: "$other" }] }),
  ...tree,
  ...(
    [
      [["$first", { publicId: "goal_none" }], 1],
      [[{ publicId: "" }, "$first"], 0],
      [["$first", "$second", "$first"], 2],
      [[{ publicId: "$goal" }], 0],
      [["$below"], 0],
      [[{ publicId: "$c", childGoals: ["$first"] }], 0, 0],
      [[step("new", { childGoals: [step("newer"), "$below"] })], 0, 1],
      [[{ publicId: "$other" }], 0],
      [[{ publicId: "goal_elsewhere" }], 0],
    ] as const
  ).map(([childGoals, ...indexes]) =>
    patch(
      "$goal",
      { childGoals, status: "ARCHIVED" },
      400,
      refused("custom", noChild, ...at(...indexes)),
    ),
  ),
  ...(
    [
      [5, "number"],
      [["goal_1"], "array"],
    ] as const
  ).map(([publicId, type]) =>
    patch(
      "$goal",
      { childGoals: [step("whole", { publicId })] },
      400,
      refusedBody({
        ...{ code: "invalid_type", message: `Expected string, received ${type}`, path: at(0) },
      }),
    ),
  ),
  get("$goal", "$whole"),
]);

planned("an item without an id is validated as a new goal, one with an id as an update", [
  ...tree,
  patch(
    "$goal",
    {
      childGoals: [
        { publicId: "$a", goalStatement: "", minTrialsCount: 0.5, status: null },
        ...[{ goalStatement: "new" }, { publicId: 5 }, "goal_none"],
      ],
    },
    400,
    {
      details: [
        ["too_small", 0, "goalStatement"],
        ["invalid_type", 0, "status"],
        ["invalid_type", 0, "minTrialsCount"],
        ["invalid_type", 1, "skillAcquisitionGoalType"],
        ["invalid_type", 1, "enabledOutcomes"],
        ...["baseline", "success", "maintenance"].flatMap((purpose) =>
          [[], ["value"], ["unit"]].map((field) => [
            ...["invalid_type", 1, `${purpose}Metric`, ...field],
          ]),
        ),
        ["invalid_type", 2, "publicId"],
        ["invalid_type", 3],
      ].map(([code, ...path]) => ({ code, path: ["childGoals", ...path] })),
    },
  ),
]);

planned("the children of another goal are not changed", [
  ...tree,
  post("opportunity", { childGoals: [step("n")] }, 201, { publicId: "$neighbour" }),
  patch("$neighbour", { childGoals: [] }, 200),
  get("$goal", "$whole"),
]);

const ordered = (...names: string[]) => get("$goal", { childGoals: stated(...names) });
planned("a child is updated, ordered and deleted by its own id", [
  created(
    ["a", "b", "c"].map((name) => step(name)),
    ["$a", "$b", "$c"].map((publicId) => ({ publicId })),
    "$goal",
  ),
  patch(
    "$b",
    { status: "MASTERED", childGoals: [step("below")] },
    200,
    whole({
      ...{ ...shownStep("b"), publicId: "$b", status: "MASTERED" },
      childGoals: [shownStep("below")],
    }),
  ),
  get("$b", "$changed"),
  get("$goal", { childGoals: [{ publicId: "$a" }, "$changed", { publicId: "$c" }] }),
  // Equal values come by creation.
  patch("$a", { orderAmongSiblings: 10 }, 200),
  ordered("b", "c", "a"),
  patch("$c", { orderAmongSiblings: -10 }, 200),
  ordered("c", "b", "a"),
  patch("$b", { orderAmongSiblings: 10 }, 200),
  ordered("c", "a", "b"),
  // An update without it leaves it.
  patch("$c", { status: "ON_HOLD" }, 200),
  patch("$a", { status: "ON_HOLD" }, 200),
  ordered("c", "a", "b"),
  // `null` is 0.
  patch("$a", { orderAmongSiblings: null }, 200),
  ordered("c", "a", "b"),
  patch("$c", { orderAmongSiblings: 1 }, 200),
  ordered("a", "c", "b"),
  ["DELETE goals/$c", 200, { success: true }],
  ordered("a", "b"),
]);

planned("children below the deepest level but one", [
  created([nested(DEEPEST - 1)], [shownNested(DEEPEST - 1)]),
  patch("$deepest", { childGoals: [step("a"), nested(2)] }, 400, tooDeep()),
  patch("$deepest", { childGoals: [step("a"), step("b")] }, 200, { childGoals: stated("a", "b") }),
]);

const skillTrials = [trial];
practice([
  ...plan,
  line("goal_1", "opportunity", { skillTrials, childGoals: [child("goal_2", { skillTrials })] }),
])("what was recorded on replaced children is deleted with them", [
  patch("goal_1", { childGoals: [] }, 200, { skillTrials }),
  ["POST practice-file", [line("goal_1", "opportunity", { childGoals: [child("goal_2")] })], 200],
  get("goal_1", { skillTrials, childGoals: [{ publicId: "goal_2", skillTrials: [] }] }),
]);

const { database, organization, bodyOf, create, update, storedGoal } = await newPractice();
const childrenOf = ({ body }: Answer): Json[] => (body as { childGoals: Json[] }).childGoals;

test("orderAmongSiblings: null is stored as 0", async () => {
  const [child] = childrenOf(await create(bodyOf("opportunity", { childGoals: [step("a")] })));
  const id = child?.publicId as string;
  await update(id, { orderAmongSiblings: 3 });
  await update(id, { orderAmongSiblings: null });
  expect((await storedGoal(id))?.orderAmongSiblings).toBe(0);
});

test("each goal and metric of a tree has its own id; children sent without theirs get new ones", async () => {
  const tree = await create(
    bodyOf("opportunity", { childGoals: [step("a", { childGoals: [step("b")] }), step("c")] }),
  );
  const ids = (text: string) => new Set(text.match(/(goal|metric)_[0-9a-z]{26}/g));
  expect(ids(tree.text).size).toBe(16);
  const withoutId = ({ publicId: _, childGoals, ...child }: Json): Json => ({
    ...{ ...child, childGoals: (childGoals as Json[]).map(withoutId) },
  });
  const childGoals = childrenOf(tree).map(withoutId);
  const changed = await update(publicIdOf(tree), { childGoals });
  const withoutIds = ({ text }: Answer) => text.replaceAll(/_[0-9a-z]{26}/g, "");
  expect([changed.status, withoutIds(changed)]).toEqual([200, withoutIds(tree)]);
  // The goal itself and its three metrics are the same.
  expect(ids(tree.text).intersection(ids(changed.text)).size).toBe(4);
});

const [day] = daysOfEntries({ goalType: "opportunity" }, [trial]) as [
  ReturnType<typeof daysOfEntries>[number],
];

test("sending back a response changes nothing, for any tree", async () => {
  const statement = fc.string({ minLength: 1, unit: "grapheme" });
  const percent = fc.record({ value: fc.integer(), unit: fc.constant("PERCENTAGE") });
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.record(
      {
        skillAcquisitionGoalType: fc.constant("CHAINED_GOAL_TARGET"),
        goalStatement: statement,
        enabledOutcomes: fc.subarray(["SUCCESS", "FAILURE", "PROMPTED"]),
        baselineMetric: percent,
        successMetric: percent,
        maintenanceMetric: percent,
        orderAmongSiblings: fc.integer({ min: -3, max: 3 }),
        instructions: fc.option(statement),
        minTrialsCount: fc.option(fc.nat()),
        autoProgressToMasteredEnabled: fc.option(fc.boolean()),
        status: fc.constantFrom("MASTERED", "FUTURE"),
        childGoals: fc.array(tie("tree"), { maxLength: 3, depthIdentifier: "tree" }),
      },
      {
        requiredKeys: [
          "skillAcquisitionGoalType",
          "goalStatement",
          "enabledOutcomes",
          "baselineMetric",
          "successMetric",
          "maintenanceMetric",
        ],
      },
    ),
  }));
  const trees = fc.array(tree, { maxLength: 4, depthIdentifier: "tree" });
  await fc.assert(
    fc.asyncProperty(trees, async (childGoals) => {
      const created = await create(bodyOf("opportunity", { childGoals }));
      expect(created.status).toBe(201);
      for (const { publicId } of childrenOf(created))
        await insert(database, "recorded_data", {
          ...{ ...day, organization_id: organization, goal_id: publicIdOf(created) },
          recorded_on: publicId as string,
        });
      const answered = await update(publicIdOf(created), {});
      const sentBack = await update(publicIdOf(created), answered.body);
      expect([sentBack.status, sentBack.text]).toEqual([200, answered.text]);
    }),
    { numRuns: 40 },
  );
});

test("a tree that was beyond the limit before can be changed in what does not add to it", async () => {
  const tree = await newGoal(database, organization, {
    goalType: "opportunity",
    childGoals: [{ childGoals: Array.from({ length: 250 }, () => ({})) }, ...Array(249).fill({})],
  });
  const kept = childrenOf(await update(tree, { status: "MASTERED" })).map(({ publicId }) => ({
    publicId,
  }));
  expect(kept).toHaveLength(250);
  const replaced = await update(tree, { childGoals: [...kept.slice(0, -1), step("new")] });
  expect([replaced.status, childrenOf(replaced).at(-1)?.goalStatement]).toEqual([200, "new"]);
  const last = childrenOf(replaced).at(-1)?.publicId;
  const added = await update(tree, {
    childGoals: [...kept.slice(0, -1), { publicId: last }, step("more")],
  });
  const message = "A goal and its descendants may be at most 500 goals";
  expect([added.status, added.body]).toEqual([
    400,
    refusedBody({ code: "too_big", message, path: ["childGoals"] }),
  ]);
});
