import { beginsWithDate, parseCalendarDate, twoDigits } from "./calendar-date.ts";

/**
 * A point in time, as fixed-width UTC text with milliseconds: `2025-03-01T14:00:00.000Z`. The width makes
 * instants sort and compare (`<`) as text, in SQL too. The years go from 0001 to 9999.
 */
export type Instant = string & { readonly __type: "Instant" };

const FIRST = Date.parse("0001-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

const WIDTH = "0001-01-01T00:00:00.000Z".length;

const ISO_DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:[.,](\d+))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Reads an ISO 8601 date-time with `Z` or an offset `±hh:mm`; anything else is undefined.
 * Seconds and their fraction may be left out; digits beyond milliseconds are cut off. The date must exist,
 * and neither hour 24 nor second 60 does.
 *
 *     parseInstant("2025-03-01T09:00-05:00")         // "2025-03-01T14:00:00.000Z"
 *     parseInstant("2025-03-01T14:00:00.123987Z")    // "2025-03-01T14:00:00.123Z"
 *     parseInstant("2025-03-01")                     // undefined
 */
export function parseInstant(text: string): Instant | undefined {
  // An export, and most programs, write instants as they are kept.
  if (isKeptSo(text)) return text as Instant;
  const [, dateText = "", time, seconds = "00", fraction = "", offset] =
    ISO_DATE_TIME.exec(text) ?? [];
  const date = parseCalendarDate(dateText);
  if (date === undefined) return undefined;
  const milliseconds = fraction.slice(0, 3).padEnd(3, "0");
  const epoch = Date.parse(`${date}T${time}:${seconds}.${milliseconds}${offset}`);
  return epoch < FIRST || epoch > LAST ? undefined : toInstant(epoch);
}

/** Whether a text is an instant to the letter. */
function isKeptSo(text: string): boolean {
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

/**
 * The instant so many milliseconds after 1970-01-01T00:00:00Z. Beyond the years 0001 to 9999 it is the
 * first or the last instant there is.
 */
export function toInstant(epochMilliseconds: number): Instant {
  const within = Math.min(Math.max(epochMilliseconds, FIRST), LAST);
  return new Date(within).toISOString() as Instant;
}

/** Four centuries of the Gregorian calendar, which then repeats. */
const FOUR_CENTURIES = 146_097 * 86_400_000;

/**
 * Milliseconds since 1970-01-01T00:00:00Z.
 *
 * Utilization asks for two of every session, so the fixed columns are read as they stand: a third of the
 * time of `Date.parse`. `Date.UTC` takes years below 100 for 1900 and on; four centuries later it does not.
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

/** The number that the two digits at `index` make. */
function digits(text: string, index: number): number {
  return (text.charCodeAt(index) - ZERO) * 10 + text.charCodeAt(index + 1) - ZERO;
}
