import fc from "fast-check";
import { expect, test } from "bun:test";
import type { CalendarDate } from "../../../src/lib/calendar-date.ts";
import {
  daysOfMonth,
  monthName,
  monthOf,
  monthsAround,
  monthText,
  windowsOf,
} from "../../../src/page/app/lib/base/windows.ts";

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

test.each(["11/2026", "2026-13", "2026-00", "2026-1", "0026-11", "", undefined])(
  "%p in an address is no month",
  (text) => {
    expect(monthOf(text)).toBeUndefined();
  },
);

test("the months to choose from reach three years back and one ahead, and have the chosen one", () => {
  const day = "2026-01-31" as CalendarDate;
  const months = monthsAround(day, "2025-12");
  expect([months[0], months.at(-1), months.length]).toEqual(["2027-01", "2023-01", 49]);
  expect(months.every((month) => monthOf(month) === month)).toBe(true);
  expect(monthsAround(day, "2001-02").at(-1)).toBe("2001-02");
  expect(monthName("2026-11")).toBe("November 2026");
});
