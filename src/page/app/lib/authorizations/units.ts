import { sumOfUnits, unitsLeft, unitsOver } from "../../../../utilization/units.ts";
import { unitsText } from "../base/format.ts";
import type { OverviewEntry, SummarySeries } from "../base/wire.ts";

/** Units of a period, and the authorized units. */
export interface Units {
  delivered: number;
  /** Units of booked sessions that are not delivered yet. */
  booked: number;
  /** Null without a limit. */
  authorized: number | null;
}

/** The units of a period as the API has them. */
export function unitsOf(period: SummarySeries["periods"][number]): Units {
  const { unitsUtilized, unitsOpen, unitsAuthorized } = period;
  return { delivered: unitsUtilized, booked: unitsOpen, authorized: unitsAuthorized };
}

/** The units of an entry of the overview. */
export function unitsOfEntry({ period, ...entry }: OverviewEntry): Units {
  return unitsOf({ ...entry, ...period });
}

/** The remaining units, null without a limit, and the exceeding ones. */
export function balance({ delivered, booked, authorized }: Units) {
  const committed = sumOfUnits(delivered, booked);
  return { left: unitsLeft(committed, authorized), over: unitsOver(committed, authorized) };
}

/** What is left in words: `8 left`, `3 over`; nothing without a limit. */
export function leftText(units: Units): string {
  const { left, over } = balance(units);
  if (left === null) return "";
  return over > 0 ? `${unitsText(over)} over` : `${unitsText(left)} left`;
}

/** The same in words: `52 delivered, 20 booked, 8 left of 80`. */
export function balanceText(units: Units): string {
  const { left, over } = balance(units);
  const counts = `${unitsText(units.delivered)} delivered, ${unitsText(units.booked)} booked`;
  if (left === null) return `${counts}, no limit`;
  const rest = over > 0 ? `${unitsText(over)} over` : `${unitsText(left)} left of`;
  return `${counts}, ${rest} ${unitsText(units.authorized ?? 0)}`;
}
