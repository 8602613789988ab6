import { describe, expect, test } from "bun:test";
import { goalTypes } from "../support/goals/bodies.ts";
import { importedGoals, insertImportedGoals } from "../support/goals/imported-goals.ts";
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
    const stored: Record<string, string[]> = {};
    for (const [table, column] of [
      ["goals", "public_id"],
      ["child_goals", "public_id"],
      ["recorded_data", "recorded_on"],
    ] as const) {
      const rows = await db
        .selectFrom(table as "goals")
        .select(column as "public_id")
        .where("organization_id", "=", organizationId)
        .orderBy(column as "public_id")
        .execute();
      stored[table] = rows.map((row) => row[column as "public_id"]);
    }
    return stored;
  });
}

const everything = {
  goals: ["goal_calm", "goal_hands", "goal_shouting", "goal_task"],
  child_goals: ["goal_a_soap", "goal_handle", "goal_z_tap"],
  // A row for each day.
  recorded_data: ["calm", "calm", "handle", "hands", "shouting", "shouting", "task"].map(
    (name) => `goal_${name}`,
  ),
};

/** The goals that are deleted together with the goal of each type. */
const below = {
  frequency_duration: [],
  opportunity: ["goal_a_soap", "goal_handle", "goal_z_tap"],
  rating: [],
  interval: [],
};

describe("deletes a goal with its children and all their recorded data", () => {
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
