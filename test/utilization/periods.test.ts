import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WEEK_DAYS, type DateRange, type WeekDay } from "../../src/lib/calendar-date.ts";
import {
  periodsIn,
  poolTerm,
  UNIT_FREQUENCIES,
  type UnitFrequency,
} from "../../src/utilization/periods.ts";

/** Periods without windows of their own; each frequency has cases in test/vectors/utilization/frequencies.jsonl. */

/** Parses `2026-01-07 … 2026-07-06`. */
function range(text: string): DateRange {
  const [startDate, endDate] = text.split(" … ");
  return { startDate, endDate } as DateRange;
}

function periods(
  frequency: UnitFrequency,
  term: string,
  window: string,
  weekStartsOn: WeekDay = "SUNDAY",
): string[] {
  return periodsIn(frequency, weekStartsOn, range(term), range(window)).map(
    ({ startDate, endDate }) => `${startDate} … ${endDate}`,
  );
}

describe("a window contains the periods that share at least one day with it", () => {
  const term = "2026-01-07 … 2026-07-06";
  test.each(UNIT_FREQUENCIES)("%s", (frequency) => {
    expect(periods(frequency, term, "2025-01-01 … 2026-01-06")).toEqual([]);
    expect(periods(frequency, term, "2025-01-08 … 2026-01-07")).toHaveLength(1);
    expect(periods(frequency, term, "2026-07-06 … 2027-07-06")).toHaveLength(1);
    expect(periods(frequency, term, "2026-07-07 … 2027-07-06")).toEqual([]);
    // Empty windows, also within the authorization's dates.
    expect(periods(frequency, term, "2026-03-02 … 2026-03-01")).toEqual([]);
    expect(periods(frequency, term, "2026-07-31 … 2026-01-01")).toEqual([]);
  });

  test("a week that overlaps the window, but whose days within the authorization do not, is no period", () => {
    expect(periods("WEEKLY", "2026-01-07 … 2026-02-03", "2026-02-05 … 2026-02-07")).toEqual([]);
    expect(periods("MONTHLY", "2026-01-07 … 2026-02-03", "2026-02-05 … 2026-02-07")).toEqual([]);
  });
});

test("an authorization without end stops at 9999-12-31", () => {
  const term = "0001-01-01 … 9999-12-31";
  const window = "9999-12-30 … 9999-12-31";
  expect(periods("DAILY", term, window)).toEqual([
    "9999-12-30 … 9999-12-30",
    "9999-12-31 … 9999-12-31",
  ]);
  expect(periods("WEEKLY", term, window)).toEqual(["9999-12-26 … 9999-12-31"]);
  expect(periods("MONTHLY", term, window)).toEqual(["9999-12-01 … 9999-12-31"]);
  expect(periods("YEARLY", term, window)).toEqual(["9999-01-01 … 9999-12-31"]);
  expect(periods("WEEKLY", term, "0001-01-01 … 0001-01-01")).toEqual(["0001-01-01 … 0001-01-06"]);
});

test("the time to compute periods does not depend on the distance between start and window", () => {
  for (let count = 0; count < 1000; count++) {
    expect(periods("DAILY", "0001-01-01 … 9999-12-31", "9000-01-01 … 9000-01-02")).toHaveLength(2);
  }
});

test("a pool lasts from the earliest start to the latest expiration of its members", () => {
  const members = [
    range("2026-02-01 … 2026-03-01"),
    range("2026-01-07 … 2026-01-31"),
    range("2026-02-10 … 2026-02-20"),
  ];
  expect(poolTerm(members)).toEqual(range("2026-01-07 … 2026-03-01"));
  expect(poolTerm(members.slice(2))).toEqual(members[2]);
  expect(poolTerm([])).toBeUndefined();
});

describe("for random frequencies, first days of the week, dates and windows", () => {
  const days = fc
    .tuple(fc.integer({ min: 1990, max: 2040 }), fc.nat(365))
    .map(([year, day]) => Temporal.PlainDate.from(`${year}-01-01`).add({ days: day }));
  const scenes = days.chain((day) => {
    const stretch = (reach: number, length: number) =>
      fc
        .tuple(fc.integer({ min: -reach, max: reach }), fc.nat(length))
        .map(([start, count]) =>
          range(`${day.add({ days: start })} … ${day.add({ days: start + count })}`),
        );
    return fc.record({
      frequency: fc.constantFrom(...UNIT_FREQUENCIES),
      weekStartsOn: fc.constantFrom(...WEEK_DAYS),
      term: fc.oneof(stretch(20, 60), stretch(600, 900)),
      window: fc.oneof(stretch(20, 60), stretch(300, 366)),
    });
  });

  test("periods cover the authorization's dates within the window, without gaps or overlaps", () => {
    fc.assert(
      fc.property(scenes, ({ frequency, weekStartsOn, term, window }) => {
        const found = periodsIn(frequency, weekStartsOn, term, window);
        const active = term.startDate <= window.endDate && window.startDate <= term.endDate;
        expect(found.length > 0).toBe(active);
        if (!active) return;

        for (const period of found) {
          expect(period.startDate <= period.endDate).toBeTrue();
          expect(term.startDate <= period.startDate && period.endDate <= term.endDate).toBeTrue();
          expect(
            period.startDate <= window.endDate && window.startDate <= period.endDate,
          ).toBeTrue();
        }
        found.slice(1).forEach((period, index) => {
          const dayAfter = Temporal.PlainDate.from(found[index]!.endDate).add({ days: 1 });
          expect<string>(period.startDate).toBe(dayAfter.toString());
        });
        const reached = [term.startDate, window.startDate].sort()[1]!;
        const left = [term.endDate, window.endDate].sort()[0]!;
        expect(found[0]!.startDate <= reached && left <= found.at(-1)!.endDate).toBeTrue();
      }),
      { numRuns: 500 },
    );
  });

  test("a window has a subset of the periods of the authorization's whole term", () => {
    fc.assert(
      fc.property(scenes, ({ frequency, weekStartsOn, term, window }) => {
        const overlapping = periodsIn(frequency, weekStartsOn, term, term).filter(
          (period) => period.startDate <= window.endDate && window.startDate <= period.endDate,
        );
        expect(periodsIn(frequency, weekStartsOn, term, window)).toEqual(overlapping);
      }),
      { numRuns: 500 },
    );
  });
});
