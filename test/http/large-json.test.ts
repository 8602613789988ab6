import { describe, expect, test } from "bun:test";
import { largeJson } from "../../src/http/large-json.ts";

/** Bodies that are written in pieces have the same text as those that are written at once. */

const request = new Request("http://localhost/");

async function textOf(body: object, asked = request): Promise<string> {
  const response = (await largeJson(asked, body)) as unknown as Response;
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  return response.text();
}

describe("the text is that of JSON.stringify", () => {
  test.each<[string, object]>([
    ["no fields", {}],
    ["values", { a: 1, b: null, c: 'ü\n"', d: false, e: { f: [1, [2]] } }],
    ["lists", { none: [], one: [{ a: [] }], more: [1, "2", null], last: 0 }],
    [
      "more than memory holds",
      { head: 1, list: Array.from({ length: 300_000 }, (_, i) => ({ i })) },
    ],
    ["a large element", { list: ["x".repeat(200_000), "y"] }],
  ])("%s", async (_, body) => {
    expect((await textOf(body)) === JSON.stringify(body)).toBe(true);
  });
});

test("a list may come in batches, also empty ones", async () => {
  async function* batches(...lists: number[][]) {
    yield* lists;
  }
  expect(await textOf({ a: batches([], [1, 2], [], [3]), b: batches(), c: batches([]) })).toBe(
    '{"a":[1,2,3],"b":[],"c":[]}',
  );
});

test("the event loop turns while a long body is written", async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await textOf({ list: Array.from({ length: 300_000 }, (_, i) => ({ i })) });
  isDone = true;
  expect(turns).toBeGreaterThan(5);
});

test("HEAD has the body of a short response, whose length Elysia takes, and none of a long one", async () => {
  const head = new Request(request, { method: "HEAD" });
  expect(await textOf({ list: [1] }, head)).toBe('{"list":[1]}');
  expect(await textOf({ list: Array(1_000).fill("x".repeat(100)) }, head)).toBe("");
});
