import { describe, expect, test } from "bun:test";
import { goalTypes } from "../support/goals/bodies.ts";
import {
  importedGoals,
  insertImportedGoals,
  recordTables,
} from "../support/goals/imported-goals.ts";
import { newPractice } from "../support/goals/practice.ts";

/** DELETE /v1/goals/{goalId} (specification, section 4.10). */

const { service, database, organization, treatmentPlanId, update, remove } = await newPractice();
const ids = await insertImportedGoals(database, organization, treatmentPlanId);

// Another organization has goals with the same ids, which must not change.
const other = await newPractice(service);
await insertImportedGoals(database, other.organization, other.treatmentPlanId);

/** The ids in all tables of goals, by organization. */
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

/** The goals that are deleted together with the goal of each type. */
const below = {
  frequency_duration: [],
  opportunity: ["goal_a_soap", "goal_handle", "goal_z_tap"],
  rating: [],
  interval: [],
};

describe("deletes a goal with its metrics, its children and all their recorded data", () => {
  // The types are deleted one after the other, and each leaves the rest.
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

  test("responds 404 for a deleted goal", async () => {
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

  test("keeps the goals with the same ids in another organization", async () => {
    expect(await storedIds(other.organization)).toEqual(everything);
    for (const type of goalTypes)
      expect((await other.update(ids[type], {})).body).toEqual(importedGoals[type]);
  });
});

test("the body of a DELETE is not read", async () => {
  const { body } = await service.call(`DELETE /api/v1/goals/goal_hands`, {
    key: other.key,
    headers: { "Content-Type": "text/plain" },
    raw: "{",
  });
  expect(body).toEqual({ success: true });
});

test("of two concurrent deletions one responds 200 and the other 404", async () => {
  const answers = await Promise.all([other.remove(ids.interval), other.remove(ids.interval)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});
