import { describe, expect, test } from "bun:test";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";
import {
  type Calendar,
  isDayFirst,
  readDate,
  readEnd,
  readTimeOn,
  writeEnd,
} from "../../src/lib/cells/times.ts";
import type { Instant } from "../../src/lib/instant.ts";
import type { TimeZone } from "../../src/lib/time-zone.ts";

const calendar: Calendar = {
  zone: "America/New_York" as TimeZone,
  today: "2026-11-28" as CalendarDate,
  onShortYear() {},
};

describe("a day of a cell", () => {
  test.each([
    ["2019-01-02", "2019-01-02"],
    ["1/2/2019", "2019-01-02"],
    ["01-02-2019", "2019-01-02"],
    ["1.2.2019", "2019-01-02"],
    ["1/2/2019 0:00", "2019-01-02"],
    ["1/2/2019 12:00:00 AM", "2019-01-02"],
    ["2019-01-02T00:00:00.000Z", "2019-01-02"],
    ["2019-01-02 00:00:00", "2019-01-02"],
    ["Wed, 1/2/2019", "2019-01-02"],
    ["Wednesday, January 2, 2019", "2019-01-02"],
    ["2-Jan-19", "2019-01-02"],
    ["January 2nd, 2019", "2019-01-02"],
    ["2019/01/02", "2019-01-02"],
    ["2019-1-2", "2019-01-02"],
    ["20190102", "2019-01-02"],
    ["2019-01-02 00:00:00 UTC", "2019-01-02"],
    ["3/4/45", "1945-03-04"],
  ])("%p is %s", (cell, value) => {
    expect(readDate(cell, calendar, true)).toEqual({ value: value as CalendarDate });
  });

  test.each([
    "2/30/2019",
    "1/2/2019 9:00",
    "1/2-2019",
    "01022019",
    "20191301",
    "43467",
    "soon",
    "",
  ])("%p is none", (cell) => {
    const message = "must be a date that exists, such as 2026-10-01 or 10/1/2026";
    expect(readDate(cell, calendar, false)).toEqual({ message });
  });

  test("that has its day before its month says so, unless all of its file have", () => {
    const message =
      "has the day before the month: write the dates of the file as 2026-01-31 or 1/31/2026";
    expect(readDate("13/1/2026", calendar, false)).toEqual({ message });
    const dayFirst = { ...calendar, isDayFirst: true };
    expect(readDate("13/1/2026", dayFirst, false)).toEqual({ value: "2026-01-13" as CalendarDate });
    expect(readDate("3/1/2026", dayFirst, false)).toEqual({ value: "2026-01-03" as CalendarDate });
    expect(readDate("3/1/2026", calendar, false)).toEqual({ value: "2026-03-01" as CalendarDate });
    expect(["13/1/2026", "1/13/2026 0:00", "3/1/2026", "13/13/2026", "x"].map(isDayFirst)).toEqual([
      ...[true, false, undefined, undefined, undefined],
    ]);
  });
});

describe("until when something is valid", () => {
  const DENVER = "America/Denver" as TimeZone;
  const denver = { ...calendar, zone: DENVER };

  test.each([
    ["6/30/2026", "2026-07-01T05:59:59.999Z"],
    ["2026-12-31", "2027-01-01T06:59:59.999Z"],
    // A day of 23 hours.
    ["2026-03-08", "2026-03-09T05:59:59.999Z"],
    ["2026-06-30 18:00", "2026-07-01T00:00:00.000Z"],
    // As spreadsheets write a day that has no time.
    ["6/30/2026 0:00", "2026-07-01T05:59:59.999Z"],
    ["2026-06-30 00:00:00", "2026-07-01T05:59:59.999Z"],
    ["Tue, 6/30/2026 12:00:00 AM", "2026-07-01T05:59:59.999Z"],
    ["2026-06-30 00:00-06:00", "2026-06-30T06:00:00.000Z"],
    ["2026-06-30T00:00:00Z", "2026-06-30T00:00:00.000Z"],
  ])("%s is in Denver %s", (cell, value) => {
    expect(readEnd(cell, denver)).toEqual({ value });
  });

  test.each([
    ["2026-07-01T05:59:59.999Z", "2026-06-30"],
    ["2026-07-01T06:00:00.000Z", "2026-07-01 00:00-06:00"],
    ["2026-06-30T00:00:00.000Z", "2026-06-29 18:00"],
  ])("%s is written in Denver as %s", (instant, cell) => {
    expect(writeEnd(instant as Instant, DENVER)).toBe(cell);
    expect(readEnd(cell, denver)).toEqual({ value: instant });
  });

  test("a day needs the practice's zone", () => {
    const zone = undefined;
    expect(readEnd("2026-06-30", { ...calendar, zone })).toHaveProperty("message");
    expect(writeEnd("2026-06-30T23:59:59.999Z" as Instant, zone)).toBe("2026-06-30 23:59:59.999Z");
    expect(readEnd("soon", denver)).toEqual({
      message: "must be a time, such as 2026-10-01 15:30 or 10/1/2026 3:30 PM",
    });
  });
});

test("a time of day has its half in many ways", () => {
  const day = "2026-10-01" as CalendarDate;
  const times = ["9:30 AM", "9:30am", "9:30 a.m.", "9:30a", "09:30", "9:30:00 AM"];
  const read = times.map((time) => readTimeOn(day, time, calendar));
  expect(read).toEqual(times.map(() => ({ value: "2026-10-01T13:30:00.000Z" as never })));
  expect(readTimeOn(day, "9 PM", calendar)).toEqual({ value: "2026-10-02T01:00:00.000Z" });
  expect(readTimeOn(day, "13 PM", calendar)).toHaveProperty("message");
  expect(readTimeOn(day, "9", calendar)).toHaveProperty("message");
});
