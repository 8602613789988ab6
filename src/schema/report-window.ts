import { Type } from "@sinclair/typebox";
import { type CalendarDate, type DateRange, daysBetween } from "../lib/calendar-date.ts";
import { invalid } from "../lib/errors.ts";
import { CalendarDateField, TimeZoneField } from "./fields.ts";

/** Parameters of reports over a range of days, such as the checks. */

/** The first and the last day. Each report documents its own defaults. */
export function reportParameters(defaults: { startDate: string; endDate: string }) {
  return {
    startDate: Type.Optional(
      CalendarDateField({
        description: `First day of the window; not after \`endDate\`. Default: ${defaults.startDate}.`,
      }),
    ),
    endDate: Type.Optional(
      CalendarDateField({
        description: `Last day of the window, which has at most 366 days. Default: ${defaults.endDate}.`,
      }),
    ),
  };
}

/** An optional time zone for the whole report. */
export const reportTimeZone = Type.Optional(
  TimeZoneField({
    description:
      "One IANA time zone for all days. Default: the patient's, else the organization's, else UTC.",
  }),
);

const MAX_DAYS = 366;

/**
 * The window of a report, both dates included, with defaults for dates that are not given.
 *
 * @throws InvalidInput at `startDate` if the dates are out of order; at `endDate` if they span more than 366 days.
 */
export function reportWindow(
  request: { startDate?: CalendarDate | undefined; endDate?: CalendarDate | undefined },
  defaults: DateRange,
): DateRange {
  const { startDate = defaults.startDate, endDate = defaults.endDate } = request;
  const names = ["startDate", "endDate"] as const;
  const missing = names.find((name) => request[name] === undefined);
  const hint = missing === undefined ? "" : `; ${missing} defaults to ${defaults[missing]}`;
  if (startDate > endDate)
    throw invalid(["startDate"], `startDate must be on or before endDate${hint}`);
  if (daysBetween(startDate, endDate) >= MAX_DAYS)
    throw invalid(
      ["endDate"],
      `endDate must be within ${MAX_DAYS} days of startDate, both counted${hint}`,
    );
  return { startDate, endDate };
}
