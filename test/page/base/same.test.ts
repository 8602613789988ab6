import { expect, test } from "bun:test";
import fc from "fast-check";
import { isSame } from "../../../src/page/app/lib/base/same.ts";
import { runs } from "../../support/runs.ts";

/** Whether something typed is as it was. */

test("plain data are the same if their parts are", () => {
  const data = fc.jsonValue();
  fc.assert(
    fc.property(data, data, (a, b) => {
      expect(isSame(a, structuredClone(a))).toBe(true);
      expect(isSame(a, b)).toBe(Bun.deepEquals(a, b, true));
    }),
    { numRuns: runs(600) },
  );
});

test("a missing field is no undefined one, and neither an empty list nor nothing an empty object", () => {
  for (const [a, b] of [
    [{}, { a: undefined }],
    [[], {}],
    [null, {}],
    ["", null],
    [[1], [1, 2]],
    [
      { a: 1, b: 2 },
      { a: 1, c: 2 },
    ],
  ])
    expect([isSame(a, b), isSame(b, a)]).toEqual([false, false]);
});
