import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import {
  addDays,
  addMonths,
  addYears,
  daysBetween,
  earlier,
  endOfMonth,
  endOfWeek,
  endOfYear,
  later,
  parseCalendarDate,
  startOfMonth,
  startOfWeek,
  startOfYear,
  WEEK_DAYS,
  type CalendarDate,
} from "../../src/lib/calendar-date.ts";

const date = (text: string) => text as CalendarDate;

describe("parseCalendarDate accepts existing dates in the form YYYY-MM-DD", () => {
  test.each([
    "2024-02-29",
    "2000-02-29",
    "2025-02-28",
    "2025-01-31",
    "2025-04-30",
    "2025-12-31",
    "0001-01-01",
    "0004-02-29",
    "0099-12-31",
    "1582-10-10",
    "9999-12-31",
  ])("%s", (text) => {
    expect(parseCalendarDate(text)).toBe(date(text));
  });

  test.each([
    ["a day that does not exist", "2024-02-30"],
    ["29 February of a common year", "2025-02-29"],
    ["29 February of a century that is a common year", "1900-02-29"],
    ["a month of 30 days", "2025-04-31"],
    ["day 32", "2025-01-32"],
    ["day 0", "2025-01-00"],
    ["month 0", "2025-00-10"],
    ["month 13", "2025-13-01"],
    ["year 0000", "0000-01-01"],
    ["year 0000's leap day", "0000-02-29"],
    ["missing zeros", "2024-2-3"],
    ["two digits of year", "24-02-03"],
    ["an expanded year", "+002024-02-03"],
    ["a negative year", "-2024-02-03"],
    ["five digits of year", "10000-01-01"],
    ["no separators", "20240203"],
    ["other separators", "2024/02/03"],
    ["a month only", "2024-02"],
    ["an ordinal date", "2024-034"],
    ["a week date", "2024-W05-6"],
    ["a time", "2024-02-03T00:00:00Z"],
    ["a zone", "2024-02-03Z"],
    ["a space before", " 2024-02-03"],
    ["a space after", "2024-02-03 "],
    ["a line break after", "2024-02-03\n"],
    ["a NUL after", "2024-02-03\0"],
    ["digits of another script", "２０２４-02-03"],
    ["another minus sign", "2024−02−03"],
    ["words", "today"],
    ["an empty text", ""],
  ])("refuses %s", (_, text) => {
    expect(parseCalendarDate(text)).toBeUndefined();
  });

  test("accepts the dates that Temporal accepts in this form, except for year 0000", () => {
    const digits = (count: number, max: number) =>
      fc.integer({ min: 0, max }).map((value) => String(value).padStart(count, "0"));
    fc.assert(
      fc.property(digits(4, 9999), digits(2, 14), digits(2, 33), (year, month, day) => {
        const text = `${year}-${month}-${day}`;
        expect(parseCalendarDate(text) !== undefined).toBe(year !== "0000" && exists(text));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("arithmetic", () => {
  test("addDays crosses months, years and leap days", () => {
    expect(addDays(date("2024-02-28"), 1)).toBe(date("2024-02-29"));
    expect(addDays(date("2025-02-28"), 1)).toBe(date("2025-03-01"));
    expect(addDays(date("2025-12-31"), 1)).toBe(date("2026-01-01"));
    expect(addDays(date("2026-01-01"), -1)).toBe(date("2025-12-31"));
    expect(addDays(date("2026-02-10"), 42)).toBe(date("2026-03-24"));
    expect(addDays(date("0100-01-01"), -1)).toBe(date("0099-12-31"));
  });

  test("addMonths keeps the day, or uses the last day of a shorter month", () => {
    expect(addMonths(date("2025-01-15"), 1)).toBe(date("2025-02-15"));
    expect(addMonths(date("2025-01-31"), 1)).toBe(date("2025-02-28"));
    expect(addMonths(date("2024-01-31"), 1)).toBe(date("2024-02-29"));
    expect(addMonths(date("2025-12-31"), 2)).toBe(date("2026-02-28"));
    expect(addMonths(date("2025-03-31"), -1)).toBe(date("2025-02-28"));
  });

  test("addYears keeps the date; 29 February becomes 28 February in a common year", () => {
    expect(addYears(date("2025-06-15"), 1)).toBe(date("2026-06-15"));
    expect(addYears(date("2023-02-28"), 1)).toBe(date("2024-02-28"));
    expect(addYears(date("2024-02-29"), 1)).toBe(date("2025-02-28"));
    expect(addYears(date("2024-02-29"), 4)).toBe(date("2028-02-29"));
    expect(addYears(date("1896-02-29"), 4)).toBe(date("1900-02-28"));
  });

  // 2026-01-07 is a Wednesday.
  test.each([
    ["SUNDAY", "2026-01-04", "2026-01-10"],
    ["MONDAY", "2026-01-05", "2026-01-11"],
    ["TUESDAY", "2026-01-06", "2026-01-12"],
    ["WEDNESDAY", "2026-01-07", "2026-01-13"],
    ["THURSDAY", "2026-01-01", "2026-01-07"],
    ["FRIDAY", "2026-01-02", "2026-01-08"],
    ["SATURDAY", "2026-01-03", "2026-01-09"],
  ] as const)("the week of a Wednesday that begins on %s", (weekStartsOn, start, end) => {
    expect(startOfWeek(date("2026-01-07"), weekStartsOn)).toBe(date(start));
    expect(endOfWeek(date("2026-01-07"), weekStartsOn)).toBe(date(end));
  });

  test("months and years", () => {
    expect(startOfMonth(date("2024-02-29"))).toBe(date("2024-02-01"));
    expect(endOfMonth(date("2024-02-01"))).toBe(date("2024-02-29"));
    expect(endOfMonth(date("2025-02-01"))).toBe(date("2025-02-28"));
    expect(startOfYear(date("2025-12-31"))).toBe(date("2025-01-01"));
    expect(endOfYear(date("2025-01-01"))).toBe(date("2025-12-31"));
  });

  test("earlier, later and daysBetween", () => {
    const [a, b] = [date("2024-02-28"), date("2024-03-01")];
    expect([earlier(a, b), earlier(b, a), earlier(a, a)]).toEqual([a, a, a]);
    expect([later(a, b), later(b, a), later(b, b)]).toEqual([b, b, b]);
    expect([daysBetween(a, b), daysBetween(b, a), daysBetween(a, a)]).toEqual([2, -2, 0]);
  });

  test("stops at the first and the last representable date", () => {
    const [first, last] = [date("0001-01-01"), date("9999-12-31")];
    expect(addDays(last, 1)).toBe(last);
    expect(addMonths(date("9999-12-01"), 1)).toBe(last);
    expect(addYears(date("9999-06-01"), 1)).toBe(last);
    // A Friday.
    expect(endOfWeek(last, "SUNDAY")).toBe(last);
    expect(addDays(first, -1)).toBe(first);
    // A Monday.
    expect(startOfWeek(first, "SUNDAY")).toBe(first);
    expect(addDays(addDays(last, -1), 1)).toBe(last);
  });

  describe("requires a process in UTC", () => {
    const source = (path: string) => JSON.stringify(join(import.meta.dir, "../../src", path));
    const tomorrow = `
      const { addDays } = await import(${source("lib/calendar-date.ts")});
      console.log(addDays("2025-03-09", 1));`;
    const runInNewYork = (script: string) => {
      const env = { TZ: "America/New_York" };
      const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script], { env });
      return { stdout: stdout.toString(), stderr: stderr.toString() };
    };

    test("throws in another time zone", () => {
      const { stdout, stderr } = runInNewYork(tomorrow);
      expect(stdout).toBe("");
      expect(stderr).toContain("The process must run with TZ=UTC to compute calendar dates");
    });

    test("main.ts sets TZ=UTC, whatever the machine's time zone", () => {
      const program = `process.argv = ["", "", "--version"]; await import(${source("main.ts")});`;
      const { stdout } = runInNewYork(program + tomorrow);
      expect(stdout).toEndWith("\n2025-03-10\n");
    });
  });

  test("equals Temporal over nearly ten thousand years", () => {
    const dates = fc
      .tuple(
        fc.integer({ min: 3, max: 9997 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
      )
      .map(([year, month, day]) => Temporal.PlainDate.from({ year, month, day }));
    const counts = fc.integer({ min: -20, max: 20 });
    fc.assert(
      fc.property(dates, counts, fc.constantFrom(...WEEK_DAYS), (plain, count, weekDay) => {
        const text = date(plain.toString());
        const weekStart = plain.subtract({
          days: (plain.dayOfWeek - WEEK_DAYS.indexOf(weekDay) + 7) % 7,
        });
        const expected = {
          addDays: plain.add({ days: count }),
          addMonths: plain.add({ months: count }),
          addYears: plain.add({ years: Math.sign(count) }),
          startOfWeek: weekStart,
          endOfWeek: weekStart.add({ days: 6 }),
          startOfMonth: plain.with({ day: 1 }),
          endOfMonth: plain.with({ day: plain.daysInMonth }),
          startOfYear: plain.with({ month: 1, day: 1 }),
          endOfYear: plain.with({ month: 12, day: 31 }),
        };
        expect({
          addDays: addDays(text, count),
          addMonths: addMonths(text, count),
          addYears: addYears(text, Math.sign(count)),
          startOfWeek: startOfWeek(text, weekDay),
          endOfWeek: endOfWeek(text, weekDay),
          startOfMonth: startOfMonth(text),
          endOfMonth: endOfMonth(text),
          startOfYear: startOfYear(text),
          endOfYear: endOfYear(text),
        } as Record<string, string>).toEqual(
          Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, `${value}`])),
        );
        expect(daysBetween(text, addDays(text, count))).toBe(count);
      }),
      { numRuns: 1000 },
    );
  });
});

function exists(text: string): boolean {
  try {
    Temporal.PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}
