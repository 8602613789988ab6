import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addDays, type DateRange } from "../../src/lib/calendar-date.ts";
import type { Instant } from "../../src/lib/instant.ts";
import type { TimeZone } from "../../src/lib/time-zone.ts";
import { countedStarts, periodFinder, periodGrid } from "../../src/utilization/unit-counter.ts";
import { periodsIn } from "../../src/utilization/periods.ts";
import { answer, counts, countUnits, subjectOf } from "../support/utilization/composition.ts";
import { expectedAnswer } from "../support/utilization/oracle.ts";
import { utilizationCases } from "../support/utilization/practices.ts";
import { runs } from "../support/runs.ts";

const newYork = "America/New_York" as TimeZone;

type Period = DateRange & { unitsUtilized: number; unitsScheduled: number };

const dates = (startDate: string, endDate: string) => ({ startDate, endDate }) as DateRange;
const period = (
  startDate: string,
  endDate: string,
  unitsUtilized: number,
  unitsScheduled: number,
): Period => ({ ...dates(startDate, endDate), unitsUtilized, unitsScheduled });

const encounter = (startTime: string, units: number, authorizationId = "auth_1") => ({
  authorizationId,
  startTime: startTime as Instant,
  units,
});
const session = (
  startTime: string,
  endTime: string,
  status = "CONFIRMED",
  authorizationId = "auth_1",
) => ({
  authorizationId,
  startTime: startTime as Instant,
  endTime: endTime as Instant,
  status,
});

/** Authorizations with 15-minute units. */
function authorizationsOf(terms: Record<string, DateRange>) {
  return Object.entries(terms).map(([publicId, dates]) => ({
    publicId,
    dates,
    billingUnitMinutes: 15,
  }));
}

function gridOf(
  frequency: "DAILY" | "WEEKLY" | "TOTAL",
  term: DateRange,
  window: DateRange,
  zone = newYork,
) {
  return periodGrid(periodsIn(frequency, "SUNDAY", term, window), window, zone);
}

