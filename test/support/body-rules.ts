import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Issue } from "../../src/lib/errors.ts";
import { type Answer, type TestService } from "./harness.ts";
import { validationBody } from "./list-rules.ts";
import { RANDOM_REQUESTS } from "./runs.ts";

/** Tests of rules that all endpoints with a body and standard error shapes share. */

/** An endpoint that creates records. */
export interface CreationUnderTest {
  service: TestService;
  path: string;
  key: string;
  /** The `Allow` header of its path. */
  allow: string;
  /** The status on success. */
  created: number;
  /** Returns a new valid body; each can be sent once. */
  newBody(): Json;
}

export type Json = Record<string, unknown>;

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = { "Content-Type": "application/json" };

/** The error body with a message. */
export function plainBody(statusCode: number, error: string) {
  return { error, statusCode };
}

/** Replaces one field of a body, such as `["client", "firstName"]`; undefined removes it. */
export function withField(
  body: Json,
  [name = "", ...rest]: readonly string[],
  value: unknown,
): Json {
  const inner = rest.length === 0 ? value : withField((body[name] ?? {}) as Json, rest, value);
  return { ...body, [name]: inner };
}

/** Order of checks: key, method, size and media type, body. */
export function describeRequests(creation: CreationUnderTest): void {
  const { service, path, key, allow, created, newBody } = creation;
  const post = (
    raw: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = JSON_TYPE,
  ) => service.call(`POST ${path}`, { key, raw, headers });

  describe(`POST ${path} without a valid key`, () => {
    test.each([
      [undefined, "API key required"],
      ["", "API key required"],
      ["Basic abc", "API key required"],
      ["Bearer ", "API key required"],
      ["Bearer nonsense", "Invalid API key"],
      [`Bearer ${key.slice(0, -1)}`, "Invalid API key"],
    ])("%p responds 401, whatever the body", async (authorization, sentence) => {
      const headers = { ...(authorization !== undefined && { Authorization: authorization }) };
      for (const raw of ["{", "x".repeat(MEBIBYTE + 1), JSON.stringify(newBody())]) {
        const answer = await service.call(`POST ${path}`, { raw, headers });
        expect([answer.status, answer.body]).toEqual([401, plainBody(401, sentence)]);
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      }
    });
  });

  test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])(`%s ${path} responds 405`, async (method) => {
    const answer = await service.call(`${method} ${path}`, { key, json: newBody() });
    expect([answer.status, answer.body]).toEqual([405, plainBody(405, "Method not allowed")]);
    expect(answer.headers.get("allow")).toBe(allow);
  });

  describe(`the size of a body of POST ${path}`, () => {
    const server = Bun.serve({ port: 0, fetch: service.app.fetch });
    afterAll(() => server.stop(true));
    const send = async (body: string | ReadableStream, headers: Record<string, string>) => {
      const response = await fetch(new URL(path, server.url), {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, ...headers },
        body,
      });
      return [response.status, await response.json()];
    };
    const tooLarge = [413, plainBody(413, "Request body must not be larger than 1 MiB")];
    const padded = (bytes: number) => JSON.stringify(newBody()).padEnd(bytes);

    test("1 MiB is accepted, with Content-Length or in chunks", async () => {
      for (const wrap of [String, chunked]) {
        const [status] = await send(wrap(padded(MEBIBYTE)), JSON_TYPE);
        expect(status).toBe(created);
      }
    });

    test("one byte more responds 413, with Content-Length or in chunks, for any media type", async () => {
      for (const wrap of [String, chunked])
        for (const type of ["application/json", "text/plain"])
          expect(await send(wrap(padded(MEBIBYTE + 1)), { "Content-Type": type })).toEqual(
            tooLarge,
          );
    });
  });

  describe(`the media type of POST ${path}`, () => {
    test.each([
      {},
      { "Content-Type": "" },
      { "Content-Type": "text/plain" },
      { "Content-Type": "application/x-www-form-urlencoded" },
      { "Content-Type": "application/jsonl" },
      { "Content-Type": "application/merge-patch+json" },
      { "Content-Type": "text/json" },
    ])("%p responds 415", async (headers) => {
      const answer = await post(new TextEncoder().encode("{"), headers);
      expect([answer.status, answer.body]).toEqual([
        415,
        plainBody(415, "Content-Type must be application/json"),
      ]);
    });

    test.each(["gzip", "br", "identity, gzip", "x"])(
      "with Content-Encoding %s responds 415",
      async (encoding) => {
        const headers = { ...JSON_TYPE, "Content-Encoding": encoding };
        const answer = await post(JSON.stringify(newBody()), headers);
        expect([answer.status, answer.body]).toEqual([
          415,
          plainBody(415, "Content-Encoding is not supported"),
        ]);
      },
    );

    test("with Content-Encoding identity is accepted", async () => {
      const headers = { ...JSON_TYPE, "Content-Encoding": "Identity" };
      expect((await post(JSON.stringify(newBody()), headers)).status).toBe(created);
    });

    test.each([
      "application/json; charset=utf-8",
      "application/json;charset=x",
      "Application/JSON",
    ])("%p is accepted", async (type) => {
      const answer = await post(JSON.stringify(newBody()), { "Content-Type": type });
      expect(answer.status).toBe(created);
    });
  });

  describe(`a body of POST ${path} that is not a JSON object responds 400`, () => {
    const noJson: Issue = {
      code: "custom",
      message: "Request body must be valid JSON in UTF-8",
      path: [],
    };
    const bytes = (...values: number[]) => new Uint8Array(values);
    const quoted = (...values: number[]) => bytes(0x7b, 0x22, ...values, 0x22, 0x3a, 0x31, 0x7d);
    test.each([
      ["an open brace", "{"],
      ["two values", "{} {}"],
      ["a word", "nope"],
      ["single quotes", "{'firstName':'Ana'}"],
      ["white space alone", " "],
      ["a byte that is no UTF-8", quoted(0xff)],
      ["a character cut short", quoted(0xc3)],
      ["an overlong NUL", quoted(0xc0, 0x80)],
      ["a surrogate in bytes", quoted(0xed, 0xa0, 0x80)],
      ["UTF-16", bytes(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
      ["more brackets than a parser bears", "[".repeat(500_000)],
    ])("%s", async (_, raw) => {
      const answer = await post(raw);
      expect([answer.status, answer.body]).toEqual([400, validationBody(noJson)]);
    });

    test.each([
      ["", "Required"],
      ["null", "Expected object, received null"],
      ["[]", "Expected object, received array"],
      ["[{}]", "Expected object, received array"],
      ['"text"', "Expected object, received string"],
      ["5", "Expected object, received number"],
      ["true", "Expected object, received boolean"],
    ])("%p", async (raw, message) => {
      const answer = await post(raw);
      expect([answer.status, answer.body]).toEqual([
        400,
        validationBody({ code: "invalid_type", message, path: [] }),
      ]);
    });
  });
}

function chunked(text: string): ReadableStream {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let start = 0; start < bytes.length; start += 100_000)
        controller.enqueue(bytes.slice(start, start + 100_000));
      controller.close();
    },
  });
}

