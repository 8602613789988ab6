import { type CalendarDate, type DateRange, daysBetween } from "../lib/calendar-date.ts";
import { toMillionths } from "./units.ts";

/** Shares are told to four decimals, a half rounded up: 1 of 3 is 0.3333, and 1 of 32 is 0.0313. */
const SHARES_OF_ONE = 10_000;

/** Which part of the authorized units some units are; null where there is no limit, or nothing to be a part of. */
export function shareOf(units: number, authorized: number | null): number | null {
  if (authorized === null || toMillionths(authorized) === 0) return null;
  return ratio(toMillionths(units), toMillionths(authorized));
}

/**
 * How much of a period has passed on one of its days: the days up to and including it, of all days that the calendar
 * has between the period's dates.
 *
 *     elapsedShare({ startDate: "2026-01-11", endDate: "2026-01-17" }, "2026-01-12")  // 0.2857, two of seven
 */
export function elapsedShare({ startDate, endDate }: DateRange, date: CalendarDate): number {
  return ratio(daysBetween(startDate, date) + 1, daysBetween(startDate, endDate) + 1);
}

/** The quotient of two whole numbers, rounded without an error on the way: its halves are exact. */
function ratio(part: number, whole: number): number {
  const [numerator, denominator] = [BigInt(part) * BigInt(SHARES_OF_ONE), BigInt(whole)];
  const rounded = (2n * numerator + denominator) / (2n * denominator);
  return Number(rounded) / SHARES_OF_ONE;
}
