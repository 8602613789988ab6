import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { roundedHalfUp } from "../lib/rounding.ts";

/** Statuses of sessions that hold their slot and count as scheduled, even in the past. */
export const SCHEDULED_STATUSES = ["CONFIRMED", "UNCONFIRMED", "REQUESTED_TO_CANCEL"] as const;

/** Whether a session of this status counts as scheduled. */
export function countsAsScheduled(status: string): boolean {
  return (SCHEDULED_STATUSES as readonly string[]).includes(status);
}

const MINUTE = 60_000;

/**
 * Elapsed whole minutes between two instants, not local clock time: a session from 01:30 to 03:30 in the night in which
 * clocks skip an hour takes 60 minutes.
 */
export function elapsedMinutes(startTime: Instant, endTime: Instant): number {
  return Math.floor((epochMilliseconds(endTime) - epochMilliseconds(startTime)) / MINUTE);
}

/**
 * The units of a session, which must not end before it starts. A visit (no billing unit: null) is 1 unit. Otherwise the
 * whole minutes are divided by the billing unit and rounded, half up. For 15-minute units this is Medicare's 8-minute
 * rule:
 *
 *     minutes  0…7  8…22  23…37  38…52
 *     units      0     1      2      3
 */
export function scheduledUnits(
  startTime: Instant,
  endTime: Instant,
  billingUnitMinutes: number | null,
): number {
  if (billingUnitMinutes === null) return 1;
  const minutes = elapsedMinutes(startTime, endTime);
  // minutes / unit + 1/2 with a common denominator, so that all values before the division are integers.
  return Math.floor((2 * minutes + billingUnitMinutes) / (2 * billingUnitMinutes));
}

const MILLION = 1_000_000;
const MINUTES_PER_HOUR = 60n;

/** Far beyond any real number of units, and so small that sums of it are finite. */
const MAX_MILLIONTHS = 1e300;

/**
 * Converts units to integer millionths, for exact sums: 0.1 + 0.2 is not 0.3, but 100000 + 200000 is 300000. Sums are
 * exact up to nine billion units. More than six decimals are rounded.
 */
export function toMillionths(units: number): number {
  return Math.min(Math.round(units * MILLION), MAX_MILLIONTHS);
}

/** Converts millionths to units: 300000 gives 0.3. */
export function fromMillionths(millionths: number): number {
  return millionths / MILLION;
}

/** The exact sum of units: 0.1 and 0.2 make 0.3. */
export function sumOfUnits(...units: number[]): number {
  return fromMillionths(units.map(toMillionths).reduce((sum, one) => sum + one, 0));
}

/** The hours of units of so many minutes each, rounded to two decimals, half up: 7 units of 15 minutes are 1.75. */
export function inHours(delivered: readonly { millionths: number; minutes: number }[]): number {
  const total = delivered.reduce(
    (sum, { millionths, minutes }) => sum + BigInt(millionths) * BigInt(minutes),
    0n,
  );
  return roundedHalfUp(total, BigInt(MILLION) * MINUTES_PER_HOUR, 2);
}

/** The number of units over the authorized ones; 0 if they are not exceeded, or there is no limit. */
export function unitsOver(units: number, authorized: number | null): number {
  if (authorized === null) return 0;
  return fromMillionths(Math.max(0, toMillionths(units) - toMillionths(authorized)));
}

/** The number of authorized units left, at least 0; null without a limit. */
export function unitsLeft(units: number, authorized: number | null): number | null {
  if (authorized === null) return null;
  return fromMillionths(Math.max(0, toMillionths(authorized) - toMillionths(units)));
}
