import { expect, test } from "bun:test";
import { parseJson } from "../../src/lib/json.ts";

const nested = (depth: number, inner = "1") => "[".repeat(depth) + inner + "]".repeat(depth);
/** Long enough that its nesting counts. */
const long = "x".repeat(10_000);

test("values are those of JSON.parse", () => {
  for (const text of [
    "1",
    nested(900, `"${long}"`),
    JSON.stringify({ a: [`${"[".repeat(20_000)}"\\`, { "\\": '\\"[' }], b: long }),
    JSON.stringify(Array.from({ length: 5_000 }, () => [{}])),
  ])
    expect(parseJson(text)).toEqual(JSON.parse(text));
});

test("what is no JSON, or nested more than a thousand times in a long text, is refused", () => {
  for (const text of [
    "[",
    `"${long}`,
    `{"${long}\\"`,
    nested(1_001, `"${long}"`),
    "[1,".repeat(5_000),
  ])
    expect(() => parseJson(text)).toThrow(SyntaxError);
  expect(() => parseJson('{"\\\\":'.repeat(2_000) + long)).toThrow("Nested too deeply");
});
