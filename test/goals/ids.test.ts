import { expect, test } from "bun:test";
import { newPractice } from "../support/goals/practice.ts";

/** The goal id in the path of PATCH and DELETE. Other texts respond 400. */

const { service, key } = await newPractice();
const longest = `goal_${"a".repeat(123)}`;

test.each(["goal_", "goal_1", "goal_-", "goal__", "goal_goal_", longest])(
  "%p responds 404: a goal id without a goal, whose body has no type to be validated by",
  async (id) => {
    for (const [method, json] of [["PATCH", { status: 5, title: null }], ["DELETE"]] as const) {
      const { status, body } = await service.call(`${method} /api/v1/goals/${id}`, { key, json });
      expect([status, body]).toEqual([404, { error: "Goal not found" }]);
    }
  },
);
