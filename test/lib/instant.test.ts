import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { epochMilliseconds, parseInstant, toInstant, type Instant } from "../../src/lib/instant.ts";

const instant = (text: string) => text as Instant;
const FIRST = "0001-01-01T00:00:00.000Z";
const LAST = "9999-12-31T23:59:59.999Z";

describe("parseInstant accepts ISO 8601 with Z or an offset, and gives UTC with milliseconds", () => {
  test.each([
    ["milliseconds", "2025-03-01T14:00:00.123Z", "2025-03-01T14:00:00.123Z"],
    ["no fraction", "2025-03-01T14:00:00Z", "2025-03-01T14:00:00.000Z"],
    ["no seconds", "2025-03-01T14:00Z", "2025-03-01T14:00:00.000Z"],
    ["one digit of fraction", "2025-03-01T14:00:00.5Z", "2025-03-01T14:00:00.500Z"],
    ["digits beyond, cut off", "2025-03-01T14:00:00.999999999Z", "2025-03-01T14:00:00.999Z"],
    ["a decimal comma", "2025-03-01T14:00:00,25Z", "2025-03-01T14:00:00.250Z"],
    ["an offset behind", "2025-03-01T09:00:00-05:00", "2025-03-01T14:00:00.000Z"],
    ["an offset ahead, the day before", "2025-03-01T03:00+05:30", "2025-02-28T21:30:00.000Z"],
    ["an offset without seconds", "2025-12-31T23:30-01:00", "2026-01-01T00:30:00.000Z"],
    ["offset zero", "2025-03-01T14:00:00+00:00", "2025-03-01T14:00:00.000Z"],
    ["an unknown offset (RFC 3339)", "2025-03-01T14:00:00-00:00", "2025-03-01T14:00:00.000Z"],
    ["the widest offset", "2025-03-01T14:00:00+23:59", "2025-02-28T14:01:00.000Z"],
    ["a leap day", "2024-02-29T23:59:59.999Z", "2024-02-29T23:59:59.999Z"],
    ["the last minute of a day", "2025-03-01T23:59:59Z", "2025-03-01T23:59:59.000Z"],
    ["the first instant", FIRST, FIRST],
    ["the first instant, from ahead", "0001-01-01T05:00:00+05:00", FIRST],
    ["the last instant", LAST, LAST],
    ["the last instant, from behind", "9999-12-31T18:59:59.999-05:00", LAST],
  ])("%s", (_, text, expected) => {
    expect(parseInstant(text)).toBe(instant(expected));
  });

  test.each([
    ["a bare date", "2025-03-01"],
    ["no zone", "2025-03-01T14:00:00"],
    ["a date that does not exist", "2024-02-30T00:00:00Z"],
    ["a leap day of a common year", "2025-02-29T00:00:00Z"],
    ["hour 24", "2025-03-01T24:00:00Z"],
    ["hour 25", "2025-03-01T25:00:00Z"],
    ["minute 60", "2025-03-01T14:60:00Z"],
    ["second 60", "2016-12-31T23:59:60Z"],
    ["no minutes", "2025-03-01T14Z"],
    ["a fraction of a minute", "2025-03-01T14:00.5Z"],
    ["an empty fraction", "2025-03-01T14:00:00.Z"],
    ["offset hour 24", "2025-03-01T14:00:00+24:00"],
    ["offset minute 60", "2025-03-01T14:00:00+05:60"],
    ["an offset without minutes", "2025-03-01T14:00:00+05"],
    ["an offset without colon", "2025-03-01T14:00:00+0500"],
    ["an offset with seconds", "2025-03-01T14:00:00+05:00:00"],
    ["both Z and an offset", "2025-03-01T14:00:00Z+05:00"],
    ["another minus", "2025-03-01T14:00:00−05:00"],
    ["a zone's name", "2025-03-01T14:00:00Z[UTC]"],
    ["a space for the T", "2025-03-01 14:00:00Z"],
    ["a small t", "2025-03-01t14:00:00Z"],
    ["a small z", "2025-03-01T14:00:00z"],
    ["basic format", "20250301T140000Z"],
    ["missing zeros", "2025-3-1T14:00:00Z"],
    ["an expanded year", "+002025-03-01T14:00:00Z"],
    ["year 0000", "0000-12-31T23:59:59Z"],
    ["year 0000 that is year 1 in UTC", "0000-12-31T23:59:59-05:00"],
    ["year 1 that is year 0 in UTC", "0001-01-01T04:59:59.999+05:00"],
    ["year 9999 that is year 10000 in UTC", "9999-12-31T19:00:00-05:00"],
    ["space around", " 2025-03-01T14:00:00Z "],
    ["a line break after", "2025-03-01T14:00:00Z\n"],
    ["a NUL after", "2025-03-01T14:00:00Z\0"],
    ["a number", "1740837600000"],
    ["RFC 2822", "Sat, 01 Mar 2025 14:00:00 GMT"],
    ["an empty text", ""],
  ])("refuses %s", (_, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test("equals Temporal", () => {
    const zone = fc.constantFrom("Z", "+00:00", "-00:00", "-12:00", "+14:00", "+05:45", "-23:59");
    const moment = fc.integer({
      min: Date.parse("0001-01-03T00:00:00Z"),
      max: Date.parse("9999-12-29T00:00:00Z"),
    });
    const precision = fc.constantFrom(16, 19, 21, 22, 23);
    fc.assert(
      fc.property(moment, zone, precision, (milliseconds, offset, width) => {
        const text = new Date(milliseconds).toISOString().slice(0, width) + offset;
        const expected = toInstant(Temporal.Instant.from(text).epochMilliseconds);
        expect(parseInstant(text)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("toInstant and epochMilliseconds", () => {
  test("are inverse functions for all years", () => {
    const moments = fc.integer({ min: Date.parse(FIRST), max: Date.parse(LAST) });
    fc.assert(
      fc.property(moments, (milliseconds) => {
        const text = toInstant(milliseconds);
        expect(text).toHaveLength(24);
        expect(Date.parse(text)).toBe(milliseconds);
        expect(epochMilliseconds(text)).toBe(milliseconds);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    [0, "1970-01-01T00:00:00.000Z"],
    [-1, "1969-12-31T23:59:59.999Z"],
    [951_782_400_000, "2000-02-29T00:00:00.000Z"],
    [Date.parse(FIRST), FIRST],
    [Date.parse(LAST), LAST],
  ])("%d", (milliseconds, text) => {
    expect(toInstant(milliseconds)).toBe(instant(text));
    expect(epochMilliseconds(instant(text))).toBe(milliseconds);
  });

  test("toInstant stops at the first and the last representable instant", () => {
    expect(toInstant(Date.parse(FIRST) - 1)).toBe(instant(FIRST));
    expect(toInstant(Date.parse(LAST) + 1)).toBe(instant(LAST));
  });

  test("toInstant throws for NaN", () => {
    expect(() => toInstant(NaN)).toThrow(RangeError);
  });
});
