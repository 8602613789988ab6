import { describe, expect, test } from "bun:test";
import { json } from "../../src/http/threads/run-handler.ts";

/** Bodies that are written in pieces have the same text as those that are written at once. */

const textOf = (body: object) => Buffer.concat([...json(body)]).toString();

describe("the text is that of JSON.stringify", () => {
  test.each<[string, object]>([
    ["no fields", {}],
    ["values", { a: 1, b: null, c: 'ü\n"', d: false, e: { f: [1, [2]] }, g: undefined }],
    ["lists", { none: [], one: [{ a: [] }], more: [1, "2", null], last: 0 }],
    ["many pieces", { head: 1, list: Array.from({ length: 300_000 }, (_, i) => ({ i })) }],
    ["a large element", { list: ["x".repeat(200_000), "y"] }],
  ])("%s", (_, body) => {
    expect(textOf(body) === JSON.stringify(body)).toBe(true);
  });
});

test("a list may be made while it is written", () => {
  function* numbers(count: number) {
    for (let number = 0; number < count; number += 1) yield number;
  }
  expect(textOf({ a: numbers(3), b: numbers(0) })).toBe('{"a":[0,1,2],"b":[]}');
});
