import { describe, expect, test } from "bun:test";
import { daysOfEntries } from "../../src/goals/document.ts";
import fc from "fast-check";
import { insert, newGoal, newOrganization } from "../support/factories.ts";
import { type Answer, NOW } from "../support/harness.ts";
import { type Json, publicIdOf, refusedBody, step } from "../support/goals/bodies.ts";
import { newPractice } from "../support/goals/practice.ts";

/** Child goals, the steps of a task analysis, in POST /v1/goals and PATCH /v1/goals/{goalId}. */

const { database, organization, treatmentPlanId, bodyOf, create, update, remove, storedGoal } =
  await newPractice();

const childrenOf = ({ body }: Answer): Json[] => (body as { childGoals: Json[] }).childGoals;
const statementsIn = (answer: Answer): unknown[] =>
  childrenOf(answer).map((child) => child.goalStatement);

/** Every optional field of a child goal. */
const everything = {
  status: "IN_PROGRESS",
  shortDescription: "Hands",
  instructions: "At the sink.",
  skillCategory: "Daily living",
  progressSummary: "Half of the steps.",
  baselineDate: "2026-03-01T14:00:00.000Z",
  targetAchievementDate: "2026-09-01T00:00:00.000Z",
  minTrialsCount: 3,
  autoProgressToMaintenanceEnabled: true,
  autoProgressToMasteredEnabled: true,
};
const disabledFlags = {
  autoProgressToMaintenanceEnabled: false,
  autoProgressToMasteredEnabled: false,
};

const trial = { publicId: "trial_1", outcome: "SUCCESS", happenedAt: NOW };

const [day] = daysOfEntries({ goalType: "opportunity" }, [trial]) as [
  ReturnType<typeof daysOfEntries>[number],
];

/** Records a trial on a child of a goal. */
const recordTrial = (goal_id: string, recorded_on: string) =>
  insert(database, "recorded_data", {
    organization_id: organization,
    ...{ goal_id, recorded_on, ...day },
  });

const nested = (depth: number): Json =>
  step(`at ${depth}`, depth === 1 ? {} : { childGoals: [nested(depth - 1)] });

/**
 * An issue's path has at most 64 elements: two for each of 31 goals, and those of a field of a
 * metric.
 */
const DEEPEST = 31;

const deepestOf = (goal: Json): Json => {
  const [child] = goal.childGoals as Json[];
  return child === undefined ? goal : deepestOf(child);
};

describe("POST /v1/goals: child goals", () => {
  test("get their own ids and metrics, the parent's plan and the order of the list", async () => {
    const created = await create(
      bodyOf("opportunity", {
        status: "MASTERED",
        childGoals: ["c", "a", "b"].map((name) => step(name, { status: "MASTERED" })),
      }),
    );
    const children = childrenOf(created);
    expect(children.map(({ goalStatement, status }) => [goalStatement, status])).toEqual([
      ["c", "MASTERED"],
      ["a", "MASTERED"],
      ["b", "MASTERED"],
    ]);
    const ids = children.flatMap((child) => [
      child.publicId,
      (child.baselineMetric as Json).publicId,
      (child.successMetric as Json).publicId,
      (child.maintenanceMetric as Json).publicId,
    ]);
    expect(new Set(ids).size).toBe(12);
    expect(await storedGoal(children[1]?.publicId as string)).toMatchObject({
      goalType: "opportunity",
      orderAmongSiblings: 1,
    });
    expect(await storedGoal(publicIdOf(created))).toMatchObject({ treatmentPlanId });
  });

  test("accept all fields of a goal of their type, on create and update", async () => {
    const created = await create(
      bodyOf("opportunity", { childGoals: [step("a", { childGoals: [step("b", everything)] })] }),
    );
    const [below] = childrenOf(created)[0]?.childGoals as Json[];
    expect(created.status).toBe(201);
    expect(below).toMatchObject(everything);
  });

  test("without optional fields, or with null in them, get the defaults of a new goal", async () => {
    const nulls = Object.fromEntries(Object.keys(everything).map((name) => [name, null]));
    const created = await create(
      bodyOf("opportunity", { childGoals: [step("a"), step("b", nulls)] }),
    );
    const withoutIds = (child: Json | undefined) =>
      JSON.stringify({ ...child, goalStatement: "" }).replaceAll(/_[0-9a-z]{26}/g, "");
    const [first, second] = childrenOf(created);
    expect(first).toMatchObject({ ...nulls, status: "BASELINE", ...disabledFlags });
    expect(withoutIds(second)).toBe(withoutIds(first));
  });

  test("are ordered by orderAmongSiblings, which defaults to the index in the list", async () => {
    const created = await create(
      bodyOf("opportunity", {
        childGoals: [step("a", { orderAmongSiblings: 9 }), step("b"), step("c")],
      }),
    );
    expect(statementsIn(created)).toEqual(["b", "c", "a"]);
  });

  test("may nest up to the maximum depth of a body", async () => {
    const created = await create(bodyOf("opportunity", { childGoals: [nested(DEEPEST)] }));
    expect(created.status).toBe(201);
    const statements: unknown[] = [];
    let [child] = childrenOf(created);
    while (child !== undefined) {
      statements.push(child.goalStatement);
      child = (child.childGoals as Json[])[0];
    }
    expect(statements).toEqual(
      Array.from({ length: DEEPEST }, (_, index) => `at ${DEEPEST - index}`),
    );
  });

  test("beyond the maximum depth respond 400 at the list that nests too deep", async () => {
    const { status, body } = await create(
      bodyOf("opportunity", { childGoals: [nested(DEEPEST + 1)] }),
    );
    const path = Array.from({ length: DEEPEST }, () => ["childGoals", 0]).flat();
    expect([status, body]).toEqual([
      400,
      refusedBody({
        code: "too_big",
        message: "Nested too deeply",
        path: [...path, "childGoals"],
      }),
    ]);
  });

  test("can be created up to the maximum of 499 at once", async () => {
    const names = Array.from({ length: 499 }, (_, index) => `Step ${index}`);
    const created = await create(
      bodyOf("opportunity", { childGoals: names.map((name) => step(name)) }),
    );
    expect([created.status, statementsIn(created)]).toEqual([201, names]);
  });
});

