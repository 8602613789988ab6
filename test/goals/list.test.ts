import { expect, test } from "bun:test";
import { goalTypes, type Json, least } from "../support/goals/bodies.ts";
import { newPractice } from "../support/goals/practice.ts";
import { child, get, line, plan, post, unknown } from "../support/goals/transcripts.ts";
import { found, pages, shown } from "../support/pages.ts";
import { statementsOf } from "../support/statements.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";
import { user } from "../support/users/bodies.ts";

/** GET /v1/goals and GET /v1/goals/{goalId}. A goal has the shape of the response that created it. */

const practice = await transcripts();

/** A list item: it adds the plan, leaves out recorded data and has only the ids of children. */
function item({ behaviorInstances, skillTrials, ratingInstances, intervalSets, ...goal }: Json) {
  const { childGoals, ...fields } = goal;
  return {
    ...fields,
    treatmentPlanId: "tp_1",
    ...(childGoals !== undefined && { childGoalIds: [] }),
  };
}

for (const type of goalTypes)
  practice(plan)(`a ${type} goal is returned as in the response that created it`, [
    post(type, {}, 201, "$whole"),
    shown(`GET goals?treatmentPlanId=tp_1&type=${type}`, [
      { ...item(least[type]), publicId: "$goal" },
    ]),
    get("$goal", "$whole"),
    get("$goal", whole(least[type])),
  ]);

const goals = [
  line("goal_1", "interval", { treatmentPlanId: "tp_3", status: "ON_HOLD" }),
  line("goal_2", "opportunity", {
    status: "BASELINE",
    childGoals: [
      ...[child("goal_22"), child("goal_21")],
      child("goal_3", { status: "ON_HOLD", childGoals: [child("goal_31")] }),
    ],
  }),
  line("goal_4", "rating", { treatmentPlanId: "tp_2", status: "ON_HOLD" }),
  line("goal_5", "frequency_duration", { status: "ON_HOLD" }),
  line("goal_6", "rating", { status: "MASTERED" }),
];
const children = [
  ...[{ publicId: "goal_22" }, { publicId: "goal_21" }],
  { publicId: "goal_3", childGoals: [{ publicId: "goal_31" }] },
];
const plans = [
  ...[...plan, user("usr_mia", "PATIENT")],
  { type: "treatmentPlan", publicId: "tp_2", patientId: "usr_kid" },
  { type: "treatmentPlan", publicId: "tp_3", patientId: "usr_mia" },
];
const finds = (query: string, numbers: string): Step[] => {
  const ids = [...numbers].map((number) => `goal_${number}`);
  return [
    found(`GET goals?${query}`, ids),
    found(`GET goals?${query}&pageSize=1`, ids.slice(0, 1), ids.length),
  ];
};
practice([...plans, ...goals.toReversed()], { elsewhere: [] })(
  "goals come in pages and by filters",
  [
    ...pages(
      "GET goals",
      ["1", "2", "4", "5", "6"].map((number) => `goal_${number}`),
    ),
    // Children are ids of their parents in sibling order, and no items.
    [
      ...(["GET goals?type=opportunity", 200] as const),
      { data: [{ publicId: "goal_2", childGoalIds: ["goal_22", "goal_21", "goal_3"] }] },
    ],
    get("goal_2", { childGoals: children }),
    get("goal_3", { type: "opportunity", publicId: "goal_3", status: "ON_HOLD" }),
    ...finds("treatmentPlanId=tp_1", "256"),
    ...finds("treatmentPlanId=tp_none", ""),
    ...finds("treatmentPlanId=", ""),
    ...finds("patientId=usr_kid", "2456"),
    ...finds("patientId=usr_none", ""),
    ...finds("type=rating", "46"),
    ...finds("status=ON_HOLD", "145"),
    ...finds("status=ON_HOLD&patientId=usr_kid", "45"),
    ...finds("status=ON_HOLD&patientId=usr_kid&treatmentPlanId=tp_1&type=frequency_duration", "5"),
    ...finds("patientId=usr_mia&treatmentPlanId=tp_1", ""),
  ],
);

practice([], { elsewhere: [...plan, line("goal_theirs", "rating")] })(
  "an unknown goal is 404",
  ["goal_none", "goal_theirs"].map((id): Step => [`GET goals/${id}`, 404, unknown]),
);

test("the number of SQL statements does not grow with the page", async () => {
  const { service, key, bodyOf, create } = await newPractice();
  const statementsFor = async () => {
    const { statements } = await statementsOf(() =>
      service.call("GET /api/v1/goals?pageSize=100", { key }),
    );
    return statements.filter((text) => /^(select|with)/.test(text)).length;
  };
  for (const type of goalTypes) await create(bodyOf(type));
  const few = await statementsFor();
  for (let count = 0; count < 20; count += 1) await create(bodyOf("opportunity"));
  expect(await statementsFor()).toBe(few);
});
