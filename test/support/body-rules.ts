import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Answer, type TestService } from "./harness.ts";
import { RANDOM_REQUESTS } from "./runs.ts";

/** Tests of rules that all endpoints with a body and standard error shapes share. */

/** An endpoint that creates records. */
export interface CreationUnderTest {
  service: TestService;
  path: string;
  key: string;
  /** The status on success. */
  created: number;
  /** Returns a new valid body; each can be sent once. */
  newBody(): Json;
}

export type Json = Record<string, unknown>;

const JSON_TYPE = { "Content-Type": "application/json" };

/** The error body with a message. */
export function plainBody(statusCode: number, error: string) {
  return { error, statusCode };
}

/** A copy of a body with a value at a path, such as `["client", "firstName"]`; undefined removes the field. */
export function withField<Body>(
  body: Body,
  [step, ...rest]: readonly (string | number)[],
  value: unknown,
): Body {
  if (step === undefined) return value as Body;
  const part = withField((body as Json | undefined)?.[step], rest, value);
  if (typeof step === "string") return { ...body, [step]: part };
  return Object.assign([...((body as unknown[] | undefined) ?? [])], { [step]: part }) as Body;
}

/** Requests sent concurrently; successful ones share a commit. */
const AT_ONCE = 100;

/**
 * Sends random bodies: arbitrary JSON, and valid bodies with one to six fields replaced by arbitrary values or by
 * values of other fields. The harness checks every response against the OpenAPI document.
 */
export function describeRandomBodies(
  { service, path, key, created, newBody }: CreationUnderTest,
  fields: readonly (readonly string[])[],
): void {
  test(`${RANDOM_REQUESTS} random bodies of POST ${path} get documented responses without a 5xx`, async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("", " ", "\0", "\ud800", "a@b.example", "2024-02-30", "LEAD", "ADMIN"),
    );
    const value = fc.oneof(
      text,
      fc.array(text, { maxLength: 4 }),
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(null, true, -1, 1.5, [], {}, { constructor: 1 }),
    );
    const changes = fc.array(fc.tuple(fc.constantFrom(...fields), value), {
      minLength: 1,
      maxLength: 6,
    });
    const body = fc.oneof(
      { arbitrary: fc.jsonValue({ maxDepth: 4 }), weight: 1 },
      {
        arbitrary: changes.map((all) =>
          all.reduce((json, [field, replaced]) => withField(json, field, replaced), newBody()),
        ),
        weight: 9,
      },
    );
    const send = (json: unknown): Promise<Answer> =>
      service.call(`POST ${path}`, { key, raw: JSON.stringify(json), headers: JSON_TYPE });
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (all) => {
        for (const { status } of await Promise.all(all.map(send))) {
          expect(status).toBeLessThan(500);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
      { numRuns: RANDOM_REQUESTS / AT_ONCE, endOnFailure: true },
    );
    // Both statuses must occur; otherwise the bodies were all refused, and the test is worthless.
    for (const status of [created, 400])
      expect(statuses.get(status)).toBeGreaterThan(RANDOM_REQUESTS / 100);
  }, 120_000);
}