describe("PATCH /v1/goals/{goalId}: childGoals", () => {
  const newTree = () =>
    create(
      bodyOf("opportunity", { childGoals: [step("a", { childGoals: [step("b")] }), step("c")] }),
    );

  test("replaces the stored children and deletes those left out, with all their descendants", async () => {
    const parent = await newTree();
    const [first, second] = childrenOf(parent);
    const [below] = first?.childGoals as Json[];
    const changed = await update(publicIdOf(parent), {
      childGoals: [step("z", { childGoals: [step("y")] }), step("x"), step("a")],
    });
    expect([changed.status, statementsIn(changed)]).toEqual([200, ["z", "x", "a"]]);
    const { childGoals: before, ...unchanged } = parent.body as Json;
    const { childGoals: after, ...rest } = changed.body as Json;
    expect(rest).toEqual(unchanged);
    for (const earlier of [first, second, below])
      expect(await storedGoal(earlier?.publicId as string)).toBeUndefined();
  });

  test.each([[[]], [null]])("%j deletes all children", async (childGoals) => {
    const parent = await newTree();
    const { body } = await update(publicIdOf(parent), { childGoals });
    expect(body).toEqual({ ...(parent.body as Json), childGoals: [] });
  });

  test("an item with the id of a child updates the given fields of that child", async () => {
    const parent = await newTree();
    const [first, second] = childrenOf(parent);
    const changed = await update(publicIdOf(parent), {
      childGoals: [
        { publicId: second?.publicId, status: "MASTERED", successMetric: { value: 70 } },
        { publicId: first?.publicId },
      ],
    });
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...(parent.body as Json),
        childGoals: [
          {
            ...second,
            status: "MASTERED",
            successMetric: { ...(second?.successMetric as Json), value: 70 },
          },
          first,
        ],
      },
    ]);
  });

  test("an update of a child keeps its recorded data and accepts all fields of an update", async () => {
    const parent = await newTree();
    const [first, second] = childrenOf(parent);
    await recordTrial(publicIdOf(parent), first?.publicId as string);
    const childGoals = [{ publicId: first?.publicId, ...everything, skillTrials: [] }, second];
    const changed = await update(publicIdOf(parent), { childGoals });
    expect([changed.status, childrenOf(changed)]).toEqual([
      200,
      [{ ...first, ...everything, skillTrials: [trial] }, second as Json],
    ]);
    const cleared = Object.fromEntries(
      Object.keys({ ...everything, ...disabledFlags })
        .filter((name) => name !== "status")
        .map((name) => [name, null]),
    );
    const after = await update(publicIdOf(parent), {
      childGoals: [{ publicId: first?.publicId, ...cleared }, { publicId: second?.publicId }],
    });
    expect(childrenOf(after)[0]).toEqual({
      ...first,
      status: "IN_PROGRESS",
      skillTrials: [trial],
    });
  });

  test("may mix new and existing children; children left out are deleted with their descendants", async () => {
    const parent = await newTree();
    const [first, second] = childrenOf(parent);
    const [below] = first?.childGoals as Json[];
    const changed = await update(publicIdOf(parent), {
      childGoals: [step("new"), { publicId: second?.publicId }],
    });
    expect(statementsIn(changed)).toEqual(["new", "c"]);
    expect(childrenOf(changed)[1]).toEqual(second as Json);
    for (const gone of [first, below])
      expect(await storedGoal(gone?.publicId as string)).toBeUndefined();
  });

  test("nested children follow the same rules", async () => {
    const parent = await newTree();
    const [first, second] = childrenOf(parent);
    const [below] = first?.childGoals as Json[];
    const changed = await update(publicIdOf(parent), {
      childGoals: [
        {
          publicId: first?.publicId,
          childGoals: [{ publicId: below?.publicId, instructions: "Slowly." }, step("new")],
        },
        second,
      ],
    });
    expect(childrenOf(changed)).toEqual([
      {
        ...first,
        childGoals: [
          { ...below, instructions: "Slowly." },
          expect.objectContaining({ goalStatement: "new" }),
        ],
      },
      second as Json,
    ]);
  });

  describe("an id that is not a child responds 400 at that id, and nothing changes", () => {
    const message = "Must be the id of a child of this goal, and must occur only once in the list";
    const refusal = (...paths: (string | number)[][]) =>
      refusedBody(...paths.map((path) => ({ code: "custom" as const, message, path })));
    const at = (...indexes: number[]) => [
      ...indexes.flatMap((index) => ["childGoals", index]),
      "publicId",
    ];

    /** Builds childGoals from existing goals. `paths` are the places that are refused. */
    type Case = [
      string,
      (first: Json, second: Json, below: Json, parent: string) => Json[],
      (string | number)[][],
    ];
    test.each<Case>([
      ["an unknown id", (first) => [first, { publicId: "goal_none" }], [at(1)]],
      ["an empty id", (first) => [{ publicId: "" }, first], [at(0)]],
      ["the id of a child, twice", (first, second) => [first, second, { ...first }], [at(2)]],
      ["the id of the goal itself", (_, __, ___, parent) => [{ publicId: parent }], [at(0)]],
      ["the id of a grandchild", (_, __, below) => [below], [at(0)]],
      [
        "the id of a child, among the children of its sibling",
        (first, second) => [{ publicId: second.publicId, childGoals: [first] }],
        [at(0, 0)],
      ],
      [
        "any id among the children of a new child",
        (_, __, below) => [step("new", { childGoals: [step("newer"), below] })],
        [at(0, 1)],
      ],
    ])("%s", async (_, childrenFrom, paths) => {
      const parent = await newTree();
      const [first = {}, second = {}] = childrenOf(parent);
      const [below = {}] = first.childGoals as Json[];
      const childGoals = childrenFrom(first, second, below, publicIdOf(parent));
      const { status, body } = await update(publicIdOf(parent), { childGoals, status: "ARCHIVED" });
      expect([status, body]).toEqual([400, refusal(...paths)]);
      expect((await update(publicIdOf(parent), {})).text).toBe(parent.text);
    });

    test.each([
      [5, "Expected string, received number"],
      [["goal_1"], "Expected string, received array"],
    ])("an id of another type in an otherwise valid child: %j", async (publicId, typeMessage) => {
      const parent = await newTree();
      const childGoals = [step("whole", { publicId })];
      const { status, body } = await update(publicIdOf(parent), { childGoals });
      const issue = { code: "invalid_type" as const, message: typeMessage, path: at(0) };
      expect([status, body]).toEqual([400, refusedBody(issue)]);
      expect((await update(publicIdOf(parent), {})).text).toBe(parent.text);
    });

    test("a child of another goal, and the same id in another organization", async () => {
      const [parent, neighbour] = await Promise.all([newTree(), newTree()]);
      const [theirs] = childrenOf(neighbour);
      const { status, body } = await update(publicIdOf(parent), { childGoals: [theirs] });
      expect([status, body]).toEqual([400, refusal(at(0))]);

      const elsewhere = await newOrganization(database);
      await newGoal(database, elsewhere, {
        goalType: "opportunity",
        childGoals: [{ publicId: "goal_elsewhere" }],
      });
      const foreign = await update(publicIdOf(parent), {
        childGoals: [{ publicId: "goal_elsewhere" }],
      });
      expect([foreign.status, foreign.body]).toEqual([400, refusal(at(0))]);
      expect((await update(publicIdOf(parent), {})).text).toBe(parent.text);
    });
  });

  test("an item without an id is validated as a new goal, one with an id as an update", async () => {
    const parent = await newTree();
    const [first] = childrenOf(parent);
    const { status, body } = await update(publicIdOf(parent), {
      childGoals: [
        { publicId: first?.publicId, goalStatement: "", minTrialsCount: 0.5, status: null },
        { goalStatement: "new" },
        { publicId: 5 },
        "goal_none",
      ],
    });
    expect(status).toBe(400);
    const { details } = body as { details: { code: string; path: unknown[] }[] };
    expect(details.map(({ code, path }) => [code, path.join(".")])).toEqual([
      ["too_small", "childGoals.0.goalStatement"],
      ["invalid_type", "childGoals.0.status"],
      ["invalid_type", "childGoals.0.minTrialsCount"],
      ["invalid_type", "childGoals.1.skillAcquisitionGoalType"],
      ["invalid_type", "childGoals.1.enabledOutcomes"],
      ...["baseline", "success", "maintenance"].flatMap((purpose) =>
        ["", ".value", ".unit"].map((field) => [
          ...["invalid_type", `childGoals.1.${purpose}Metric${field}`],
        ]),
      ),
      ["invalid_type", "childGoals.2.publicId"],
      ["invalid_type", "childGoals.3"],
    ]);
  });

  test("children without their ids are created again with new ids", async () => {
    const parent = await newTree();
    const withoutId = ({ publicId: _, childGoals, ...child }: Json): Json => ({
      ...child,
      childGoals: (childGoals as Json[]).map(withoutId),
    });
    const changed = await update(publicIdOf(parent), {
      childGoals: childrenOf(parent).map(withoutId),
    });
    expect(changed.status).toBe(200);
    const withoutIds = (answer: Answer) => answer.text.replaceAll(/_[0-9a-z]{26}/g, "");
    expect(withoutIds(changed)).toBe(withoutIds(parent));
    expect(childrenOf(changed)[0]?.publicId).not.toBe(childrenOf(parent)[0]?.publicId);
  });

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
          await recordTrial(publicIdOf(created), publicId as string);
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
    expect([replaced.status, statementsIn(replaced).at(-1)]).toEqual([200, "new"]);
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

  test("the children of another goal are not changed", async () => {
    const [parent, neighbour] = await Promise.all([newTree(), newTree()]);
    await update(publicIdOf(parent), { childGoals: [] });
    expect((await update(publicIdOf(neighbour), {})).text).toBe(neighbour.text);
  });
});

