import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WEEK_DAYS, type DateRange, type WeekDay } from "../../src/lib/calendar-date.ts";
import {
  periodsIn,
  poolLife,
  UNIT_FREQUENCIES,
  type UnitFrequency,
} from "../../src/utilization/periods.ts";

/** Reads `2026-01-07 … 2026-07-06`. */
function range(text: string): DateRange {
  const [startDate, endDate] = text.split(" … ");
  return { startDate, endDate } as DateRange;
}

function periods(
  frequency: UnitFrequency,
  life: string,
  window: string,
  weekStartsOn: WeekDay = "SUNDAY",
): string[] {
  return periodsIn(frequency, weekStartsOn, range(life), range(window)).map(
    ({ startDate, endDate }) => `${startDate} … ${endDate}`,
  );
}

// From a Wednesday to a Monday.
const HALF_YEAR = "2026-01-07 … 2026-07-06";

describe("DAILY", () => {
  test("has a period for every day, leap days included", () => {
    expect(periods("DAILY", "2024-01-01 … 2024-12-31", "2024-02-28 … 2024-03-01")).toEqual([
      "2024-02-28 … 2024-02-28",
      "2024-02-29 … 2024-02-29",
      "2024-03-01 … 2024-03-01",
    ]);
  });

  test("has 366 in the widest window, and one in the narrowest", () => {
    expect(periods("DAILY", "2020-01-01 … 2030-12-31", "2025-01-01 … 2026-01-01")).toHaveLength(
      366,
    );
    expect(periods("DAILY", "2020-01-01 … 2030-12-31", "2025-01-01 … 2025-01-01")).toEqual([
      "2025-01-01 … 2025-01-01",
    ]);
  });
});

describe("WEEKLY", () => {
  test("cuts its first and last week to the life", () => {
    expect(periods("WEEKLY", "2026-01-07 … 2026-01-19", "2026-01-01 … 2026-12-31")).toEqual([
      "2026-01-07 … 2026-01-10",
      "2026-01-11 … 2026-01-17",
      "2026-01-18 … 2026-01-19",
    ]);
  });

  test("does not cut to the window", () => {
    expect(periods("WEEKLY", HALF_YEAR, "2026-02-04 … 2026-02-08")).toEqual([
      "2026-02-01 … 2026-02-07",
      "2026-02-08 … 2026-02-14",
    ]);
  });

  test.each<[WeekDay, string[]]>([
    ["SUNDAY", ["2026-02-01 … 2026-02-07"]],
    ["MONDAY", ["2026-01-26 … 2026-02-01", "2026-02-02 … 2026-02-08"]],
    ["TUESDAY", ["2026-01-27 … 2026-02-02", "2026-02-03 … 2026-02-09"]],
    ["WEDNESDAY", ["2026-01-28 … 2026-02-03", "2026-02-04 … 2026-02-10"]],
    ["THURSDAY", ["2026-01-29 … 2026-02-04", "2026-02-05 … 2026-02-11"]],
    ["FRIDAY", ["2026-01-30 … 2026-02-05", "2026-02-06 … 2026-02-12"]],
    ["SATURDAY", ["2026-01-31 … 2026-02-06", "2026-02-07 … 2026-02-13"]],
  ])("weeks that begin on %s", (weekStartsOn, expected) => {
    // From a Sunday to a Saturday.
    expect(periods("WEEKLY", HALF_YEAR, "2026-02-01 … 2026-02-07", weekStartsOn)).toEqual(expected);
  });

  test("runs over the end of a year", () => {
    expect(periods("WEEKLY", "2025-01-01 … 2026-12-31", "2026-01-01 … 2026-01-01")).toEqual([
      "2025-12-28 … 2026-01-03",
    ]);
  });
});

describe("MONTHLY, YEARLY and TOTAL", () => {
  test("MONTHLY has calendar months, cut to the life", () => {
    expect(periods("MONTHLY", "2024-01-31 … 2024-04-01", "2024-01-01 … 2024-12-31")).toEqual([
      "2024-01-31 … 2024-01-31",
      "2024-02-01 … 2024-02-29",
      "2024-03-01 … 2024-03-31",
      "2024-04-01 … 2024-04-01",
    ]);
    expect(periods("MONTHLY", HALF_YEAR, "2026-02-28 … 2026-03-01")).toEqual([
      "2026-02-01 … 2026-02-28",
      "2026-03-01 … 2026-03-31",
    ]);
  });

  test("YEARLY has calendar years, which begin on 1 January, cut to the life", () => {
    expect(periods("YEARLY", "2025-06-15 … 2027-06-14", "2025-12-31 … 2026-12-31")).toEqual([
      "2025-06-15 … 2025-12-31",
      "2026-01-01 … 2026-12-31",
    ]);
    expect(periods("YEARLY", "2025-06-15 … 2027-06-14", "2027-01-01 … 2027-01-01")).toEqual([
      "2027-01-01 … 2027-06-14",
    ]);
  });

  test("TOTAL has one, the whole life", () => {
    expect(periods("TOTAL", "2020-06-15 … 2029-06-14", "2025-12-31 … 2025-12-31")).toEqual([
      "2020-06-15 … 2029-06-14",
    ]);
  });
});

