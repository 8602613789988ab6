import { epochMilliseconds, type Instant } from "../lib/instant.ts";

/** Statuses of a session that still holds its slot, and so counts as scheduled, past or not. */
export const SCHEDULED_STATUSES = ["CONFIRMED", "UNCONFIRMED", "REQUESTED_TO_CANCEL"] as const;

/** Whether a session of this status counts as scheduled. */
export function countsAsScheduled(status: string): boolean {
  return (SCHEDULED_STATUSES as readonly string[]).includes(status);
}

const MINUTE = 60_000;

/**
 * Whole minutes that elapse from one instant to another, by no clock on a wall: a session from 01:30 to
 * 03:30 in the night in which the clocks skip an hour takes 60.
 */
export function elapsedMinutes(startTime: Instant, endTime: Instant): number {
  return Math.floor((epochMilliseconds(endTime) - epochMilliseconds(startTime)) / MINUTE);
}

/**
 * The units of a session, which does not end before it starts. A visit, which is billed by no
 * number of minutes (null), is 1. Otherwise its whole minutes are divided by the billing unit and rounded,
 * a half up. For 15-minute units that is the 8-minute rule of Medicare:
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
  // minutes / unit + 1/2 over a common denominator, so that everything before the division is an integer.
  return Math.floor((2 * minutes + billingUnitMinutes) / (2 * billingUnitMinutes));
}

const MILLION = 1_000_000;

/**
 * Units as an integer of millionths, in which they are summed: 0.1 + 0.2 is not 0.3, 100000 + 200000 is
 * 300000. Sums are exact to nine billion units; decimals beyond the sixth are rounded away.
 */
export function toMillionths(units: number): number {
  return Math.round(units * MILLION);
}

/** The number of units that so many millionths are: 300000 gives 0.3. */
export function fromMillionths(millionths: number): number {
  return millionths / MILLION;
}

/** The exact sum of some units: 0.1 and 0.2 make 0.3. */
export function sumOfUnits(...units: number[]): number {
  return fromMillionths(units.map(toMillionths).reduce((sum, one) => sum + one, 0));
}

/** By how much units exceed those that are authorized; 0 where they do not, or there is no limit. */
export function unitsOver(units: number, authorized: number | null): number {
  if (authorized === null) return 0;
  return fromMillionths(Math.max(0, toMillionths(units) - toMillionths(authorized)));
}

/** How many of the authorized units are left, 0 where there are too many already; null where there is no limit. */
export function unitsLeft(units: number, authorized: number | null): number | null {
  if (authorized === null) return null;
  return fromMillionths(Math.max(0, toMillionths(authorized) - toMillionths(units)));
}
