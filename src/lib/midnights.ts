import { epochMilliseconds, type Instant } from "./instant.ts";

/**
 * A relational interval tree (Kriegel, Pötke, Seidl: "Managing Intervals Efficiently in Object-Relational Databases",
 * VLDB 2000) over UTC midnights, so that an index finds what goes on at an instant, however long it lasts, and reads
 * nothing else. A midnight is the number of its day. Midnight 6 is above 4 to 7, midnight 4 above 1 to 7: above more,
 * the more zeros its binary number ends with. What continues past midnights is stored with the highest one of them.
 */

const DAY = 86_400_000;

/** The day before 0001-01-01 has the number 0. */
const DAYS_BEFORE_1970 = -Date.parse("0001-01-01T00:00:00.000Z") / DAY + 1;

/** 9999-12-31 has a number below 2 to this. */
const LEVELS = 22;

function dayNumber(instant: Instant): number {
  return Math.floor(epochMilliseconds(instant) / DAY) + DAYS_BEFORE_1970;
}

/** The highest midnight after a start, up to an end; null if both are on the same day. */
export function highestMidnight(startTime: Instant, endTime: Instant): number | null {
  const first = dayNumber(startTime) + 1;
  let highest = dayNumber(endTime);
  if (highest < first) return null;
  for (let higher = highest; higher >= first; higher &= higher - 1) highest = higher;
  return highest;
}

/** Where the tree has what goes on at an instant. */
export interface MidnightsAround {
  /** What was stored with one of these and ends after the instant, goes on at it. */
  upTo: number[];
  /** What was stored with one of these and started before the instant, goes on at it. */
  after: number[];
}

/**
 * The midnights above the day of an instant.
 *
 *     midnightsAround("0001-01-05T12:00:00.000Z") // upTo: [5, 4], after: [6, 8, 16, 32, …]
 */
export function midnightsAround(instant: Instant): MidnightsAround {
  const day = dayNumber(instant);
  // Of this midnight and the next, the odd one is below the other.
  const lowest = day | 1;
  const above = Array.from({ length: LEVELS }, (_, level) => ((lowest >> level) | 1) << level);
  return {
    upTo: above.filter((midnight) => midnight <= day),
    after: above.filter((midnight) => midnight > day),
  };
}
