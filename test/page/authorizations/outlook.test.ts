import fc from "fast-check";
import { describe, expect, test } from "bun:test";
import { type CalendarDate, WEEK_DAYS } from "../../../src/lib/calendar-date.ts";
import {
  daysIn,
  endAtPace,
  ifUsualWeekGoesOn,
  isOver,
  isPlanOver,
  periodsAhead,
  shownSums,
  sumText,
  usedUp,
  usedUpSince,
  usualWeek,
} from "../../../src/page/app/lib/authorizations/outlook.ts";

/** How units will be used up, against calculations day by day with `Temporal`. */

const START = Temporal.PlainDate.from("2026-09-01");
const dayAt = (days: number): CalendarDate => String(START.add({ days })) as CalendarDate;
const index = (day: string): number => START.until(day, { largestUnit: "days" }).days;

const day = fc.integer({ min: 0, max: 250 }).map(dayAt);
const uses = fc.array(fc.record({ day, units: fc.integer({ min: 0, max: 40 }) }), {
  maxLength: 60,
});
const weekStartsOn = fc.constantFrom(...WEEK_DAYS);

/** The first day of a date's week: by walking back. */
function weekOf(date: string, first: string): Temporal.PlainDate {
  let current = Temporal.PlainDate.from(date);
  // Temporal counts from Monday as 1, the list from Sunday as 0.
  while (current.dayOfWeek % 7 !== WEEK_DAYS.indexOf(first as never))
    current = current.subtract({ days: 1 });
  return current;
}

test("the usual week is the mean of the four full weeks before this one", () => {
  fc.assert(
    fc.property(uses, day, weekStartsOn, (all, today, first) => {
      const thisWeek = index(String(weekOf(today, first)));
      let sum = 0;
      for (const use of all)
        if (index(use.day) < thisWeek && index(use.day) >= thisWeek - 28) sum += use.units;
      expect(usualWeek(all, today, first)).toBe(sum / 4);
    }),
  );
});

test("sums of units up to a day grow to the sum of all", () => {
  fc.assert(
    fc.property(uses, day, (all, upTo) => {
      const line = usedUp(all);
      expect(line.map((point) => point.day)).toEqual(
        [...new Set(all.map((use) => use.day))].sort(),
      );
      const expected = all
        .filter((use) => use.day <= upTo)
        .reduce((sum, { units }) => sum + units, 0);
      expect(line.findLast((point) => point.day <= upTo)?.units ?? 0).toBe(expected);
    }),
  );
});

test.each<[number, number, string | undefined]>([
  [14, 7, "2026-12-07"],
  [0, 7, "2026-11-23"],
  [-3, 7, "2026-11-23"],
  [10, 0, undefined],
  [10, 3, "2026-12-16"],
])("%p units at %p a week end on %p", (rest, perWeek, expected) => {
  expect(endAtPace(rest, perWeek, "2026-11-23" as CalendarDate)).toBe(
    expected as CalendarDate | undefined,
  );
});

