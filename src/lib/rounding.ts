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

/** A decimal number as an exact fraction: `0.05` is 5 of 100. */
export function fractionOf(decimal: string): { numerator: bigint; denominator: bigint } {
  const [whole = "", decimals = ""] = decimal.split(".");
  return { numerator: BigInt(whole + decimals), denominator: 10n ** BigInt(decimals.length) };
}

/** The form of a decimal number from 0 to 1. */
export const PART_OF_ONE = "^(0+(\\.[0-9]+)?|0*1(\\.0+)?)$";
