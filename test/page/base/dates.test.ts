import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WEEK_DAYS } from "../../../src/lib/calendar-date.ts";
import {
  addDays,
  type CalendarDate,
  instantAt,
  localInstant,
  minutesOfDay,
  startOfWeek,
  type TimeZone,
  zoneNamed,
} from "../../../src/page/app/lib/base/dates.ts";
import { momentOf } from "../../support/lib/zoned.ts";

/** Dates and times of the page, compared with `Temporal` and the vectors of time zones. */

const zones = [
  "America/New_York",
  "America/Los_Angeles",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "UTC",
] as const;

const date = fc
  .integer({ min: 0, max: 8000 })
  .map((days) => Temporal.PlainDate.from("2015-01-01").add({ days }).toString() as CalendarDate);

describe("the instant of an entered time", () => {
  const newYork = "America/New_York" as TimeZone;

  test.each([
    ["2026-11-20", 9 * 60, "2026-11-20T14:00:00.000Z", "an ordinary day"],
    ["2026-11-01", 90, "2026-11-01T05:30:00.000Z", "a time that comes twice: the first"],
    ["2026-03-08", 150, "2026-03-08T07:30:00.000Z", "a time that is skipped: an hour later"],
    ["2026-03-08", 180, "2026-03-08T07:00:00.000Z", "the end of the skipped hour"],
    ["2026-11-20", 24 * 60, "2026-11-21T05:00:00.000Z", "the end of a day"],
  ])("%s and %d minutes is %s (%s)", (day, minutes, instant) => {
    expect<string>(instantAt(day as CalendarDate, minutes, newYork)).toBe(instant);
  });

  test("there is none of a time that is skipped, nor of a day that is", () => {
    const apia = "Pacific/Apia" as TimeZone;
    const found = [
      localInstant("2026-03-08" as CalendarDate, 150, newYork),
      localInstant("2026-03-08" as CalendarDate, 180, newYork),
      localInstant("2011-12-30" as CalendarDate, 600, apia),
      localInstant("2011-12-29" as CalendarDate, 24 * 60 + 600, apia),
      localInstant("2011-12-29" as CalendarDate, 600, apia),
    ];
    expect(found.map((instant) => instant !== undefined)).toEqual([
      ...[false, true, false, false, true],
    ]);
  });

  test("equals the vectors in every time zone", () => {
    fc.assert(
      fc.property(
        date,
        fc.integer({ min: 0, max: 95 }),
        fc.constantFrom(...zones),
        (day, quarter, zone) => {
          const time = Temporal.PlainTime.from("00:00").add({ minutes: quarter * 15 });
          const expected = momentOf(Temporal.PlainDate.from(day).toPlainDateTime(time), zone);
          const instant = instantAt(day, quarter * 15, zone as TimeZone);
          expect(Date.parse(instant)).toBe(expected);
        },
      ),
    );
  });

  test("has the entered local time, except for skipped times", () => {
    fc.assert(
      fc.property(date, fc.integer({ min: 4 * 60, max: 1439 }), (day, minutes) => {
        expect(minutesOfDay(instantAt(day, minutes, newYork), newYork)).toBe(minutes);
      }),
    );
  });
});

test("a week begins on its first day on or before a date, for every first day of the week", () => {
  fc.assert(
    fc.property(date, fc.constantFrom(...WEEK_DAYS), (day, weekStartsOn) => {
      let expected = Temporal.PlainDate.from(day);
      while (expected.dayOfWeek % 7 !== WEEK_DAYS.indexOf(weekStartsOn))
        expected = expected.subtract({ days: 1 });
      expect<string>(startOfWeek(day, weekStartsOn)).toBe(expected.toString());
    }),
  );
});

test("days are added on the calendar, across months, years and clock changes", () => {
  fc.assert(
    fc.property(date, fc.integer({ min: -800, max: 800 }), (day, days) => {
      expect<string>(addDays(day, days)).toBe(
        Temporal.PlainDate.from(day).add({ days }).toString(),
      );
    }),
  );
});

test("an offset is no time zone", () => {
  expect(zoneNamed("+05:00")).toBeUndefined();
});
