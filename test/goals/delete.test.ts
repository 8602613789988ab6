import { expect, test } from "bun:test";
import { importedGoals, importedLines } from "../support/goals/imported-goals.ts";
import { newPractice } from "../support/goals/practice.ts";
import { child, get, line, patch, plan, unknown } from "../support/goals/transcripts.ts";
import { found } from "../support/pages.ts";
import { type Step, transcripts, whole } from "../support/transcript.ts";

/** DELETE /v1/goals/{goalId} (specification, section 4.10). */

const practice = await transcripts();
const imported = [...plan, ...importedLines];

const remove = (id: string, status = 200, body: object = { success: true }): Step => [
  `CLINICIAN: DELETE goals/${id}`,
  status,
  body,
];
const left = (...names: string[]) =>
  found(
    "GET goals",
    names.map((name) => `goal_${name}`),
  );

practice(imported, { elsewhere: imported })(
  "deletes a goal with its children, and no other, here or in another organization",
  [
    left("calm", "hands", "shouting", "task"),
    remove("goal_shouting"),
    left("calm", "hands", "task"),
    remove("goal_hands"),
    ...["hands", "z_tap", "a_soap", "handle"].map((name) => remove(`goal_${name}`, 404, unknown)),
    get("goal_task", whole(importedGoals.interval)),
    remove("goal_task"),
    get("goal_calm", whole(importedGoals.rating)),
    // The body is not read.
    ["DELETE goals/goal_calm", "{", 200, whole({ success: true })],
    patch("goal_calm", {}, 404, unknown),
    left(),
    ...Object.values(importedGoals).map((goal): Step => [
      `elsewhere: GET goals/${goal.publicId}`,
      200,
      whole(goal),
    ]),
  ],
);

const skillTrials = [
  { publicId: "trial_1", outcome: "SUCCESS", happenedAt: "2026-02-01T10:00:00.000Z" },
];
practice([
  ...plan,
  line("goal_1", "opportunity", {
    skillTrials,
    childGoals: [child("goal_2", { skillTrials, childGoals: [child("goal_3", { skillTrials })] })],
  }),
])("what was recorded is deleted, too: a goal with the same id has none of it", [
  remove("goal_2"),
  get("goal_1", { childGoals: [], skillTrials: [{}] }),
  remove("goal_1"),
  ["POST practice-file", ["goal_1", "goal_2", "goal_3"].map((id) => line(id, "opportunity")), 200],
  ...["goal_1", "goal_2", "goal_3"].map((id) => get(id, { skillTrials: [], childGoals: [] })),
]);

const longest = `goal_${"a".repeat(123)}`;
practice([])(
  "PATCH and DELETE of a goal id without a goal are 404; its body has no type to be validated by",
  ["goal_", "goal_1", "goal_-", "goal__", "goal_goal_", longest].flatMap((id) => [
    patch(id, { status: 5, title: null }, 404, unknown),
    remove(id, 404, unknown),
  ]),
);

test("of two concurrent deletions one responds 200 and the other 404", async () => {
  const { bodyOf, create, remove } = await newPractice();
  const { publicId } = (await create(bodyOf("rating"))).body as { publicId: string };
  const answers = await Promise.all([remove(publicId), remove(publicId)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});
