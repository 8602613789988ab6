import { type CalendarDate, type DateRange, daysBetween } from "../lib/calendar-date.ts";
import { roundedHalfUp } from "../lib/rounding.ts";
import { toMillionths } from "./units.ts";

/** Shares are rounded to four decimals, half up: 1 of 3 is 0.3333, and 1 of 32 is 0.0313. */
const DECIMALS = 4;

/** Units as a share of the authorized units; null without a limit, or if it is 0. */
export function shareOf(units: number, authorized: number | null): number | null {
  if (authorized === null || toMillionths(authorized) === 0) return null;
  return ratio(toMillionths(units), toMillionths(authorized));
}

/**
 * The share of a period that has passed on one of its days: the number of days up to and including it, divided by the
 * number of days of the period.
 *
 *     elapsedShare({ startDate: "2026-01-11", endDate: "2026-01-17" }, "2026-01-12")  // 0.2857, two of seven
 */
export function elapsedShare({ startDate, endDate }: DateRange, date: CalendarDate): number {
  return ratio(daysBetween(startDate, date) + 1, daysBetween(startDate, endDate) + 1);
}

function ratio(part: number, whole: number): number {
  return roundedHalfUp(BigInt(part), BigInt(whole), DECIMALS);
}