describe("if the usual week goes on", () => {
  test("each day of a week with nothing booked has a seventh of it", () => {
    const asked = fc.record({
      perWeek: fc.integer({ min: 0, max: 30 }),
      booked: uses,
      limit: fc.integer({ min: 0, max: 60 }),
      today: day,
      weekStartsOn,
      end: day,
      periodDays: fc.constantFrom(7, 30, 250),
      committed: fc.integer({ min: 0, max: 60 }),
      planned: fc.integer({ min: -20, max: 20 }),
    });
    fc.assert(
      fc.property(asked, ({ periodDays, committed, planned, ...rest }) => {
        const periods = Array.from({ length: Math.ceil(280 / periodDays) }, (_, number) => ({
          startDate: dayAt(number * periodDays),
          endDate: dayAt((number + 1) * periodDays - 1),
          committed,
          added: planned,
        }));
        const outlook = ifUsualWeekGoesOn({ ...rest, periods });
        const added = new Map<number, number>();
        const weeks = new Set<string>();
        const from = index(String(weekOf(rest.today, rest.weekStartsOn))) + 7;
        let days = 0;
        for (let at = from; at <= index(rest.end); at += 1) {
          const week = String(weekOf(dayAt(at), rest.weekStartsOn));
          const isBusy = rest.booked.some(
            (use) => String(weekOf(use.day, rest.weekStartsOn)) === week,
          );
          if (isBusy) continue;
          weeks.add(week);
          days += 1;
          const period = Math.floor(at / periodDays);
          added.set(period, (added.get(period) ?? 0) + 1);
        }
        expect(outlook.emptyWeeks).toBe(weeks.size);
        expect(outlook.units).toBeCloseTo((days * rest.perWeek) / 7, 6);
        const over = [...added]
          .map(([period, count]) => ({
            startDate: dayAt(period * periodDays),
            units: committed + planned + (count * rest.perWeek) / 7 - rest.limit,
          }))
          .filter(({ units }) => units > 1e-6)
          .sort((a, b) => index(a.startDate) - index(b.startDate));
        const found = outlook.periods.filter(isOver);
        expect(found.map(({ startDate }) => startDate)).toEqual(
          over.map(({ startDate }) => startDate),
        );
        for (const [at, { units }] of over.entries()) expect(found[at]?.over).toBeCloseTo(units, 6);
        expect(isPlanOver(outlook)).toBe(planned > 0 && over.length > 0);
      }),
    );
  });

  const week = 7 * 13.592857142857143;
  const asked = {
    perWeek: week,
    booked: [],
    today: "2026-11-28" as CalendarDate,
    weekStartsOn: "SUNDAY" as const,
    end: "2026-12-26" as CalendarDate,
  };
  const term = { startDate: "2026-06-01" as CalendarDate, endDate: "2026-12-26" as CalendarDate };

  test("what is booked, added and usual is one sum: none of the three alone is over", () => {
    const periods = [{ ...term, committed: 1_139, added: 176 }];
    const outlook = ifUsualWeekGoesOn({ ...asked, periods, limit: 1_664 });
    expect(outlook.emptyWeeks).toBe(4);
    const [sum] = shownSums(outlook).sums;
    expect(sum && sumText(sum, 1_664)).toBe(
      "1,139 booked + 176 added + 380.6 of usual weeks = 1,695.6 of 1,664",
    );
    expect([isPlanOver(outlook), sum?.over.toFixed(1)]).toEqual([true, "31.6"]);
    const without = ifUsualWeekGoesOn({
      ...{ ...asked, limit: 1_664 },
      periods: [{ ...term, committed: 1_139, added: 0 }],
    });
    expect(without.periods.some(isOver)).toBe(false);
  });

  test("a plan that only cancels is not what is over", () => {
    const periods = [{ ...term, committed: 2_000, added: -8 }];
    const outlook = ifUsualWeekGoesOn({ ...asked, periods, limit: 1_664 });
    expect([outlook.periods.some(isOver), isPlanOver(outlook)]).toEqual([true, false]);
    const [sum] = shownSums(outlook).sums;
    expect(sum && sumText(sum, 1_664)).toStartWith("2,000 booked − 8 cancelled + 380.6 of usual");
  });

  test("shown are the periods that would be over, at most five, else the fullest", () => {
    const daily = (committed: number) =>
      Array.from({ length: 28 }, (_, number) => {
        const at = String(Temporal.PlainDate.from("2026-11-29").add({ days: number }));
        const on = at as CalendarDate;
        return { startDate: on, endDate: on, committed: committed + number, added: 0 };
      });
    const full = ifUsualWeekGoesOn({ ...asked, periods: daily(40), limit: 40 });
    expect([shownSums(full).sums.length, shownSums(full).others]).toEqual([5, 23]);
    const free = ifUsualWeekGoesOn({ ...asked, periods: daily(0), limit: 400 });
    expect(shownSums(free).sums.map(({ startDate }) => String(startDate))).toEqual(["2026-12-26"]);
    expect(shownSums(free).others).toBe(0);
  });
});