describe("a window chooses by a day in common", () => {
  const life = "2026-01-07 … 2026-07-06";
  test.each(UNIT_FREQUENCIES)("%s", (frequency) => {
    expect(periods(frequency, life, "2025-01-01 … 2026-01-06")).toEqual([]);
    expect(periods(frequency, life, "2025-01-08 … 2026-01-07")).toHaveLength(1);
    expect(periods(frequency, life, "2026-07-06 … 2027-07-06")).toHaveLength(1);
    expect(periods(frequency, life, "2026-07-07 … 2027-07-06")).toEqual([]);
    // Empty windows, also within the life.
    expect(periods(frequency, life, "2026-03-02 … 2026-03-01")).toEqual([]);
    expect(periods(frequency, life, "2026-07-31 … 2026-01-01")).toEqual([]);
  });

  test("a week that overlaps the window but not the life is no period", () => {
    expect(periods("WEEKLY", "2026-01-07 … 2026-02-03", "2026-02-05 … 2026-02-07")).toEqual([]);
    expect(periods("MONTHLY", "2026-01-07 … 2026-02-03", "2026-02-05 … 2026-02-07")).toEqual([]);
  });
});

test("a life that never ends stops at the last date there is", () => {
  const life = "0001-01-01 … 9999-12-31";
  const window = "9999-12-30 … 9999-12-31";
  expect(periods("DAILY", life, window)).toEqual([
    "9999-12-30 … 9999-12-30",
    "9999-12-31 … 9999-12-31",
  ]);
  expect(periods("WEEKLY", life, window)).toEqual(["9999-12-26 … 9999-12-31"]);
  expect(periods("MONTHLY", life, window)).toEqual(["9999-12-01 … 9999-12-31"]);
  expect(periods("YEARLY", life, window)).toEqual(["9999-01-01 … 9999-12-31"]);
  expect(periods("WEEKLY", life, "0001-01-01 … 0001-01-01")).toEqual(["0001-01-01 … 0001-01-06"]);
});

test("does not walk through the life to the window", () => {
  for (let count = 0; count < 1000; count++) {
    expect(periods("DAILY", "0001-01-01 … 9999-12-31", "9000-01-01 … 9000-01-02")).toHaveLength(2);
  }
});

test("a pool lives from its earliest start to its latest expiration", () => {
  const members = [
    range("2026-02-01 … 2026-03-01"),
    range("2026-01-07 … 2026-01-31"),
    range("2026-02-10 … 2026-02-20"),
  ];
  expect(poolLife(members)).toEqual(range("2026-01-07 … 2026-03-01"));
  expect(poolLife(members.slice(2))).toEqual(members[2]);
  expect(poolLife([])).toBeUndefined();
});

describe("for any frequency, week start, life and window", () => {
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
      life: fc.oneof(stretch(20, 60), stretch(600, 900)),
      window: fc.oneof(stretch(20, 60), stretch(300, 366)),
    });
  });

  test("the periods tile the life within the window, without gap or overlap", () => {
    fc.assert(
      fc.property(scenes, ({ frequency, weekStartsOn, life, window }) => {
        const found = periodsIn(frequency, weekStartsOn, life, window);
        const active = life.startDate <= window.endDate && window.startDate <= life.endDate;
        expect(found.length > 0).toBe(active);
        if (!active) return;

        for (const period of found) {
          expect(period.startDate <= period.endDate).toBeTrue();
          expect(life.startDate <= period.startDate && period.endDate <= life.endDate).toBeTrue();
          expect(
            period.startDate <= window.endDate && window.startDate <= period.endDate,
          ).toBeTrue();
        }
        found.slice(1).forEach((period, index) => {
          const dayAfter = Temporal.PlainDate.from(found[index]!.endDate).add({ days: 1 });
          expect<string>(period.startDate).toBe(dayAfter.toString());
        });
        const reached = [life.startDate, window.startDate].sort()[1]!;
        const left = [life.endDate, window.endDate].sort()[0]!;
        expect(found[0]!.startDate <= reached && left <= found.at(-1)!.endDate).toBeTrue();
      }),
      { numRuns: 500 },
    );
  });

  test("a window shows some of the periods of the whole life, as they are there", () => {
    fc.assert(
      fc.property(scenes, ({ frequency, weekStartsOn, life, window }) => {
        const overlapping = periodsIn(frequency, weekStartsOn, life, life).filter(
          (period) => period.startDate <= window.endDate && window.startDate <= period.endDate,
        );
        expect(periodsIn(frequency, weekStartsOn, life, window)).toEqual(overlapping);
      }),
      { numRuns: 500 },
    );
  });
});
