import fc from "fast-check";
import { expect, test } from "bun:test";
import type { CalendarDate } from "../../../src/page/app/lib/base/dates.ts";
import { dayScale, unitScale } from "../../../src/page/app/lib/base/scale.ts";

/** The axes of charts. */

test.each<[number, number[]]>([
  [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [80, [0, 20, 40, 60, 80]],
  [1664, [0, 500, 1000, 1500, 2000]],
  [5, [0, 1, 2, 3, 4, 5]],
])("an axis of %p units has the labels %p", (highest, expected) => {
  const { ticks } = unitScale(highest, 100, 0);
  expect(ticks.map((tick) => Math.round(tick * 10) / 10)).toEqual(expected);
});

test("units lie between the ends of an axis, in proportion", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1e6, noNaN: true }), (highest) => {
      const scale = unitScale(highest, 200, 20);
      expect([scale(0), scale(scale.ticks.at(-1)!)]).toEqual([200, 20]);
      expect(scale(highest)).toBeGreaterThanOrEqual(20 - 1e-9);
      expect(scale.ticks.length).toBeLessThanOrEqual(7);
    }),
  );
});

test.each<[string, string, number, string[]]>([
  ["2026-11-20", "2026-11-24", 400, ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"]],
  ["2026-11-01", "2026-12-01", 400, ["2026-11-01", "2026-11-08", "2026-11-15", "2026-11-22"]],
  [
    "2026-08-05",
    "2027-02-05",
    400,
    ["2026-09-01", "2026-10-01", "2026-11-01", "2026-12-01", "2027-01-01"],
  ],
  [
    "2020-03-01",
    "2026-03-01",
    400,
    ["2021-01-01", "2022-01-01", "2023-01-01", "2024-01-01", "2025-01-01"],
  ],
])("from %s to %s on %p pixels, the days %p are labeled", (first, end, width, expected) => {
  const scale = dayScale(first as CalendarDate, end as CalendarDate, 0, width);
  expect(scale.ticks(54) as string[]).toEqual(expected);
});
