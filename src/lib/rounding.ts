/** Exact quotients of integers, rounded to decimals. */

/**
 * Rounded to the nearest number with so many decimals, a half up.
 *
 *     roundedHalfUp(1n, 32n, 4)  // 0.0313
 */
export function roundedHalfUp(numerator: bigint, denominator: bigint, decimals: number): number {
  const scaled = numerator * 10n ** BigInt(decimals);
  return Number((2n * scaled + denominator) / (2n * denominator)) / 10 ** decimals;
}

/**
 * Rounded up to the next number with so many decimals.
 *
 *     roundedUp(1n, 300n, 2)  // 0.01
 */
export function roundedUp(numerator: bigint, denominator: bigint, decimals: number): number {
  const scaled = numerator * 10n ** BigInt(decimals);
  return Number((scaled + denominator - 1n) / denominator) / 10 ** decimals;
}

export interface Fraction {
  numerator: bigint;
  /** More than 0. */
  denominator: bigint;
}

/** A decimal number as an exact fraction: `0.05` is 5 of 100, `1e-7` one of ten million. */
export function fractionOf(decimal: string): Fraction {
  const [mantissa = "", exponent = "0"] = decimal.split("e");
  const [whole = "", decimals = ""] = mantissa.split(".");
  const places = decimals.length - Number(exponent);
  const numerator = BigInt(whole + decimals);
  return places >= 0
    ? { numerator, denominator: 10n ** BigInt(places) }
    : { numerator: numerator * 10n ** BigInt(-places), denominator: 1n };
}

/** The exact sum of numbers, each as it is written in decimals. */
export function exactSum(numbers: readonly number[]): Fraction {
  const sum = numbers.reduce((total, each) => total + each, 0);
  // Without this, most sums would take ten times as long.
  if (numbers.every(Number.isInteger) && numbers.every((each) => Math.abs(each) < SMALL))
    return { numerator: BigInt(sum), denominator: 1n };
  return numbers
    .map((each) => fractionOf(String(each)))
    .reduce((a, b) => (a.denominator < b.denominator ? plus(b, a) : plus(a, b)));
}

/** @param a has the larger denominator; both are powers of ten. */
function plus(a: Fraction, b: Fraction): Fraction {
  const { denominator } = a;
  return { numerator: a.numerator + b.numerator * (denominator / b.denominator), denominator };
}

/** As many integers as a goal has entries, each smaller than this, have an exact sum. */
const SMALL = 1e9;

/**
 * Rounded to millionths, a half up, also below zero. What is too large for a number is the largest one.
 *
 *     inMillionths({ numerator: -1n, denominator: 2_000_000n })  // 0
 */
export function inMillionths({ numerator, denominator }: Fraction): number {
  const [doubled, divisor] = [2n * 1_000_000n * numerator + denominator, 2n * denominator];
  const cut = doubled / divisor;
  const rounded = Number(doubled < 0n && cut * divisor !== doubled ? cut - 1n : cut) / 1e6;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, rounded));
}

/** The form of a decimal number from 0 to 1. */
export const PART_OF_ONE = "^(0+(\\.[0-9]+)?|0*1(\\.0+)?)$";
