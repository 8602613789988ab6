import { Type } from "@sinclair/typebox";
import { type CalendarDate, type DateRange, daysBetween } from "../lib/calendar-date.ts";
import { invalid } from "../lib/errors.ts";
import { CalendarDateField, TimeZoneField } from "./fields.ts";

/** The days that a report is of, such as the checks (checks.md, query): its parameters, and what they come to. */

/** The first and the last day of a report, whose defaults are its own. */
export function reportParameters(defaults: { startDate: string; endDate: string }) {
  return {
    startDate: Type.Optional(
      CalendarDateField({
        description: `First day; not after \`endDate\`. Default: ${defaults.startDate}.`,
      }),
    ),
    endDate: Type.Optional(
      CalendarDateField({
        description: `Last day, at most 366 days in all. Default: ${defaults.endDate}.`,
      }),
    ),
  };
}

/** The one zone of a report, where one is asked for. */
export const reportTimeZone = Type.Optional(
  TimeZoneField({
    description:
      "One zone for all days, as the IANA database spells it. Default: that of the patient, else of the organization, else UTC.",
  }),
);

const MOST_DAYS = 366;

/**
 * The window of a report, both dates included: the dates that were asked for, each with its default.
 *
 * @throws InvalidInput at `startDate` where they are out of order, and at `endDate` where they are more than 366 days.
 */
export function reportWindow(
  asked: { startDate?: CalendarDate | undefined; endDate?: CalendarDate | undefined },
  defaults: DateRange,
): DateRange {
  const { startDate = defaults.startDate, endDate = defaults.endDate } = asked;
  if (startDate > endDate) throw invalid(["startDate"], "startDate must be on or before endDate");
  if (daysBetween(startDate, endDate) >= MOST_DAYS)
    throw invalid(
      ["endDate"],
      `endDate must be within ${MOST_DAYS} days of startDate, both counted`,
    );
  return { startDate, endDate };
}
