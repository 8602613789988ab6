import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type CalendarDate,
  type TimeZone,
  toInstant,
} from "../../../src/page/app/lib/base/dates.ts";
import { hoursOf, placed } from "../../../src/page/app/lib/schedule/week.ts";

/** The places of sessions in the columns of a week. */

const zone = "America/New_York" as TimeZone;
const day = "2026-11-20" as CalendarDate;

/** A session on the day, in hours of New York's clocks. */
const session = (from: number, to: number) => {
  const instant = (hours: number) =>
    toInstant(Date.parse("2026-11-20T05:00:00Z") + hours * 3_600_000);
  return { startTime: instant(from), endTime: instant(to) };
};

const shown = (...sessions: ReturnType<typeof session>[]) =>
  placed(sessions, day, zone).map(({ from, to, lane, lanes }) => [from / 60, to / 60, lane, lanes]);

describe("a column of a day", () => {
  test("shows overlapping sessions side by side, and others at full width", () => {
    expect(shown(session(9, 11), session(10, 12), session(13, 14))).toEqual([
      [9, 11, 0, 2],
      [10, 12, 1, 2],
      [13, 14, 0, 1],
    ]);
  });

  test("reuses a lane as soon as it is free", () => {
    expect(shown(session(9, 12), session(9, 10), session(10, 11))).toEqual([
      [9, 12, 0, 2],
      [9, 10, 1, 2],
      [10, 11, 1, 2],
    ]);
  });

  test("shows a session over midnight on both days, and one until midnight on its own alone", () => {
    const on = (date: string, to: number) =>
      placed([session(22, to)], date as CalendarDate, zone).map(({ from, to: end }) => [from, end]);
    expect(shown(session(22, 26))).toEqual([[22, 24, 0, 1]]);
    expect(on("2026-11-21", 26)).toEqual([[0, 120]]);
    expect(on("2026-11-21", 24)).toEqual([]);
    expect(on("2026-11-22", 26)).toEqual([]);
    expect(on("2026-11-21", 50)).toEqual([[0, 1440]]);
  });

  test("shows a session without duration", () => {
    expect(shown(session(9, 9))).toEqual([[9, 9 + 20 / 60, 0, 1]]);
  });

  test("never shows two sessions at the same place", () => {
    const quarter = fc.integer({ min: 0, max: 90 });
    const any = fc
      .tuple(quarter, fc.integer({ min: 1, max: 20 }))
      .map(([from, length]) => session(from / 4, Math.min((from + length) / 4, 23.75)));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (sessions) => {
        const slots = placed(sessions, day, zone);
        for (const [index, a] of slots.entries())
          for (const b of slots.slice(index + 1))
            if (a.from < b.to && b.from < a.to) {
              expect(a.lane).not.toBe(b.lane);
              expect(a.lanes).toBe(b.lanes);
            }
      }),
    );
  });
});

test("the hours shown are a working day, extended for earlier and later sessions", () => {
  expect(hoursOf([])).toEqual({ first: 8, last: 18 });
  expect(hoursOf([{ from: 6 * 60 + 30, to: 19 * 60 + 15 }])).toEqual({ first: 6, last: 20 });
});

test("of slots that begin together the longest comes first; one that begins as they end has the whole width", () => {
  const slot = (from: string, to: string) =>
    ({
      startTime: `2026-11-23T${from}:00.000Z`,
      endTime: `2026-11-23T${to}:00.000Z`,
    }) as never;
  const slots = [slot("09:00", "10:00"), slot("09:00", "11:00"), slot("11:00", "12:00")];
  const found = placed(slots, "2026-11-23" as never, "UTC" as never);
  expect(found.map(({ from, to, lane, lanes }) => [from, to, lane, lanes])).toEqual([
    [540, 660, 0, 2],
    [540, 600, 1, 2],
    [660, 720, 0, 1],
  ]);
});
