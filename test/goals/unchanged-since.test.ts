import { expect, test } from "bun:test";
import { newApiKey } from "../support/factories.ts";
import { TestService } from "../support/harness.ts";
import { databaseOfFullPractice } from "../support/practice-file/full-practice.ts";
import { beginHistoryAt } from "../support/practice-file/practice-file.ts";

/** `unchangedSince` on PATCH and DELETE /v1/goals/{goalId}: a goal that nobody else has changed since it was read. */

const database = await databaseOfFullPractice();
const service = new TestService(database);
const key = await newApiKey(database, "org_maple");

test("PATCH and DELETE refuse a goal that has changed, by its own shape", async () => {
  const goal = "goals/goal_hands";
  const read = await service.call(`GET /api/v1/${goal}`, { key });
  const since = Number(read.headers.get("caseload-sequence"));
  const patch = (path: string, n: unknown) =>
    service.call(`PATCH /api/v1/${path}?unchangedSince=${n}`, {
      key,
      json: { instructions: `${n}` },
    });
  const first = await patch(goal, since);
  expect([first.status, first.headers.get("caseload-sequence")]).toEqual([200, `${since + 1}`]);
  const error = `Has changed since ${since}`;
  for (const path of [goal, "goals/goal_a_soap"]) {
    const { status, body } = await patch(path, since);
    expect([status, body]).toEqual([412, { error }]);
  }
  const remove = (n: unknown) =>
    service.call(`DELETE /api/v1/${goal}?unchangedSince=${n}`, { key });
  const refused = await remove(since);
  expect([refused.status, refused.body]).toEqual([412, { error }]);
  // A change of a child goal is one of its goal.
  expect((await patch("goals/goal_handle", since + 1)).status).toBe(200);
  expect((await remove(since + 1)).status).toBe(412);
  const removed = await remove(since + 2);
  expect([removed.status, removed.headers.get("caseload-sequence")]).toEqual([200, `${since + 3}`]);
  expect((await remove(since + 2)).status).toBe(404);
  expect((await patch(goal, since)).status).toBe(404);
});

test("an update that changes nothing moves no sequence, and is no change", async () => {
  const read = await service.call("GET /api/v1/goals/goal_rating", { key });
  const since = Number(read.headers.get("caseload-sequence"));
  const { title, status } = read.body as { title: string; status: string };
  for (const json of [{}, { title, status }]) {
    const path = `/api/v1/goals/goal_rating?unchangedSince=${since}`;
    const { status, headers } = await service.call(`PATCH ${path}`, { key, json });
    expect([status, headers.get("caseload-sequence")]).toEqual([200, `${since}`]);
  }
});

test("refuse a sequence that is none, by the goal shape", async () => {
  const issue = (code: string, message: string) => ({
    error: "Validation error",
    details: [{ code, message, path: ["unchangedSince"] }],
  });
  const both = async (n: unknown) => {
    const path = `/api/v1/goals/goal_rating?unchangedSince=${n}`;
    const answers = [
      await service.call(`PATCH ${path}`, { key, json: { title: "Calm" } }),
      await service.call(`DELETE ${path}`, { key }),
    ];
    return answers.map(({ status, body }) => [status, body]);
  };
  const above = issue("custom", "Is above the sequence of the last write");
  expect(await both(99)).toEqual([
    [400, above],
    [400, above],
  ]);
  const text = issue("invalid_type", "Expected integer, received string");
  expect(await both("1.5")).toEqual([
    [400, text],
    [400, text],
  ]);
  await beginHistoryAt(database, 1_000_000_001);
  const gone = { error: "Changes since 1 are no longer known; export everything" };
  expect(await both(1)).toEqual([
    [410, gone],
    [410, gone],
  ]);
});
