import { Type } from "@sinclair/typebox";
import type { CalendarDate } from "../lib/calendar-date.ts";
import { invalid } from "../lib/errors.ts";
import type { Instant } from "../lib/instant.ts";
import { endOfDay, startOfDay, type TimeZone, UTC } from "../lib/time-zone.ts";
import { CalendarDateField, TimeZoneField } from "./fields.ts";

/** List parameters that filter by day of start, and their conversion to instants. */

export const startDateParameter = Type.Optional(
  CalendarDateField({
    description: "First day of start; not after `endDate`.",
  }),
);

export const endDateParameter = Type.Optional(
  CalendarDateField({ description: "Last day of start." }),
);

export const timeZoneParameter = Type.Optional(
  TimeZoneField({
    description: "IANA time zone of `startDate` and `endDate`. Default: UTC.",
  }),
);

/** The requested days; both are included, and both are optional. */
export interface Days {
  startDate?: CalendarDate | undefined;
  endDate?: CalendarDate | undefined;
  /** Default: UTC. */
  timezone?: TimeZone | undefined;
}

/** A range of instants, both included; without a bound where no day was given. */
export interface Instants {
  from?: Instant | undefined;
  to?: Instant | undefined;
}

/**
 * Converts days to instants.
 *
 *     { startDate: "2026-03-08", endDate: "2026-03-08", timezone: "America/New_York" }
 *     // from 2026-03-08T05:00:00.000Z to 2026-03-09T03:59:59.999Z
 */
export function instantsOfDays({ startDate, endDate, timezone = UTC }: Days): Instants {
  return {
    from: startDate && startOfDay(startDate, timezone),
    to: endDate && endOfDay(endDate, timezone),
  };
}

/**
 * Checks that the first of two dates is not after the second.
 *
 * @throws InvalidInput at the first date.
 */
export function requireOrder<First extends string, Last extends string>(
  query: { [Name in First | Last]?: CalendarDate | undefined },
  first: First,
  last: Last,
): void {
  const [start, end] = [query[first], query[last]];
  if (start !== undefined && end !== undefined && start > end)
    throw invalid([first], `${first} must be on or before ${last}`);
}
