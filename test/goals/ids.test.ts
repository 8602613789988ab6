import { describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import { newGoal } from "../support/factories.ts";
import { refusedBody } from "../support/goals/bodies.ts";
import { newPractice } from "../support/goals/practice.ts";

/** The goal id in the path of PATCH and DELETE. */

const { service, key, update } = await newPractice();
const other = await newPractice(service);

const send = (method: string, id: string, json: unknown = { status: "MASTERED" }) =>
  service.call(`${method} /api/v1/goals/${id}`, {
    key,
    ...(method === "PATCH" && { json }),
    headers: { "X-Request-Id": "same" },
  });

const invalidGoalId: Issue = {
  code: "custom",
  message: 'Must be a goal id: "goal_" and letters, digits, underscores or hyphens',
  path: ["goalId"],
};

describe.each(["PATCH", "DELETE"])("%s", (method) => {
  const longest = `goal_${"a".repeat(123)}`;

  test.each([
    ...["goal", "goal-1", "GOAL_1", "Goal_1", "tp_1", "1", "_goal_1", "agoal_1"],
    ...["goal_%20", "%20goal_1", "goal_1%0A", "goal_a.b"],
    ...["goal_%2F", "goal_..%2F", "goal_%zz", "goal_%", "goal_%FF", "goal_%ED%A0%80"],
    ...["goal_%C3%BC", "goal_'", "goal_%22", "goal_*", "null", "undefined", `${longest}a`],
  ])("%p responds 400: not a goal id", async (id) => {
    const { status, body } = await send(method, id);
    expect([status, body]).toEqual([400, refusedBody(invalidGoalId)]);
  });

  test.each(["%00", "goal_%00", "goal_a%00b"])(
    "%p responds 400: characters that no text may have",
    async (id) => {
      const { status, body } = await send(method, id);
      const message = "Must not contain U+0000 or an unpaired surrogate";
      expect([status, body]).toEqual([400, refusedBody({ ...invalidGoalId, message })]);
    },
  );

  test.each(["goal_", "goal_1", "goal_-", "goal__", "goal_goal_", longest])(
    "%p responds 404: a goal id without a goal",
    async (id) => {
      const { status, body } = await send(method, id);
      expect([status, body]).toEqual([404, { error: "Goal not found" }]);
    },
  );

  test("a goal of another organization gets the same response as an unknown id", async () => {
    const foreignId = await newGoal(other.database, other.organization);
    const [foreign, unknown] = await Promise.all([
      send(method, foreignId),
      send(method, "goal_unknown"),
    ]);
    expect([foreign.status, foreign.text, [...foreign.headers]]).toEqual([
      unknown.status,
      unknown.text,
      [...unknown.headers],
    ]);
    expect((await other.update(foreignId, {})).body).toMatchObject({ status: "IN_PROGRESS" });
  });
});

test("a path without an id, or with a trailing slash, is unknown: 404", async () => {
  const id = await newGoal(other.database, other.organization);
  for (const path of ["/api/v1/goals/", `/api/v1/goals/${id}/`, `/api/v1/goals/${id}/x`]) {
    const { status, body } = await service.call(`DELETE ${path}`, { key: other.key });
    expect([path, status, body]).toEqual([path, 404, { error: "Not found", statusCode: 404 }]);
  }
});

test("PATCH of an unknown goal responds 404 without validation, since its type is unknown", async () => {
  const { status, body } = await update("goal_unknown", { status: 5, title: null });
  expect([status, body]).toEqual([404, { error: "Goal not found" }]);
});

test("a malformed id is reported before a body that is not an object", async () => {
  const { status, body } = await send("PATCH", "x", []);
  expect([status, body]).toEqual([400, refusedBody(invalidGoalId)]);
});
