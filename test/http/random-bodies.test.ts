import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { withField } from "../support/body-rules.ts";
import type { Answer } from "../support/harness.ts";
import { type BodyUnderTest, newBodies } from "../support/inputs/bodies.ts";
import { type Place, placesIn } from "../support/inputs/kinds.ts";
import { RANDOM_REQUESTS } from "../support/runs.ts";

/**
 * Random bodies: any JSON, and valid bodies with some fields replaced. `call` compares each response with the OpenAPI
 * document.
 */

const { service, key, bodies } = await newBodies();

/** Requests sent concurrently; successful ones share a commit. */
const AT_ONCE = 100;

const oddText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    ...["", " ", "\0", "\ud800", "a\udc00", "\u{1F600}", "__proto__", "rating", "BASELINE", "1e3"],
    ...["a@b.example", "2024-02-30T00:00:00Z", "2026-03-01T09:00:00-05:00", "LEAD", "ADMIN"],
    ...["PERCENTAGE", "x".repeat(2_000)],
  ),
);
const oddValue = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(
    ...[0, -0, -1, 0.1, 5e-324, 1.7976931348623157e308, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21],
    ...[null, undefined, true, [], {}, { constructor: 1 }],
  ),
  fc.array(oddText, { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A field and what it becomes: also values that fields of its kind refuse, and the longest one that they take. */
function change({ path, field }: Place) {
  const { refused, longest } = field;
  const own = fc.constantFrom(longest, ...refused.map(([value]) => value));
  return fc.oneof(oddValue, own).map((value) => ({ path, value }));
}

function changed({ fields, newBody }: BodyUnderTest): fc.Arbitrary<unknown> {
  const unknown: Place[] = ["__proto__", "isActive"].map((name) => ({
    ...{ path: [name], field: { type: "string", refused: [] } },
  }));
  const places = [...placesIn(fields), ...unknown];
  return fc
    .array(fc.constantFrom(...places).chain(change), { maxLength: 6 })
    .map((all) => all.reduce((body, { path, value }) => withField(body, path, value), newBody()));
}

const operations = Map.groupBy(bodies, ({ operation }) => operation);

describe.each([...operations])("%s", (operation, kinds) => {
  async function send(line: string, body: unknown): Promise<Answer> {
    const raw = String(JSON.stringify(body));
    const headers = { "Content-Type": "application/json" };
    const response = await service.call(line, { key, raw, headers });
    expect(response.status).toBeLessThan(500);
    if (operation !== "createGoal" || response.status !== 201) return response;
    // What is stored is what was returned.
    const { publicId } = response.body as { publicId: string };
    const stored = await service.call(`GET /api/v1/goals/${publicId}`, { key });
    expect(stored.text).toBe(response.text);
    return response;
  }

  test(`${RANDOM_REQUESTS} random bodies`, async () => {
    const request = fc.constantFrom(...kinds).chain((kind) =>
      fc.record({
        line: fc.constant(kind.line),
        body: fc.oneof({ weight: 9, arbitrary: changed(kind) }, fc.jsonValue({ maxDepth: 4 })),
      }),
    );
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE }),
        async (requests) => {
          const responses = requests.map(({ line, body }) => send(line, body));
          for (const { status } of await Promise.all(responses))
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
        },
      ),
      { numRuns: RANDOM_REQUESTS / AT_ONCE, endOnFailure: true },
    );
    // Both must occur; otherwise the bodies were all refused, and the test is worthless.
    for (const status of [kinds[0]!.success, 400])
      expect(statuses.get(status)).toBeGreaterThan(RANDOM_REQUESTS / 100);
  }, 300_000);
});
