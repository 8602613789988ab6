import { expect, test } from "bun:test";
import { fractionOf, roundedHalfUp, roundedUp } from "../../src/lib/rounding.ts";

test.each([
  [1n, 3n, 4, 0.3333],
  [1n, 32n, 4, 0.0313],
  [5n, 1_000n, 2, 0.01],
  [4_999n, 1_000_000n, 2, 0],
  [7n, 2n, 0, 4],
  [0n, 7n, 2, 0],
  [10n ** 30n, 10n ** 30n * 3n, 4, 0.3333],
])("%p / %p has %p decimals, a half rounded up: %p", (part, whole, decimals, rounded) => {
  expect(roundedHalfUp(part, whole, decimals)).toBe(rounded);
});

test.each([
  [1n, 300n, 2, 0.01],
  [1n, 100n, 2, 0.01],
  [1n, 10n ** 30n, 2, 0.01],
  [101n, 100n, 1, 1.1],
  [0n, 7n, 2, 0],
])("%p / %p has %p decimals, rounded up: %p", (part, whole, decimals, rounded) => {
  expect(roundedUp(part, whole, decimals)).toBe(rounded);
});

test.each([
  ["0.05", 5n, 100n],
  ["1", 1n, 1n],
  ["0.10", 10n, 100n],
])("%s is %p of %p", (decimal, numerator, denominator) => {
  expect(fractionOf(decimal)).toEqual({ numerator, denominator });
});
