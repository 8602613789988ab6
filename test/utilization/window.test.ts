import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FIRST_DATE, type CalendarDate } from "../../src/lib/calendar-date.ts";
import { utilizationWindow } from "../../src/utilization/window.ts";

interface Case {
  startDate?: string;
  endDate?: string;
  authorized?: string[];
  today?: string;
}

function windowOf({ startDate, endDate, authorized = ["2026-01-07"], today = "2026-02-10" }: Case) {
  const window = utilizationWindow({
    startDate: startDate as CalendarDate | undefined,
    endDate: endDate as CalendarDate | undefined,
    authorizationDates: authorized as CalendarDate[],
    today: today as CalendarDate,
  });
  return `${window.startDate} … ${window.endDate}`;
}

describe("defaults", () => {
  test.each<[string, Case, string]>([
    ["from the authorization's start to six weeks from today", {}, "2026-01-07 … 2026-03-24"],
    [
      "from the earliest start of several authorizations",
      { authorized: ["2026-01-20", "2026-01-08", "2026-01-31"] },
      "2026-01-08 … 2026-03-24",
    ],
    ["from today without authorizations", { authorized: [] }, "2026-02-10 … 2026-03-24"],
    ["six weeks over the end of a year", { today: "2026-12-31" }, "2026-01-07 … 2027-01-07"],
    ["a start given alone", { startDate: "2026-02-01" }, "2026-02-01 … 2026-03-24"],
    ["an end given alone", { endDate: "2026-02-01" }, "2026-01-07 … 2026-02-01"],
    [
      "an end before the default start: empty",
      { endDate: "2026-01-06" },
      "2026-01-07 … 2026-01-06",
    ],
    [
      "a start after the default end: empty",
      { startDate: "2026-03-25" },
      "2026-03-25 … 2026-03-24",
    ],
    [
      "an authorization of the far future: empty",
      { authorized: ["2030-01-01"] },
      "2030-01-01 … 2026-03-24",
    ],
    [
      "an expired authorization: the default end is limited to one year",
      { authorized: ["2020-05-01"] },
      "2020-05-01 … 2021-05-01",
    ],
  ])("%s", (_, request, expected) => {
    expect(windowOf(request)).toBe(expected);
  });
});

describe("startDate and endDate", () => {
  test.each<[string, string, string, string]>([
    ["are used as given", "2025-11-03", "2025-12-24", "2025-12-24"],
    ["may be one day", "2025-11-03", "2025-11-03", "2025-11-03"],
    ["may be a day short of the limit", "2025-11-03", "2026-11-02", "2026-11-02"],
    ["may reach the same date a year later", "2025-11-03", "2026-11-03", "2026-11-03"],
    ["are shortened to the same date a year later", "2025-11-03", "2026-11-04", "2026-11-03"],
    ["are shortened from any later date", "2025-11-03", "9999-12-31", "2026-11-03"],
    ["29 February reaches 28 February", "2024-02-29", "2025-03-01", "2025-02-28"],
    [
      "28 February before a leap year reaches 28 February",
      "2023-02-28",
      "2024-02-29",
      "2024-02-28",
    ],
    ["1 March reaches 1 March over a leap day", "2023-03-01", "2024-03-02", "2024-03-01"],
    ["end at the last representable date", "9999-06-01", "9999-12-31", "9999-12-31"],
    ["start at the first representable date", FIRST_DATE, "2026-01-01", "0002-01-01"],
  ])("%s", (_, startDate, endDate, end) => {
    expect(windowOf({ startDate, endDate })).toBe(`${startDate} … ${end}`);
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
      expect(windowOf({ startDate: `${start}`, endDate: `${end}` })).toBe(`${start} … ${expected}`);
    }),
    { numRuns: 500 },
  );
});
