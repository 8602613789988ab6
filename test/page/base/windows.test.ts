import fc from "fast-check";
import { expect, test } from "bun:test";
import type { CalendarDate } from "../../../src/lib/calendar-date.ts";
import { daysOfMonth, monthText, windowsOf } from "../../../src/page/app/lib/base/windows.ts";

/** The days that an office looks at, against `Temporal`. */

test("a month has all of its days, in leap years too", () => {
  const month = fc.record({
    year: fc.integer({ min: 1990, max: 2060 }),
    month: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(month, (given) => {
      const expected = Temporal.PlainYearMonth.from(given);
      const days = daysOfMonth(String(expected));
      expect([String(days.startDate), String(days.endDate)]).toEqual([
        String(expected.toPlainDate({ day: 1 })),
        String(expected.toPlainDate({ day: expected.daysInMonth })),
      ]);
    }),
  );
});

test.each([
  [
    "2026-11-28",
    ["2026-10-01", "2026-10-31", "2026-11-01", "2026-11-30", "2026-11-28", "2026-12-25"],
  ],
  [
    "2027-01-31",
    ["2026-12-01", "2026-12-31", "2027-01-01", "2027-01-31", "2027-01-31", "2027-02-27"],
  ],
  [
    "2028-03-01",
    ["2028-02-01", "2028-02-29", "2028-03-01", "2028-03-31", "2028-03-01", "2028-03-28"],
  ],
])("on %s, last month, this month and four weeks are offered", (today, expected) => {
  const windows = windowsOf(today as CalendarDate);
  expect(windows.map(({ name }) => name)).toEqual(["Last month", "This month", "Next 4 weeks"]);
  expect(windows.flatMap(({ startDate, endDate }) => [startDate, endDate].map(String))).toEqual(
    expected,
  );
});

test("a month has its year if it is another one", () => {
  const today = "2026-11-28" as CalendarDate;
  expect([monthText("2026-10", today), monthText("2025-12", today)]).toEqual([
    "October",
    "December 2025",
  ]);
});
