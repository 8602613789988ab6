import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toInstant, type Instant } from "../../src/lib/instant.ts";
import {
  countsAsScheduled,
  elapsedMinutes,
  fromMillionths,
  SCHEDULED_STATUSES,
  scheduledUnits,
  toMillionths,
} from "../../src/utilization/units.ts";

const START = Date.parse("2025-03-01T14:00:00.000Z");

function unitsOf(minutes: number, billingUnitMinutes: number | null): number {
  return scheduledUnits(toInstant(START), toInstant(START + minutes * 60_000), billingUnitMinutes);
}

describe("scheduledUnits divides whole minutes by the billing unit and rounds half up", () => {
  test.each([
    // 15 minutes: the 8-minute rule.
    [15, 0, 0],
    [15, 7, 0],
    [15, 8, 1],
    [15, 15, 1],
    [15, 22, 1],
    [15, 23, 2],
    [15, 37, 2],
    [15, 38, 3],
    [15, 52, 3],
    [15, 53, 4],
    [15, 120, 8],
    // Half of an even unit is a whole minute.
    [10, 4, 0],
    [10, 5, 1],
    [10, 14, 1],
    [10, 15, 2],
    [30, 14, 0],
    [30, 15, 1],
    [60, 29, 0],
    [60, 30, 1],
    [60, 90, 2],
    // Half of an odd unit is not.
    [5, 2, 0],
    [5, 3, 1],
    [7, 3, 0],
    [7, 4, 1],
    [7, 10, 1],
    [7, 11, 2],
    [1, 0, 0],
    [1, 1, 1],
    [1, 1439, 1439],
    // A unit longer than the session.
    [480, 239, 0],
    [480, 240, 1],
  ])("billing unit of %d minutes: %d minutes are %d units", (unit, minutes, units) => {
    expect(unitsOf(minutes, unit)).toBe(units);
  });

  test("seconds that do not complete a minute are ignored", () => {
    const upTo = (text: string) =>
      scheduledUnits("2025-03-01T14:00:30.000Z" as Instant, text as Instant, 15);
    expect(upTo("2025-03-01T14:08:29.999Z")).toBe(0);
    expect(upTo("2025-03-01T14:08:30.000Z")).toBe(1);
  });

  test.each([0, 1, 60, 1440])("a visit of %d minutes is one unit", (minutes) => {
    expect(unitsOf(minutes, null)).toBe(1);
  });

  test("minutes are elapsed time across clock changes, midnight and new year", () => {
    const minutes = (start: string, end: string) =>
      elapsedMinutes(start as Instant, end as Instant);
    // In New York 01:30 to 03:30, and 00:30 to 02:30.
    expect(minutes("2025-03-09T06:30:00.000Z", "2025-03-09T07:30:00.000Z")).toBe(60);
    expect(minutes("2025-11-02T04:30:00.000Z", "2025-11-02T07:30:00.000Z")).toBe(180);
    expect(minutes("2025-12-31T23:59:00.000Z", "2026-01-01T00:01:00.000Z")).toBe(2);
    expect(minutes("2024-02-28T12:00:00.000Z", "2024-03-01T12:00:00.000Z")).toBe(2880);
  });

  test("equals the number of units whose middle is reached, for random units", () => {
    const minutes = fc.nat(100_000);
    const units = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(minutes, units, fc.nat(59_999), (minutes, unit, milliseconds) => {
        const count = unitsOf(minutes + milliseconds / 60_000, unit);
        expect(2 * minutes >= (2 * count - 1) * unit).toBeTrue();
        expect(2 * minutes < (2 * count + 1) * unit).toBeTrue();
      }),
      { numRuns: 1000 },
    );
  });
});

test("a session counts if its status is CONFIRMED, UNCONFIRMED or REQUESTED_TO_CANCEL", () => {
  const statuses = [
    "CONFIRMED",
    "UNCONFIRMED",
    "REQUESTED_TO_CANCEL",
    "DECLINED",
    "PATIENT_NO_SHOW",
    "confirmed",
    "",
  ];
  expect(statuses.filter(countsAsScheduled)).toEqual([...SCHEDULED_STATUSES]);
  expect<string[]>([...SCHEDULED_STATUSES]).toEqual([
    "CONFIRMED",
    "UNCONFIRMED",
    "REQUESTED_TO_CANCEL",
  ]);
});

describe("units are summed exactly to six decimal places", () => {
  const sum = (...units: number[]) =>
    fromMillionths(units.map(toMillionths).reduce((total, one) => total + one, 0));

  test.each([
    [[], 0],
    [[0.1, 0.2], 0.3],
    [[0.1, 0.7], 0.8],
    [[1.1, 2.2, 3.3], 6.6],
    [[0.000001, 0.000002], 0.000003],
    [[4.35, 4.35], 8.7],
    [[1_000_000, 0.000001], 1_000_000.000001],
    [[0.0000004], 0],
    [[0.0000006], 0.000001],
    [[1 / 3, 1 / 3, 1 / 3], 0.999999],
  ])("the sum of %j is %d", (units, total) => {
    expect(sum(...units)).toBe(total);
  });

  test("equals integer arithmetic for random units with six decimal places", () => {
    const decimals = fc
      .tuple(fc.nat(99_999), fc.nat(999_999))
      .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(6, "0")}`);
    fc.assert(
      fc.property(fc.array(decimals, { maxLength: 50 }), (texts) => {
        const exact = texts.reduce((total, text) => total + BigInt(text.replace(".", "")), 0n);
        const digits = String(exact).padStart(7, "0");
        expect(sum(...texts.map(Number))).toBe(
          Number(`${digits.slice(0, -6)}.${digits.slice(-6)}`),
        );
      }),
      { numRuns: 500 },
    );
  });
});