describe("a child goal can be addressed as a goal", () => {
  const names = ["a", "b", "c"];
  const newTree = () =>
    create(bodyOf("opportunity", { childGoals: names.map((name) => step(name)) }));

  test("PATCH updates it by its own id", async () => {
    const parent = await newTree();
    const child = childrenOf(parent)[1] as Json;
    const changed = await update(child.publicId as string, {
      status: "MASTERED",
      childGoals: [step("below")],
    });
    expect(changed.body).toEqual({
      ...child,
      status: "MASTERED",
      childGoals: [expect.objectContaining({ goalStatement: "below" })],
    });
    const after = await update(publicIdOf(parent), {});
    expect(childrenOf(after)[1]).toEqual(changed.body as Json);
  });

  test("PATCH refuses children that exceed the maximum depth of the whole tree", async () => {
    const parent = await create(bodyOf("opportunity", { childGoals: [nested(DEEPEST - 1)] }));
    const id = deepestOf(parent.body as Json).publicId as string;

    const refused = await update(id, { childGoals: [step("a"), nested(2)] });
    expect([refused.status, refused.body]).toEqual([
      400,
      refusedBody({ code: "too_big", message: "Nested too deeply", path: ["childGoals"] }),
    ]);
    const taken = await update(id, { childGoals: [step("a"), step("b")] });
    expect([taken.status, statementsIn(taken)]).toEqual([200, ["a", "b"]]);
  });

  test("DELETE removes it and leaves its parent and siblings", async () => {
    const parent = await newTree();
    const deleted = await remove(childrenOf(parent)[1]?.publicId as string);
    expect([deleted.status, deleted.body]).toEqual([200, { success: true }]);
    expect(statementsIn(await update(publicIdOf(parent), {}))).toEqual(["a", "c"]);
  });

  test("it is ordered by orderAmongSiblings, equal values by creation", async () => {
    const parent = await newTree();
    const [a, b, c] = childrenOf(parent).map((child) => child.publicId as string);
    const orderAfter = async (id: string | undefined, orderAmongSiblings: number) => {
      await update(id ?? "", { orderAmongSiblings });
      return statementsIn(await update(publicIdOf(parent), {}));
    };
    expect(await orderAfter(a, 10)).toEqual(["b", "c", "a"]);
    expect(await orderAfter(c, -10)).toEqual(["c", "b", "a"]);
    expect(await orderAfter(b, 10)).toEqual(["c", "a", "b"]);
  });
});

test("recorded data of replaced children is deleted with them", async () => {
  const skillTrials = [trial];
  const parent = await newGoal(database, organization, {
    goalType: "opportunity",
    childGoals: [{ publicId: "goal_replaced", skillTrials }],
    skillTrials,
  });
  await update(parent, { childGoals: [] });
  const left = await database.read((db) =>
    db.selectFrom("recorded_data").select("recorded_on").where("goal_id", "=", parent).execute(),
  );
  expect(left).toEqual([{ recorded_on: parent }]);
});
