import { expect, test } from "bun:test";
import fc from "fast-check";
import { type CalendarDate, FIRST_DATE } from "../../src/lib/calendar-date.ts";
import { utilizationWindow } from "../../src/utilization/window.ts";

/** Windows that are given. The defaults and the limit have cases in test/vectors/utilization/window.jsonl. */

function windowOf(startDate: string, endDate: string) {
  const today = "2026-02-10" as CalendarDate;
  const given = { startDate: startDate as CalendarDate, endDate: endDate as CalendarDate };
  return utilizationWindow({ ...given, authorizationDates: [], today }) as object;
}

test.each([
  ["the last", "9999-06-01", "9999-12-31", "9999-12-31"],
  ["the first", FIRST_DATE, "2026-01-01", "0002-01-01"],
])("a window reaches to %s date that can be written", (_, startDate, endDate, end) => {
  expect(windowOf(startDate, endDate)).toEqual({ startDate, endDate: end });
});

test("the default start is that of the earliest authorization, in any order", () => {
  const authorizationDates = ["2026-01-20", "2026-01-08", "2026-01-31"] as CalendarDate[];
  const today = "2026-12-31" as CalendarDate;
  const asked = { startDate: undefined, endDate: undefined, authorizationDates, today };
  expect(utilizationWindow(asked) as object).toEqual({
    ...{ startDate: "2026-01-08", endDate: "2027-01-08" },
  });
});

test("a window is at most one year long, and shorter windows are not changed", () => {
  const dates = fc
    .tuple(fc.integer({ min: 1990, max: 2040 }), fc.nat(365))
    .map(([year, days]) => Temporal.PlainDate.from(`${year}-01-01`).add({ days }));
  fc.assert(
    fc.property(dates, fc.nat(500), (start, days) => {
      const end = start.add({ days });
      const limit = start.add({ years: 1 });
      const expected = Temporal.PlainDate.compare(end, limit) < 0 ? end : limit;
      expect(windowOf(`${start}`, `${end}`)).toEqual({
        ...{ startDate: `${start}`, endDate: `${expected}` },
      });
    }),
    { numRuns: 500 },
  );
});
