import { unitsText } from "./format.ts";
import type { OverviewEntry } from "./wire.ts";

/** Units of a period, and the authorized units. */
export interface Units {
  delivered: number;
  /** Units of booked sessions that are not delivered yet. */
  booked: number;
  /** Null without a limit. */
  authorized: number | null;
}

/** The units of an entry of the overview. */
export function unitsOf({ period, unitsOpen, unitsAuthorized }: OverviewEntry): Units {
  return { delivered: period.unitsUtilized, booked: unitsOpen, authorized: unitsAuthorized };
}

/** The remaining and the exceeding units. */
export function balance({ delivered, booked, authorized }: Units): { left: number; over: number } {
  if (authorized === null) return { left: 0, over: 0 };
  const rest = rounded(authorized - delivered - booked);
  return { left: Math.max(rest, 0), over: Math.max(-rest, 0) };
}

/** Units have six decimals at most; sums of doubles may show more. */
export function rounded(units: number): number {
  return Math.round(units * 1e6) / 1e6;
}

/** The same in words: `52 delivered, 20 booked, 8 left of 80`. */
export function balanceText(units: Units): string {
  const { left, over } = balance(units);
  const counts = `${unitsText(units.delivered)} delivered, ${unitsText(units.booked)} booked`;
  if (units.authorized === null) return `${counts}, no limit`;
  const rest = over > 0 ? `${unitsText(over)} over` : `${unitsText(left)} left of`;
  return `${counts}, ${rest} ${unitsText(units.authorized)}`;
}
