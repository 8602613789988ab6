import { expect, test } from "bun:test";
import { step } from "../support/goals/bodies.ts";
import { newPractice } from "../support/goals/practice.ts";

/** POST /v1/goals with an Idempotency-Key. */

const { database, bodyOf, create } = await newPractice();

const countGoals = async () => {
  const { total } = await database.read((db) =>
    db
      .selectFrom("goals")
      .select((select) => select.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow(),
  );
  return total;
};

test("a retry gets the first response and creates no second goal", async () => {
  const before = await countGoals();
  const body = bodyOf("opportunity", { childGoals: [step("Only step.")] });
  const headers = { "Idempotency-Key": "goal-1" };
  const answers = await Promise.all([create(body, headers), create(body, headers)]);
  const later = await create(body, headers);
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [201, later.text],
    [201, later.text],
  ]);
  expect(later.headers.get("Idempotency-Replayed")).toBe("true");
  expect(await countGoals()).toBe(before + 2);
});

test("a retry with another body responds 422", async () => {
  const headers = { "Idempotency-Key": "goal-2" };
  await create(bodyOf("rating"), headers);
  const { status, body } = await create(bodyOf("interval"), headers);
  expect([status, body]).toEqual([
    422,
    { error: "Idempotency-Key was used with another request body" },
  ]);
});

test("a malformed Idempotency-Key responds 400 in the error shape of goals", async () => {
  const { status, body } = await create(bodyOf("rating"), { "Idempotency-Key": "a b" });
  expect([status, body]).toEqual([
    400,
    { error: "Idempotency-Key must be 1 to 255 visible ASCII characters" },
  ]);
});
