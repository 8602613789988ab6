import { describe, expect, test } from "bun:test";
import { goalTypes } from "../support/goals/bodies.ts";
import { carriedIn, carryIn, recordTables } from "../support/goals/carried-in.ts";
import { newPractice } from "../support/goals/practice.ts";

/** DELETE /v1/goals/{goalId}. */

const { service, database, organization, treatmentPlanId, key, update, remove } =
  await newPractice();
const ids = await carryIn(database, organization, treatmentPlanId);

// Another practice has the very same goals, which stay.
const other = await newPractice(service);
await carryIn(database, other.organization, other.treatmentPlanId);

/** What the tables hold of goals, by organization. */
function storedIds(organizationId: string): Promise<Record<string, string[]>> {
  return database.read(async (db) => {
    const goals = await db
      .selectFrom("goals")
      .select("public_id as goal_id")
      .where("organization_id", "=", organizationId)
      .orderBy("public_id")
      .execute();
    const stored = { goals: goals.map((row) => row.goal_id) };
    const hanging: Record<string, string[]> = {};
    for (const table of ["goal_metrics", ...recordTables] as const) {
      const rows = await db
        .selectFrom(table)
        .select("goal_id")
        .distinct()
        .where("organization_id", "=", organizationId)
        .orderBy("goal_id")
        .execute();
      hanging[table] = rows.map((row) => row.goal_id);
    }
    return { ...stored, ...hanging };
  });
}

const everything = {
  goals: [
    "goal_a_soap",
    "goal_calm",
    "goal_handle",
    "goal_hands",
    "goal_shouting",
    "goal_task",
    "goal_z_tap",
  ],
  goal_metrics: ["goal_a_soap", "goal_handle", "goal_hands", "goal_shouting", "goal_z_tap"],
  behavior_instances: ["goal_shouting"],
  skill_trials: ["goal_handle", "goal_hands"],
  rating_instances: ["goal_calm"],
  interval_sets: ["goal_task"],
};

/** The goals that go with each kind's goal. */
const below = {
  frequency_duration: [],
  opportunity: ["goal_a_soap", "goal_handle", "goal_z_tap"],
  rating: [],
  interval: [],
};

describe("deleting a goal deletes its metrics, its children and all their recorded data", () => {
  // The kinds go one after the other, and each leaves the rest.
  const gone = new Set<string>();

  test.each(goalTypes)("%s", async (type) => {
    const { status, body } = await remove(ids[type]);
    expect([status, body]).toEqual([200, { success: true }]);

    for (const id of [ids[type], ...below[type]]) gone.add(id);
    const left = Object.entries(everything).map(([table, goals]) => [
      table,
      goals.filter((id) => !gone.has(id)),
    ]);
    expect(await storedIds(organization)).toEqual(Object.fromEntries(left));
  });

  test("and is unknown from then on", async () => {
    const answers = await Promise.all([
      remove(ids.rating),
      update(ids.rating, {}),
      remove("goal_handle"),
    ]);
    const notFound = [404, { error: "Goal not found" }];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      notFound,
      notFound,
      notFound,
    ]);
  });

  test("the other practice's goals of the same ids are all there", async () => {
    expect(await storedIds(other.organization)).toEqual(everything);
    for (const type of goalTypes)
      expect((await other.update(ids[type], {})).body).toEqual(carriedIn[type]);
  });
});

test("a body that is sent along is not looked at", async () => {
  const { body } = await service.call(`DELETE /api/v1/goals/goal_hands`, {
    key: other.key,
    headers: { "Content-Type": "text/plain" },
    raw: "{",
  });
  expect(body).toEqual({ success: true });
});

test("of two deletions at once one finds the goal", async () => {
  const answers = await Promise.all([other.remove(ids.interval), other.remove(ids.interval)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});

test("a goal of another organization stays, and is answered like one that never was", async () => {
  const before = await storedIds(other.organization);
  const [foreign, unknown] = await Promise.all(
    ["goal_calm", "goal_unknown"].map((id) =>
      service.call(`DELETE /api/v1/goals/${id}`, { key, headers: { "X-Request-Id": "same" } }),
    ),
  );
  expect([foreign?.status, foreign?.body]).toEqual([404, { error: "Goal not found" }]);
  expect([...(foreign?.headers ?? [])]).toEqual([...(unknown?.headers ?? [])]);
  expect([unknown?.status, unknown?.text]).toEqual([404, foreign?.text ?? ""]);
  expect(await storedIds(other.organization)).toEqual(before);
});
