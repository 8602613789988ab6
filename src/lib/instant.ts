import { beginsWithDate, parseCalendarDate, twoDigits } from "./calendar-date.ts";

/**
 * A point in time, as UTC text with milliseconds: `2025-03-01T14:00:00.000Z`. The width is fixed, so that instants
 * sort and compare (`<`) as text, in SQL too. Years are 0001 to 9999.
 */
export type Instant = string & { readonly __type: "Instant" };

const FIRST = Date.parse("0001-01-01T00:00:00.000Z");
export const LAST_INSTANT = "9999-12-31T23:59:59.999Z" as Instant;
const LAST = Date.parse(LAST_INSTANT);

const WIDTH = "0001-01-01T00:00:00.000Z".length;

const ISO_DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:[.,](\d+))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Parses an ISO 8601 date-time with `Z` or an offset `±hh:mm`. Undefined for any other text.
 * Seconds and fractions are optional; fractions are truncated to milliseconds. The date must exist. Hour 24 and second
 * 60 are refused.
 *
 *     parseInstant("2025-03-01T09:00-05:00")         // "2025-03-01T14:00:00.000Z"
 *     parseInstant("2025-03-01T14:00:00.123987Z")    // "2025-03-01T14:00:00.123Z"
 *     parseInstant("2025-03-01")                     // undefined
 */
export function parseInstant(text: string): Instant | undefined {
  // Fast path: exports and most programs already write this form.
  if (isCanonical(text)) return text as Instant;
  const [, dateText = "", time, seconds = "00", fraction = "", offset] =
    ISO_DATE_TIME.exec(text) ?? [];
  const date = parseCalendarDate(dateText);
  if (date === undefined) return undefined;
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  const epoch = Date.parse(`${date}T${time}:${seconds}.${milliseconds}${offset}`);
  return epoch < FIRST || epoch > LAST ? undefined : toInstant(epoch);
}

/** Whether a text already has the exact form of an `Instant`. */
function isCanonical(text: string): boolean {
  return (
    text.length === WIDTH &&
    text[10] === "T" &&
    text[13] === ":" &&
    text[16] === ":" &&
    text[19] === "." &&
    text[23] === "Z" &&
    twoDigits(text, 11) <= 23 &&
    twoDigits(text, 14) <= 59 &&
    twoDigits(text, 17) <= 59 &&
    twoDigits(text, 20) >= 0 &&
    twoDigits(text, 21) >= 0 &&
    beginsWithDate(text)
  );
}

/** The instant of a number of milliseconds since 1970-01-01T00:00:00Z, clamped to the years 0001 to 9999. */
export function toInstant(epochMilliseconds: number): Instant {
  const within = Math.min(Math.max(epochMilliseconds, FIRST), LAST);
  return new Date(within).toISOString() as Instant;
}

/** Four centuries of the Gregorian calendar, which then repeats. */
const FOUR_CENTURIES = 146_097 * 86_400_000;

/**
 * Milliseconds since 1970-01-01T00:00:00Z.
 *
 * Utilization calls it twice for every session, so the digits are read at their fixed positions, which is faster than
 * `Date.parse`. `Date.UTC` maps years 0 to 99 to 1900 to 1999; adding four centuries avoids that.
 */
export function epochMilliseconds(instant: Instant): number {
  const year = digits(instant, 0) * 100 + digits(instant, 2);
  return (
    Date.UTC(
      year + 400,
      digits(instant, 5) - 1,
      digits(instant, 8),
      digits(instant, 11),
      digits(instant, 14),
      digits(instant, 17),
      digits(instant, 20) * 10 + instant.charCodeAt(22) - ZERO,
    ) - FOUR_CENTURIES
  );
}

const ZERO = "0".charCodeAt(0);

/** The value of the two digits at `index`. */
function digits(text: string, index: number): number {
  return (text.charCodeAt(index) - ZERO) * 10 + text.charCodeAt(index + 1) - ZERO;
}
