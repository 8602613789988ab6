import { afterAll, describe, expect, test } from "bun:test";
import type { Issue } from "../../src/lib/errors.ts";
import { newBodies } from "../support/inputs/bodies.ts";

/** The size, the media type, the encoding and the JSON of a body, in each operation that has one. */

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = { "Content-Type": "application/json" };

const { service, key, bodies } = await newBodies();
const server = Bun.serve({ port: 0, fetch: service.app.fetch });
afterAll(() => server.stop(true));

/** One of each operation. */
const operations = bodies.filter(
  ({ operation }, index) => bodies.findIndex((other) => other.operation === operation) === index,
);

describe.each(operations.map((each) => [each.operation, each] as const))("%s", (_, each) => {
  const { line, success, newBody, refusal } = each;
  const isOfGoals = each.operation.endsWith("Goal");
  const plain = (statusCode: number, error: string) => [
    ...[statusCode, isOfGoals ? { error } : { error, statusCode }],
  ];
  const text = () => JSON.stringify(newBody());
  function paddedTo(bytes: number): string {
    const body = text();
    return body + " ".repeat(bytes - Buffer.byteLength(body));
  }
  async function send(raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
    const response = await service.call(line, { key, raw, headers });
    return [response.status, response.body];
  }

  describe("the size", () => {
    /** Sends over the network, which alone has bodies in chunks. */
    async function sendOver(body: string | ReadableStream, type = "application/json") {
      const [method = "", path = ""] = line.split(" ");
      const response = await fetch(new URL(path, server.url), {
        ...{ method, body, headers: { Authorization: `Bearer ${key}`, "Content-Type": type } },
      });
      return [response.status, await response.json()];
    }

    test("1 MiB is accepted, with Content-Length or in chunks", async () => {
      for (const wrap of [String, chunked])
        expect((await sendOver(wrap(paddedTo(MEBIBYTE))))[0]).toBe(success);
    });

    test("one byte more responds 413, with Content-Length or in chunks, for any media type", async () => {
      const tooLarge = plain(413, "Request body must not be larger than 1 MiB");
      for (const wrap of [String, chunked])
        for (const type of ["application/json", "text/plain"])
          expect(await sendOver(wrap(paddedTo(MEBIBYTE + 1)), type)).toEqual(tooLarge);
    });
  });

  test("another media type responds 415", async () => {
    for (const type of [
      ...[undefined, "", "text/plain", "application/x-www-form-urlencoded", "application/jsonl"],
      ...["application/merge-patch+json", "text/json"],
    ]) {
      const headers = type === undefined ? {} : { "Content-Type": type };
      const response = await send(new TextEncoder().encode("{"), headers);
      expect([type, ...response]).toEqual([
        ...[type, ...plain(415, "Content-Type must be application/json")],
      ]);
    }
  });

  test("JSON is accepted with any parameter, in any letter case", async () => {
    for (const type of [
      ...["application/json; charset=utf-8", "application/json;charset=x", "Application/JSON"],
    ])
      expect((await send(text(), { "Content-Type": type }))[0]).toBe(success);
  });

  test("an encoding responds 415, except identity", async () => {
    for (const encoding of ["gzip", "br", "identity, gzip", "x"])
      expect(await send(text(), { ...JSON_TYPE, "Content-Encoding": encoding })).toEqual(
        plain(415, "Content-Encoding is not supported"),
      );
    const headers = { ...JSON_TYPE, "Content-Encoding": "Identity" };
    expect((await send(text(), headers))[0]).toBe(success);
  });

  const noJson: Issue = {
    ...{ code: "custom", message: "Request body must be valid JSON in UTF-8", path: [] },
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
  ])("%s is no JSON: 400", async (_, raw) => {
    expect(await send(raw, JSON_TYPE)).toEqual([400, refusal(noJson)]);
  });

  test.each([
    ["", "Required"],
    ["null", "Expected object, received null"],
    ["[]", "Expected object, received array"],
    ["[{}]", "Expected object, received array"],
    ['"text"', "Expected object, received string"],
    ["5", "Expected object, received number"],
    ["true", "Expected object, received boolean"],
  ])("%p is no object: 400", async (raw, message) => {
    const issue: Issue = { code: "invalid_type", message, path: [] };
    expect(await send(raw, JSON_TYPE)).toEqual([400, refusal(issue)]);
  });
});

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
