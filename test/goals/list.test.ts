import type { GoalType } from "../../src/goals/models/common.ts";
import { describe, expect, test } from "bun:test";
import {
  newApiKey,
  newGoal,
  newOrganization,
  newPatient,
  newTreatmentPlan,
} from "../support/factories.ts";
import { newService } from "../support/harness.ts";
import { describePages, idsIn, paginationIn } from "../support/list-rules.ts";
import { statementsOf } from "../support/statements.ts";
import { newPractice } from "../support/goals/practice.ts";

/**
 * GET /v1/goals and GET /v1/goals/{goalId}. A goal has the shape of the response that created it.
 */

const path = "/api/v1/goals";
const service = await newService();
const { database } = service;
const organization = await newOrganization(database);
const key = await newApiKey(database, organization);

for (const [plan, patient_id] of [
  ["tp_1", "usr_leo"],
  ["tp_2", "usr_leo"],
  ["tp_3", "usr_mia"],
] as const) {
  if (plan !== "tp_2") await newPatient(database, organization, { public_id: patient_id });
  await newTreatmentPlan(database, organization, { public_id: plan, patient_id });
}
const goals: { publicId: string; goalType: GoalType; [field: string]: string }[] = [
  { publicId: "goal_1", treatmentPlanId: "tp_3", goalType: "interval", status: "ON_HOLD" },
  { publicId: "goal_2", treatmentPlanId: "tp_1", goalType: "opportunity", status: "BASELINE" },
  { publicId: "goal_4", treatmentPlanId: "tp_2", goalType: "rating", status: "ON_HOLD" },
  {
    ...{ publicId: "goal_5", treatmentPlanId: "tp_1" },
    ...{ goalType: "frequency_duration", status: "ON_HOLD" },
  },
  { publicId: "goal_6", treatmentPlanId: "tp_1", goalType: "rating", status: "MASTERED" },
];
const childGoals = [
  { publicId: "goal_22" },
  { publicId: "goal_21", orderAmongSiblings: -1 },
  { publicId: "goal_3", status: "ON_HOLD", childGoals: [{ publicId: "goal_31" }] },
];
for (const goal of goals.toReversed())
  await newGoal(database, organization, {
    ...goal,
    ...(goal.publicId === "goal_2" && { childGoals }),
  });

const list = {
  ...{ service, path, key, maxPage: 1_000_000 },
  ids: goals.map((goal) => goal.publicId),
  keyOfEmpty: await newApiKey(database, await newOrganization(database)),
};
describePages(list);

const listed = async (query: string) => idsIn(await service.call(`GET ${path}?${query}`, { key }));

/** The list item of a goal that a response shows. */
function summaryOf(goal: object, treatmentPlanId: string): object {
  const { behaviorInstances, skillTrials, ratingInstances, intervalSets, childGoals, ...summary } =
    goal as Record<string, unknown>;
  const childGoalIds = (childGoals as { publicId: string }[] | undefined)?.map(
    (child) => child.publicId,
  );
  return { ...summary, treatmentPlanId, ...(childGoalIds !== undefined && { childGoalIds }) };
}

describe("a goal is returned as in the response that created it", async () => {
  const practice = await newPractice(service);

  test.each(["frequency_duration", "opportunity", "rating", "interval"] as const)(
    "%s; the list item adds the plan, leaves out recorded data and has only the ids of children",
    async (type) => {
      const { body } = await practice.create(practice.bodyOf(type));
      const { publicId } = body as { publicId: string };
      const query = `treatmentPlanId=${practice.treatmentPlanId}&type=${type}`;
      const all = await service.call(`GET ${path}?${query}`, { key: practice.key });
      expect(all.body).toEqual({
        data: [summaryOf(body as object, practice.treatmentPlanId)],
        pagination: { page: 1, pageSize: 25, totalCount: 1, totalPages: 1 },
      });
      const one = await service.call(`GET ${path}/${publicId}`, { key: practice.key });
      expect([one.status, one.body]).toEqual([200, body]);
    },
  );
});

describe("child goals", () => {
  test("are listed as ids of their parents in sibling order, and not as items", async () => {
    const { body } = await service.call(`GET ${path}?type=opportunity`, { key });
    expect(body).toMatchObject({
      data: [{ publicId: "goal_2", childGoalIds: ["goal_21", "goal_22", "goal_3"] }],
      pagination: { totalCount: 1 },
    });
    const one = await service.call(`GET ${path}/goal_2`, { key });
    expect(one.body).toMatchObject({
      childGoals: [
        { publicId: "goal_21" },
        { publicId: "goal_22" },
        { publicId: "goal_3", childGoals: [{ publicId: "goal_31" }] },
      ],
    });
  });

  test("can be read by their own ids", async () => {
    const { status, body } = await service.call(`GET ${path}/goal_3`, { key });
    expect([status, body]).toMatchObject([
      200,
      { type: "opportunity", publicId: "goal_3", status: "ON_HOLD" },
    ]);
  });
});

test.each([
  ["treatmentPlanId=tp_1", ["goal_2", "goal_5", "goal_6"]],
  ["treatmentPlanId=tp_none", []],
  ["treatmentPlanId=", []],
  ["patientId=usr_leo", ["goal_2", "goal_4", "goal_5", "goal_6"]],
  ["patientId=usr_none", []],
  ["type=rating", ["goal_4", "goal_6"]],
  ["status=ON_HOLD", ["goal_1", "goal_4", "goal_5"]],
  ["status=ON_HOLD&patientId=usr_leo", ["goal_4", "goal_5"]],
  ["status=ON_HOLD&patientId=usr_leo&treatmentPlanId=tp_1&type=frequency_duration", ["goal_5"]],
  ["patientId=usr_mia&treatmentPlanId=tp_1", []],
])("?%s filters the list", async (query, expected) => {
  expect(await listed(query)).toEqual(expected);
  const { body } = await service.call(`GET ${path}?${query}&pageSize=1`, { key });
  expect(paginationIn({ body } as never)).toMatchObject({ totalCount: expected.length });
});

test.each(["goal_none", "goal_theirs"])("an unknown goal responds 404: %s", async (id) => {
  const other = await newOrganization(database);
  await newGoal(database, other, { publicId: "goal_theirs" });
  const { status, body } = await service.call(`GET ${path}/${id}`, { key });
  expect([status, body]).toEqual([404, { error: "Goal not found" }]);
});

test("the number of SQL statements does not grow with the page", async () => {
  const plan = await newPractice(service);
  const statementsFor = async () => {
    const { statements } = await statementsOf(() =>
      service.call(`GET ${path}?pageSize=100`, { key: plan.key }),
    );
    return statements.filter((text) => /^(select|with)/.test(text)).length;
  };
  for (const type of ["frequency_duration", "opportunity", "rating", "interval"] as const)
    await plan.create(plan.bodyOf(type));
  const few = await statementsFor();
  for (let count = 0; count < 20; count += 1) await plan.create(plan.bodyOf("opportunity"));
  expect(await statementsFor()).toBe(few);
});
