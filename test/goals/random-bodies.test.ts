import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Answer } from "../support/harness.ts";
import {
  goalTypes,
  type Json,
  optional,
  percentage,
  publicIdOf,
  step,
  timesADay,
} from "../support/goals/bodies.ts";
import { newPractice } from "../support/goals/practice.ts";
import { RANDOM_REQUESTS } from "../support/runs.ts";

/**
 * Random bodies for POST and PATCH of goals. `call` validates every response against the OpenAPI
 * document.
 */

const { treatmentPlanId, bodyOf, create, update } = await newPractice();

/** The number of concurrent requests. They share a commit, which makes the test fast. */
const AT_ONCE = 100;

const oddText = fc.constantFrom(
  ...["", " ", "\0", "\ud800", "a\udc00", "\u{1F600}", "__proto__", "rating", "BASELINE", "1e3"],
  ...["2024-02-30T00:00:00Z", "2026-03-01T09:00:00-05:00", "PERCENTAGE", "x".repeat(2_000)],
);
const oddNumber = fc.constantFrom(
  ...[0, -0, -1, 0.1, 5e-324, 1.7976931348623157e308, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21],
);
const anything = fc.oneof(oddText, oddNumber, fc.jsonValue({ maxDepth: 2 }));

/** Mostly a value like the example, sometimes any value, sometimes none. */
function like(value: unknown): fc.Arbitrary<unknown> {
  const alike = Array.isArray(value)
    ? fc.tuple(...value.map(like))
    : typeof value === "object" && value !== null
      ? fields(value as Json)
      : fc.constant(value);
  return fc.oneof({ weight: 30, arbitrary: alike }, { weight: 1, arbitrary: anything });
}

function fields(example: Json): fc.Arbitrary<Json> {
  const arbitraries = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      fc.oneof(
        { weight: 30, arbitrary: like(value) },
        { weight: 1, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    ]),
  );
  return fc.record(arbitraries, { noNullPrototype: true });
}

const examples = goalTypes.map((type) =>
  bodyOf(type, {
    ...optional[type],
    ...(type === "frequency_duration" && { baselineMetric: timesADay(2) }),
    ...(type === "opportunity" && {
      childGoals: [step("a", { childGoals: [step("b")], baselineMetric: percentage(5) })],
    }),
  }),
);

const bodyArbitrary: fc.Arbitrary<unknown> = fc.oneof(
  ...examples.map((example) => ({ weight: 10, arbitrary: like(example) })),
  { weight: 1, arbitrary: fc.jsonValue() },
);

/** Sends the bodies in groups and counts the responses by status. */
async function answersTo<Body>(
  bodies: fc.Arbitrary<Body>,
  send: (body: Body) => Promise<Answer>,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  const groups = fc.array(bodies, { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(groups, async (group) => {
      for (const { status } of await Promise.all(group.map(send)))
        statuses[status] = (statuses[status] ?? 0) + 1;
    }),
    { numRuns: RANDOM_REQUESTS / AT_ONCE, endOnFailure: true },
  );
  return statuses;
}

test("PATCH responds 200 or 400 to random bodies", async () => {
  const ids: string[] = [];
  for (const type of goalTypes) ids.push(publicIdOf(await create(bodyOf(type))));
  const targets = fc.record({ id: fc.constantFrom(...ids), body: bodyArbitrary });
  const statuses = await answersTo(targets, ({ id, body }) => update(id, body));
  expect(Object.keys(statuses)).toEqual(["200", "400"]);
  expect(Math.min(...Object.values(statuses))).toBeGreaterThan(RANDOM_REQUESTS / 10);
}, 300_000);

test("POST responds 201 or 400 to random bodies, and stores what it returns", async () => {
  const statuses = await answersTo(bodyArbitrary, async (body) => {
    const created = await create(body);
    if (created.status === 201)
      expect((await update(publicIdOf(created), {})).text).toBe(created.text);
    return created;
  });
  expect(Object.keys(statuses)).toEqual(["201", "400"]);
  expect(Math.min(...Object.values(statuses))).toBeGreaterThan(RANDOM_REQUESTS / 10);
}, 300_000);
