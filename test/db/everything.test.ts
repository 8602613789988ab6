import { expect, test } from "bun:test";
import { reads } from "../support/everything.ts";
import { parametersNotIn } from "../support/parameters.ts";

/** The plans of statements are checked over all that `everything.ts` asks, so it has to use every filter. */

test("every parameter of a list is used by test/support/everything.ts", () => {
  expect(parametersNotIn(reads)).toEqual([]);
});
