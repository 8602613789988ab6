import { expect, test } from "bun:test";
import type { DateRange } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import type { TimeZone } from "../../src/lib/time-zone.ts";
import { countedStarts, periodFinder, periodGrid } from "../../src/utilization/unit-counter.ts";
import { periodsIn } from "../../src/utilization/periods.ts";

/** Periods and counts without SQL and HTTP. Each rule has cases in test/vectors/utilization. */

const dates = (startDate: string, endDate: string) => ({ startDate, endDate }) as DateRange;

// Three days in New York. The second has 23 hours.
const term = dates("2025-03-08", "2025-03-10");
const gridOf = (window: DateRange) =>
  periodGrid(periodsIn("DAILY", "SUNDAY", term, window), window, "America/New_York" as TimeZone);
const grid = gridOf(term);

test("without periods no records are needed", () => {
  const window = dates("2026-01-01", "2026-12-31");
  const none = { periods: [], starts: [], ends: [], span: undefined };
  expect(gridOf(window)).toEqual({ timeZone: "America/New_York" as TimeZone, window, ...none });
});

test("countedStarts is the intersection of the authorization's dates and the periods", () => {
  expect(countedStarts(grid, dates("2025-01-01", "2025-12-31"))).toEqual(grid.span);
  expect(countedStarts(grid, dates("2025-03-09", "2025-03-09"))).toEqual({
    from: "2025-03-09T05:00:00.000Z" as Instant,
    to: "2025-03-10T03:59:59.999Z" as Instant,
  });
  expect(countedStarts(gridOf(dates("2026-01-01", "2026-01-01")), term)).toBe(undefined);
});

test("periodFinder finds the period of an instant, in any order of calls", () => {
  const starts = [
    ["2025-03-08T05:00:00.000Z", 0],
    ["2025-03-09T04:59:59.999Z", 0],
    ["2025-03-09T05:00:00.000Z", 1],
    ["2025-03-10T03:59:59.999Z", 1],
    ["2025-03-10T04:00:00.000Z", 2],
    ["2025-03-11T03:59:59.999Z", 2],
  ] as [Instant, number][];
  const indexOf = periodFinder(grid);
  for (const [first] of starts)
    for (const [second, index] of starts) {
      indexOf(first);
      expect(indexOf(second)).toBe(index);
    }
});