describe("one authorization", () => {
  // Three days. The second has 23 hours.
  const term = dates("2025-03-08", "2025-03-10");
  const authorizations = authorizationsOf({ auth_1: term });
  const grid = gridOf("DAILY", term, term);

  test("records count on the day on which they start, from its first to its last millisecond", () => {
    const encounters = [
      encounter("2025-03-08T05:00:00.000Z", 1),
      encounter("2025-03-09T04:59:59.999Z", 2),
      encounter("2025-03-09T05:00:00.000Z", 4),
      encounter("2025-03-10T03:59:59.999Z", 8),
      encounter("2025-03-10T04:00:00.000Z", 16),
      encounter("2025-03-11T03:59:59.999Z", 32),
    ];
    expect(countUnits(grid, authorizations, encounters, []).total).toEqual([
      period("2025-03-08", "2025-03-08", 3, 0),
      period("2025-03-09", "2025-03-09", 12, 0),
      period("2025-03-10", "2025-03-10", 48, 0),
    ]);
  });

  test("records that start before the first or after the last day do not count", () => {
    const encounters = [
      encounter("2025-03-08T04:59:59.999Z", 1),
      encounter("2025-03-11T04:00:00.000Z", 2),
    ];
    const sessions = [session("2025-03-08T04:59:59.999Z", "2025-03-08T06:00:00.000Z")];
    expect(countUnits(grid, authorizations, encounters, sessions).total).toEqual([
      period("2025-03-08", "2025-03-08", 0, 0),
      period("2025-03-09", "2025-03-09", 0, 0),
      period("2025-03-10", "2025-03-10", 0, 0),
    ]);
  });

  test("a session counts its full length on the day of its start, across midnight, a clock change and the authorization's end", () => {
    const sessions = [
      // 23:00 to 01:00.
      session("2025-03-09T04:00:00.000Z", "2025-03-09T06:00:00.000Z"),
      // 01:30 to 03:30 in the night without 02:00: one hour.
      session("2025-03-09T06:30:00.000Z", "2025-03-09T07:30:00.000Z"),
      // Ends after the authorization.
      session("2025-03-11T03:30:00.000Z", "2025-03-11T05:30:00.000Z"),
    ];
    expect(countUnits(grid, authorizations, [], sessions).total).toEqual([
      period("2025-03-08", "2025-03-08", 0, 8),
      period("2025-03-09", "2025-03-09", 0, 4),
      period("2025-03-10", "2025-03-10", 0, 8),
    ]);
  });

  test("declined sessions and no-shows do not count; each session is rounded separately", () => {
    const quarter = (status: string) =>
      session("2025-03-09T15:00:00.000Z", "2025-03-09T15:15:00.000Z", status);
    const sessions = [
      quarter("CONFIRMED"),
      quarter("UNCONFIRMED"),
      quarter("REQUESTED_TO_CANCEL"),
      quarter("DECLINED"),
      quarter("PATIENT_NO_SHOW"),
      // Seven minutes each, which are no unit, and are not added up.
      session("2025-03-09T16:00:00.000Z", "2025-03-09T16:07:00.000Z"),
      session("2025-03-09T17:00:00.000Z", "2025-03-09T17:07:00.000Z"),
    ];
    expect(countUnits(grid, authorizations, [], sessions).total[1]).toEqual(
      period("2025-03-09", "2025-03-09", 0, 3),
    );
  });

  test("decimal units are summed exactly", () => {
    const encounters = Array.from({ length: 1000 }, () =>
      encounter("2025-03-09T15:00:00.000Z", 0.1),
    );
    encounters.push(encounter("2025-03-08T15:00:00.000Z", 0.1));
    encounters.push(encounter("2025-03-08T15:00:00.000Z", 0.2));
    encounters.push(encounter("2025-03-10T15:00:00.000Z", 0.000001));
    expect(countUnits(grid, authorizations, encounters, []).total).toEqual([
      period("2025-03-08", "2025-03-08", 0.3, 0),
      period("2025-03-09", "2025-03-09", 100, 0),
      period("2025-03-10", "2025-03-10", 0.000001, 0),
    ]);
  });

  test("records of other authorizations are ignored", () => {
    const encounters = [encounter("2025-03-09T15:00:00.000Z", 1, "auth_other")];
    const sessions = [
      session("2025-03-09T15:00:00.000Z", "2025-03-09T16:00:00.000Z", "CONFIRMED", "auth_other"),
    ];
    expect(countUnits(grid, authorizations, encounters, sessions).total[1]).toEqual(
      period("2025-03-09", "2025-03-09", 0, 0),
    );
  });

  test("without periods nothing is counted and no records are needed", () => {
    const window = dates("2026-01-01", "2026-12-31");
    const empty = gridOf("DAILY", term, window);
    const none = { periods: [], starts: [], ends: [], span: undefined };
    expect(empty).toEqual({ timeZone: newYork, window, ...none });
    const encounters = [encounter("2025-03-09T15:00:00.000Z", 1)];
    expect(countUnits(empty, authorizations, encounters, [])).toEqual({
      total: [],
      members: [{ publicId: "auth_1", periods: [] }],
    });
  });

  test("a calendar day that the zone skipped is an empty period", () => {
    const apia = "Pacific/Apia" as TimeZone;
    const countDays = (days: DateRange) =>
      countUnits(
        gridOf("DAILY", days, days, apia),
        authorizationsOf({ auth_1: days }),
        [encounter("2011-12-30T09:59:59.999Z", 1), encounter("2011-12-30T10:00:00.000Z", 2)],
        [],
      ).total;
    expect(countDays(dates("2011-12-29", "2011-12-31"))).toEqual([
      period("2011-12-29", "2011-12-29", 1, 0),
      period("2011-12-30", "2011-12-30", 0, 0),
      period("2011-12-31", "2011-12-31", 2, 0),
    ]);
    expect(countDays(dates("2011-12-30", "2011-12-30"))).toEqual([
      period("2011-12-30", "2011-12-30", 0, 0),
    ]);
  });

  test("an hour that the clocks repeat after midnight belongs to the new day both times", () => {
    // At 00:01 on 7 November the clocks of St. John's went back to 23:01.
    const stJohns = "America/St_Johns" as TimeZone;
    const days = dates("2010-11-06", "2010-11-07");
    const encounters = [
      encounter("2010-11-07T02:29:59.999Z", 1),
      encounter("2010-11-07T02:30:00.000Z", 2),
      encounter("2010-11-07T03:00:00.000Z", 4),
    ];
    const grid = gridOf("DAILY", days, days, stJohns);
    expect(countUnits(grid, authorizationsOf({ auth_1: days }), encounters, []).total).toEqual([
      period("2010-11-06", "2010-11-06", 1, 0),
      period("2010-11-07", "2010-11-07", 6, 0),
    ]);
  });

  test("countedStarts is the intersection of the authorization's dates and the periods", () => {
    expect(countedStarts(grid, dates("2025-01-01", "2025-12-31"))).toEqual(grid.span);
    expect(countedStarts(grid, dates("2025-03-09", "2025-03-09"))).toEqual({
      from: "2025-03-09T05:00:00.000Z" as Instant,
      to: "2025-03-10T03:59:59.999Z" as Instant,
    });
    expect(countedStarts(gridOf("DAILY", term, dates("2026-01-01", "2026-01-01")), term)).toBe(
      undefined,
    );
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
});

describe("a pool", () => {
  // Weeks begin on Sundays, the first on 2026-01-04. The first member expires on a Tuesday.
  const terms = {
    auth_1: dates("2026-01-07", "2026-01-13"),
    auth_2: dates("2026-01-09", "2026-01-20"),
  };
  const term = dates("2026-01-07", "2026-01-20");
  const encounters = [
    encounter("2026-01-08T15:00:00.000Z", 0.1, "auth_1"),
    encounter("2026-01-09T15:00:00.000Z", 0.2, "auth_2"),
    encounter("2026-01-13T15:00:00.000Z", 1, "auth_1"),
    // Within the dates of the pool, outside those of its member.
    encounter("2026-01-14T15:00:00.000Z", 5, "auth_1"),
    encounter("2026-01-08T15:00:00.000Z", 5, "auth_2"),
    encounter("2026-01-16T15:00:00.000Z", 2, "auth_2"),
    encounter("2026-01-20T15:00:00.000Z", 3, "auth_2"),
  ];
  const countWeeks = (window: DateRange) =>
    countUnits(gridOf("WEEKLY", term, window), authorizationsOf(terms), encounters, []);

  test("sums its members, each counted within its own dates", () => {
    expect(countWeeks(term)).toEqual({
      total: [
        period("2026-01-07", "2026-01-10", 0.3, 0),
        period("2026-01-11", "2026-01-17", 3, 0),
        period("2026-01-18", "2026-01-20", 3, 0),
      ],
      members: [
        {
          publicId: "auth_1",
          periods: [
            period("2026-01-07", "2026-01-10", 0.1, 0),
            period("2026-01-11", "2026-01-13", 1, 0),
          ],
        },
        {
          publicId: "auth_2",
          periods: [
            period("2026-01-09", "2026-01-10", 0.2, 0),
            period("2026-01-11", "2026-01-17", 2, 0),
            period("2026-01-18", "2026-01-20", 3, 0),
          ],
        },
      ],
    });
  });

  test("counts the whole week, including members that expired before the window", () => {
    expect(countWeeks(dates("2026-01-15", "2026-01-17"))).toEqual({
      total: [period("2026-01-11", "2026-01-17", 3, 0)],
      members: [
        { publicId: "auth_1", periods: [] },
        { publicId: "auth_2", periods: [period("2026-01-11", "2026-01-17", 2, 0)] },
      ],
    });
  });

  test("TOTAL is one period: the pool's dates for the pool, the member's dates for the member", () => {
    const window = dates("2026-01-12", "2026-01-12");
    const grid = gridOf("TOTAL", term, window);
    expect(countUnits(grid, authorizationsOf(terms), encounters, [])).toEqual({
      total: [period("2026-01-07", "2026-01-20", 6.3, 0)],
      members: [
        { publicId: "auth_1", periods: [period("2026-01-07", "2026-01-13", 1.1, 0)] },
        { publicId: "auth_2", periods: [period("2026-01-09", "2026-01-20", 5.2, 0)] },
      ],
    });
  });

  test("members may have different billing units", () => {
    const members = authorizationsOf(terms);
    const hour = (id: string) =>
      session("2026-01-10T15:00:00.000Z", "2026-01-10T16:00:00.000Z", "CONFIRMED", id);
    const counted = countUnits(
      gridOf("TOTAL", term, term),
      [members[0]!, { ...members[1]!, billingUnitMinutes: null }],
      [],
      [hour("auth_1"), hour("auth_2"), hour("auth_2")],
    );
    expect(counted.members.map((member) => member.periods[0]!.unitsScheduled)).toEqual([4, 2]);
    expect(counted.total[0]!.unitsScheduled).toBe(6);
  });
});

describe("in every time zone, from 1990 to 2040", () => {
  test("counts equal those of the oracle, which iterates over days", () => {
    fc.assert(
      fc.property(utilizationCases(), ({ practice, request, now }) => {
        expect(answer(practice, request, now)).toEqual(expectedAnswer(practice, request, now));
      }),
      { numRuns: runs(1000) },
    );
  });

  test("a pool's units are the sum of its members' units", () => {
    fc.assert(
      fc.property(utilizationCases(), ({ practice, request }) => {
        const subject = subjectOf(practice, request);
        if (!subject.term) return;
        // The window is the pool's whole term, so that it contains every period of every member.
        const { total, members } = counts(practice, subject, subject.term);
        const sums = total.map(({ startDate, endDate }) => {
          const parts = members
            .flatMap((member) => member.periods)
            .filter((part) => startDate <= part.startDate && part.endDate <= endDate);
          const sum = (units: (part: Period) => number) =>
            parts.reduce((millionths, part) => millionths + Math.round(units(part) * 1e6), 0) / 1e6;
          return period(
            startDate,
            endDate,
            sum((part) => part.unitsUtilized),
            sum((part) => part.unitsScheduled),
          );
        });
        expect(sums).toEqual(total);
      }),
      { numRuns: runs(300) },
    );
  });

  test("splitting a window changes neither periods nor units", () => {
    fc.assert(
      fc.property(utilizationCases(), fc.nat(60), ({ practice, request, now }, days) => {
        const { startDate, endDate } = answer(practice, request, now) as unknown as DateRange;
        const subject = subjectOf(practice, request);
        const split = addDays(startDate, days);
        const parts = [
          { startDate, endDate: split < endDate ? split : endDate },
          { startDate: addDays(split, 1), endDate },
        ].map((window) => counts(practice, subject, window));
        const whole = counts(practice, subject, { startDate, endDate });
        const join = (lists: Period[][]) => [
          ...new Map(lists.flat().map((one) => [one.startDate, one])).values(),
        ];
        expect(join(parts.map((part) => part.total))).toEqual(whole.total);
        whole.members.forEach((member, index) => {
          expect(join(parts.map((part) => part.members[index]!.periods))).toEqual(member.periods);
        });
      }),
      { numRuns: runs(300) },
    );
  });
});
