import { expect, test } from "bun:test";
import { valueText } from "../../../src/page/app/lib/goals/goals.ts";

test.each([
  [null, "PERCENT", "not known"],
  [66.666667, "PERCENT", "66.7 %"],
  [250, "PERCENT", "250 %"],
  [1, "TIMES", "1 time"],
  [1234, "TIMES", "1,234 times"],
  // A rate of 0.28 does not meet one of at most 0.25.
  [0.28, "TIMES", "0.28 times"],
  [0.25, "TIMES", "0.25 times"],
  [1.04, "TIMES", "1.04 times"],
  [0.004, "HOURS", "0.004 hours"],
  [-2, "RATING", "-2"],
] as const)("%p in %s is %p", (value, valueUnit, text) => {
  expect(valueText(value, { valueUnit })).toBe(text);
});
