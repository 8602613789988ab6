import { describe, expect, test } from "bun:test";
import type { CalendarDate } from "../../../src/page/app/lib/base/dates.ts";
import { isCut, periodOf } from "../../../src/page/app/lib/authorizations/periods.ts";
import { balance, balanceText } from "../../../src/page/app/lib/authorizations/units.ts";
import type { Frequency } from "../../../src/page/app/lib/base/wire.ts";

/** Periods and units as charts and bars show them. */

const dates = (startDate: string, endDate: string) => ({
  startDate: startDate as CalendarDate,
  endDate: endDate as CalendarDate,
});

describe("a period is shortened by the authorization's dates", () => {
  test.each<[Frequency, string, string, boolean]>([
    ["DAILY", "2026-11-20", "2026-11-20", false],
    ["WEEKLY", "2026-11-15", "2026-11-21", false],
    ["WEEKLY", "2026-11-17", "2026-11-21", true],
    ["MONTHLY", "2026-02-01", "2026-02-28", false],
    ["MONTHLY", "2026-02-01", "2026-02-27", true],
    ["MONTHLY", "2026-12-01", "2026-12-31", false],
    ["MONTHLY", "2026-12-10", "2026-12-31", true],
    ["YEARLY", "2026-01-01", "2026-12-31", false],
    ["YEARLY", "2026-01-01", "2026-11-30", true],
    ["YEARLY", "2026-02-01", "2026-12-31", true],
    ["TOTAL", "2026-05-10", "2026-11-09", false],
  ])("%s from %s to %s: %p", (frequency, startDate, endDate, expected) => {
    expect(isCut(dates(startDate, endDate), frequency)).toBe(expected);
  });
});

describe("the units left and the units over", () => {
  test.each([
    [
      { delivered: 52, booked: 20, authorized: 80 },
      { left: 8, over: 0 },
      "52 delivered, 20 booked, 8 left of 80",
    ],
    [
      { delivered: 60, booked: 24, authorized: 80 },
      { left: 0, over: 4 },
      "60 delivered, 24 booked, 4 over 80",
    ],
    [
      { delivered: 0.1, booked: 0.2, authorized: 0.3 },
      { left: 0, over: 0 },
      "0.1 delivered, 0.2 booked, 0 left of 0.3",
    ],
    [
      { delivered: 5, booked: 0, authorized: null },
      { left: null, over: 0 },
      "5 delivered, 0 booked, no limit",
    ],
    [
      { delivered: 1, booked: 0, authorized: 0 },
      { left: 0, over: 1 },
      "1 delivered, 0 booked, 1 over 0",
    ],
  ])("of %p", (units, expected, text) => {
    expect(balance(units)).toEqual(expected);
    expect(balanceText(units)).toBe(text);
  });
});

test("a period includes its first and its last day", () => {
  const first = dates("2026-11-01", "2026-11-07");
  const second = dates("2026-11-08", "2026-11-14");
  const on = (day: string) => periodOf([first, second], day as CalendarDate);
  expect(["2026-10-31", "2026-11-15"].map(on)).toEqual([undefined, undefined]);
  expect(["2026-11-01", "2026-11-07"].map(on)).toEqual([first, first]);
  expect(["2026-11-08", "2026-11-14"].map(on)).toEqual([second, second]);
});