/** A field with an invalid value: field, value, code, message, and the issue's path if it is not the field. */
export type FieldRefusal = readonly [
  field: readonly string[],
  value: unknown,
  code: Issue["code"],
  message: string,
  path?: readonly (string | number)[],
];

/** Tests each invalid field alone, and then all of them in one request, with issues in the order of the model. */
export function describeFieldRefusals(
  { service, path, key, newBody }: CreationUnderTest,
  refusals: readonly FieldRefusal[],
): void {
  const issueOf = ([field, , code, message, at = field]: FieldRefusal): Issue => ({
    code,
    message,
    path: [...at],
  });

  describe(`invalid fields of POST ${path}`, () => {
    test.each(
      refusals.map((refusal) => [
        refusal[0].join("."),
        String(JSON.stringify(refusal[1])).slice(0, 60),
        refusal,
      ]),
    )("%s: %s", async (_field, _value, refusal) => {
      const [field, value] = refusal as FieldRefusal;
      const json = withField(newBody(), field, value);
      const answer = await service.call(`POST ${path}`, { key, json });
      expect([answer.status, answer.body]).toEqual([
        400,
        validationBody(issueOf(refusal as FieldRefusal)),
      ]);
    });

    test("an error in each field: all are reported, in the order of the schema", async () => {
      const firsts = refusals.filter(
        ([field], index) =>
          refusals.findIndex(([other]) => other.join() === field.join()) === index,
      );
      const json = firsts.reduce(
        (body, [field, value]) => withField(body, field, value),
        newBody(),
      );
      const answer = await service.call(`POST ${path}`, { key, json });
      expect([answer.status, answer.body]).toEqual([400, validationBody(...firsts.map(issueOf))]);
    });
  });
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
