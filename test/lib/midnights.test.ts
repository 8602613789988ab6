import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../src/lib/instant.ts";
import { highestMidnight, midnightsAround } from "../../src/lib/midnights.ts";
import { runs } from "../support/runs.ts";

/** The interval tree that finds what goes on at an instant. */

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const at = (epoch: number) => new Date(epoch).toISOString() as Instant;

/** Of the days of a year, of all years, and of minutes around a midnight, so that edges meet. */
const instants = fc.oneof(
  fc
    .tuple(fc.integer({ min: 20_000, max: 20_400 }), fc.constantFrom(0, 1, 720, 1_439))
    .map(([day, minute]) => day * DAY + minute * MINUTE),
  fc.integer({ min: Date.parse("0001-01-01"), max: Date.parse("9999-12-31T23:59:59.999Z") }),
  fc.integer({ min: -2, max: 2 }).map((millisecond) => 20_454 * DAY + millisecond),
);

/** Whether the tree finds a session at an instant, and by what is read of it alone. */
function isFound(start: Instant, end: Instant, instant: Instant): boolean {
  const midnight = highestMidnight(start, end);
  const { upTo, after } = midnightsAround(instant);
  if (midnight === null)
    return start.slice(0, 10) === instant.slice(0, 10) && start < instant && end > instant;
  return (
    (upTo.includes(midnight) && end > instant) || (after.includes(midnight) && start < instant)
  );
}

test("finds what starts before an instant and ends after it, and nothing else", () => {
  fc.assert(
    fc.property(instants, instants, instants, (one, other, probe) => {
      const [start, end, instant] = [at(Math.min(one, other)), at(Math.max(one, other)), at(probe)];
      expect(isFound(start, end, instant)).toBe(start < instant && end > instant);
    }),
    { numRuns: runs(15_000) },
  );
});

test("a midnight is stored once, and looked for once at each level", () => {
  fc.assert(
    fc.property(instants, (probe) => {
      const { upTo, after } = midnightsAround(at(probe));
      expect(new Set([...upTo, ...after]).size).toBe(22);
    }),
    { numRuns: runs(600) },
  );
});

test.each([
  ["2026-03-10T14:00:00.000Z", "2026-03-10T23:59:59.999Z", null],
  // 2026-03-11 is the day 739,686 after 0000-12-31: one that is even, so above the next.
  ["2026-03-10T23:00:00.000Z", "2026-03-11T00:00:00.000Z", 739_686],
  ["2026-03-10T23:00:00.000Z", "2026-03-12T12:00:00.000Z", 739_686],
  ["0001-01-01T00:00:00.000Z", "0001-01-02T00:00:00.000Z", 2],
  ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", 2 ** 21],
])("from %s to %s", (start, end, midnight) => {
  expect(highestMidnight(start as Instant, end as Instant)).toBe(midnight);
});
