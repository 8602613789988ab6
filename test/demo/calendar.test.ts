import { describe, expect, test } from "bun:test";
import { demoCalendar, demoDay, instantAt, workDays } from "../../src/demo/calendar.ts";
import type { CalendarDate } from "../../src/lib/calendar-date.ts";

const date = (text: string) => text as CalendarDate;

describe("the demo practice's calendar", () => {
  test("lasts from a Monday four weeks ago to a Sunday three weeks ahead", () => {
    const expected = { firstDay: "2026-02-09", lastDay: "2026-04-05" };
    // A Monday, a Wednesday and a Sunday of the same week.
    for (const today of ["2026-03-09", "2026-03-11", "2026-03-15"])
      expect<object>(demoCalendar(date(today), 2000)).toEqual({ today, ...expected });
  });

  test("begins earlier with more sessions, up to three years ago", () => {
    const firstDays = [6_499, 6_500, 100_000, 1_000_000, 10_000_000].map(
      (sessions) => demoCalendar(date("2026-03-11"), sessions).firstDay,
    );
    expect<string[]>(firstDays).toEqual([
      "2026-02-09",
      "2026-02-02",
      "2025-10-27",
      "2023-03-13",
      "2023-03-13",
    ]);
  });

  test("has today's date in the practice's time zone", () => {
    expect<string>(demoDay(Date.parse("2026-03-12T03:59:59.999Z"))).toBe("2026-03-11");
    expect<string>(demoDay(Date.parse("2026-03-12T04:00:00.000Z"))).toBe("2026-03-12");
  });
});

describe("workDays", () => {
  test("are Mondays to Fridays, the first and the last day included", () => {
    const days = workDays(date("2026-03-06"), date("2026-03-10"));
    expect<unknown>(days.map(({ date, weekday }) => [date, weekday])).toEqual([
      ["2026-03-06", 5],
      ["2026-03-09", 1],
      ["2026-03-10", 2],
    ]);
  });

  test("do not include holidays", () => {
    const dates = workDays(date("2026-11-23"), date("2027-01-04")).map(({ date }) => date);
    for (const holiday of ["2026-11-26", "2026-12-24", "2026-12-25", "2026-12-31", "2027-01-01"])
      expect<string[]>(dates).not.toContain(holiday);
    expect(dates).toHaveLength(26);
  });

  test("number weeks consecutively from Monday to Monday, also over a new year", () => {
    const [friday, monday] = workDays(date("2027-01-08"), date("2027-01-11"));
    const [last, first] = workDays(date("2026-12-30"), date("2027-01-04"));
    expect((monday?.week ?? 0) - (friday?.week ?? 0)).toBe(1);
    expect((first?.week ?? 0) - (last?.week ?? 0)).toBe(1);
  });
});

describe("instantAt", () => {
  test("converts local times of the practice, in winter and in summer", () => {
    expect<string>(instantAt(date("2026-03-06"), 9 * 60)).toBe("2026-03-06T14:00:00.000Z");
    expect<string>(instantAt(date("2026-03-09"), 9 * 60)).toBe("2026-03-09T13:00:00.000Z");
    expect<string>(instantAt(date("2026-11-02"), 18 * 60 + 30)).toBe("2026-11-02T23:30:00.000Z");
  });
});