describe("the days of a pool and its members", () => {
  const entry = (type: "session" | "encounter", publicId: string, given: object) => ({
    ...{ type, publicId, authorizationId: "auth_1", units: 4, reason: null, day: "2026-11-10" },
    ...given,
  });
  const periods = [
    { startDate: "2026-11-01", endDate: "2026-11-30" },
    { startDate: "2026-12-01", endDate: "2026-12-31" },
  ];
  const ledger = {
    ...{ pool: { periods }, members: [{ authorizationPublicId: "auth_1", periods: [periods[1]] }] },
    ledger: [
      entry("encounter", "enc_1", {}),
      entry("session", "apt_documented", {}),
      // Another authorization's encounter documents nothing of this one.
      entry("session", "apt_open", { day: "2026-11-01" }),
      entry("session", "apt_before", { day: "2026-10-31" }),
      entry("session", "apt_declined", { reason: "DECLINED" }),
      entry("session", "apt_other", { authorizationId: "auth_2", day: "2026-12-05" }),
    ],
  } as never;
  const encounters = [
    { authorizationId: "auth_1", sessionId: "apt_documented" },
    { authorizationId: "auth_2", sessionId: "apt_open" },
  ] as never;
  const idsIn = (uses: unknown) => (uses as { publicId: string }[]).map((each) => each.publicId);
  const daysOf = (id: string | null) =>
    daysIn(ledger, encounters, id, "2026-11-01" as CalendarDate);

  test("are what was delivered, and what is booked and not documented by its own authorization", () => {
    const [own, all] = [daysOf("auth_1"), daysOf(null)];
    expect([idsIn(own.delivered), idsIn(own.open)]).toEqual([["enc_1"], ["apt_open"]]);
    expect([idsIn(all.delivered), idsIn(all.open)]).toEqual([["enc_1"], ["apt_open", "apt_other"]]);
    expect<unknown>([own.periods, all.periods]).toEqual([[periods[1]], periods]);
    expect(daysOf("auth_2").periods).toEqual([]);
  });

  test("have committed units as the summary says, else as booked behind today, and what a plan adds", () => {
    const around = {
      known: [{ ...periods[0], unitsCommitted: 30 }],
      planned: [{ ...periods[1], unitsCommitted: 4, unitsAfter: 10 }],
    } as never as Omit<Parameters<typeof periodsAhead>[1], "day">;
    const ahead = (day: string) =>
      periodsAhead(daysOf(null), { ...around, day: day as CalendarDate });
    const [november, december] = [
      { ...periods[0], committed: 30, added: 0 },
      { ...periods[1], committed: 4, added: 6 },
    ];
    expect<unknown>(ahead("2026-11-30")).toEqual([november, december]);
    expect<unknown>(ahead("2026-12-01")).toEqual([december]);
    expect<unknown>(ahead("2026-12-05")).toEqual([{ ...december, committed: 0 }]);
  });
});

test("a limit that is reached is used up since the day on which it was, in the order of the days", () => {
  const used = (day: string, units: number) => ({ day: day as CalendarDate, units });
  const delivered = [used("2026-11-20", 3), used("2026-11-10", 3), used("2026-11-15", 2)];
  expect(usedUpSince(delivered, 8)).toBe("2026-11-20" as CalendarDate);
  expect(usedUpSince(delivered, 5)).toBe("2026-11-15" as CalendarDate);
  expect(usedUpSince(delivered, 8.5)).toBeUndefined();
  expect(usedUpSince(delivered, 0)).toBeUndefined();
  expect(usedUpSince([], 1)).toBeUndefined();
});
