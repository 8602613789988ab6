import { describe, expect, test } from "bun:test";
import type { Instant } from "../../src/lib/instant.ts";
import { insert, newGoal } from "../factories.ts";
import { type Answer, NOW } from "../harness.ts";
import { type Json, publicIdOf, refusedBody, step } from "./bodies.ts";
import { newPractice } from "./practice.ts";

/** Child goals: a task analysis breaks a skill down into steps (specification 4.8, decisions 7). */

const { database, organization, treatmentPlanId, bodyOf, create, update, remove, storedGoal } =
  await newPractice();

const childrenOf = ({ body }: Answer): Json[] => (body as { childGoals: Json[] }).childGoals;
const statementsIn = (answer: Answer): unknown[] =>
  childrenOf(answer).map((child) => child.goalStatement);

const nested = (depth: number): Json =>
  step(`at ${depth}`, depth === 1 ? {} : { childGoals: [nested(depth - 1)] });

/** An issue is at most 64 names and numbers deep: 31 goals, each two of them, and a field of a metric. */
const DEEPEST = 31;

const deepestOf = (goal: Json): Json => {
  const [child] = goal.childGoals as Json[];
  return child === undefined ? goal : deepestOf(child);
};

describe("on create", () => {
  test("have ids and metrics of their own, the parent's plan, and the order of the list", async () => {
    const created = await create(
      bodyOf("opportunity", {
        status: "MASTERED",
        childGoals: ["c", "a", "b"].map((name) => step(name, { status: "MASTERED" })),
      }),
    );
    const children = childrenOf(created);
    expect(children.map(({ goalStatement, status }) => [goalStatement, status])).toEqual([
      ["c", "BASELINE"],
      ["a", "BASELINE"],
      ["b", "BASELINE"],
    ]);
    const ids = children.flatMap((child) => [
      child.publicId,
      (child.baselineMetric as Json).publicId,
      (child.successMetric as Json).publicId,
      (child.maintenanceMetric as Json).publicId,
    ]);
    expect(new Set(ids).size).toBe(12);
    expect(await storedGoal(children[1]?.publicId as string)).toMatchObject({
      parent_goal_id: publicIdOf(created),
      treatment_plan_id: treatmentPlanId,
      type: "opportunity",
      order_among_siblings: 1,
    });
  });

  test("may have children themselves, down to the depth that a body may have", async () => {
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

  test("too deep are refused by the list that nests", async () => {
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

  test("by the thousand are created in one go", async () => {
    const names = Array.from({ length: 2_345 }, (_, index) => `Step ${index}`);
    const created = await create(
      bodyOf("opportunity", { childGoals: names.map((name) => step(name)) }),
    );
    expect([created.status, statementsIn(created)]).toEqual([201, names]);
  });
});

describe("on update", () => {
  const newTree = () =>
    create(
      bodyOf("opportunity", { childGoals: [step("a", { childGoals: [step("b")] }), step("c")] }),
    );

  test("a list takes the place of the earlier one, and deletes it with all below", async () => {
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

  test.each([[[]], [null]])("%j leaves none", async (childGoals) => {
    const parent = await newTree();
    const { body } = await update(publicIdOf(parent), { childGoals });
    expect(body).toEqual({ ...(parent.body as Json), childGoals: [] });
  });

  test("they may be sent back as they were answered, and get new ids", async () => {
    const parent = await newTree();
    const childGoals = childrenOf(parent);
    const changed = await update(publicIdOf(parent), { childGoals });
    expect(changed.status).toBe(200);
    const withoutIds = (answer: Answer) => answer.text.replaceAll(/_[0-9a-z]{26}/g, "");
    expect(withoutIds(changed)).toBe(withoutIds(parent));
    expect(childrenOf(changed)[0]?.publicId).not.toBe(childGoals[0]?.publicId);
  });

  test("the goals beside their parent keep theirs", async () => {
    const [parent, neighbour] = await Promise.all([newTree(), newTree()]);
    await update(publicIdOf(parent), { childGoals: [] });
    expect((await update(publicIdOf(neighbour), {})).text).toBe(neighbour.text);
  });
});

describe("a child goal is a goal of its own", () => {
  const names = ["a", "b", "c"];
  const newTree = () =>
    create(bodyOf("opportunity", { childGoals: names.map((name) => step(name)) }));

  test("which is updated by its own id", async () => {
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

  test("whose children may not nest deeper than one body could hold them", async () => {
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

  test("which is deleted by its own id, and leaves its parent and siblings", async () => {
    const parent = await newTree();
    const deleted = await remove(childrenOf(parent)[1]?.publicId as string);
    expect([deleted.status, deleted.body]).toEqual([200, { success: true }]);
    expect(statementsIn(await update(publicIdOf(parent), {}))).toEqual(["a", "c"]);
  });

  test("whose orderAmongSiblings says its place; of equal ones the older comes first", async () => {
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

test("records of replaced children are deleted with them", async () => {
  const parent = await newGoal(database, organization, { type: "opportunity" });
  const child = await newGoal(database, organization, {
    type: "opportunity",
    parent_goal_id: parent,
  });
  for (const goal_id of [parent, child])
    await insert(database, "skill_trials", {
      organization_id: organization,
      goal_id,
      public_id: "trial_1",
      outcome: "SUCCESS",
      happened_at: NOW as Instant,
    });
  await update(parent, { childGoals: [] });
  const goalsWithTrials = await database.read((db) =>
    db.selectFrom("skill_trials").select("goal_id").execute(),
  );
  expect(goalsWithTrials).toEqual([{ goal_id: parent }]);
});
