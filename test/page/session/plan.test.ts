import { expect, test } from "bun:test";
import type { Bookable } from "../../../src/page/app/lib/authorizations/authorizations.ts";
import type { CalendarDate } from "../../../src/page/app/lib/base/dates.ts";
import {
  bookText,
  isPlanned,
  NOTHING,
  onAuthorization,
  outsideOf,
  type Plan,
  reasonsOf,
  whatIfOf,
  withAdded,
  withoutAdded,
  withToggled,
} from "../../../src/page/app/lib/session/plan.ts";
import type { Session, WhatIf } from "../../../src/page/app/lib/base/wire.ts";
import type { TimeZone } from "../../../src/lib/time-zone.ts";

const dateOf = (text: string) => text as CalendarDate;
const term = { startDate: dateOf("2026-11-01"), endDate: dateOf("2026-11-30") };
const therapy = { id: "auth_1", serviceLine: "line_1", name: "Therapy", term } as Bookable;
const other = { ...therapy, id: "auth_2" };
const zone = "America/New_York" as TimeZone;
const empty: Plan = { authorization: therapy, patientId: "usr_1", zone, ...NOTHING };
const stretch = (day: string) => ({ day: dateOf(day), from: 9 * 60, to: 11 * 60 });
const sessionOf = (publicId: string) => ({ publicId }) as Session;

test("stretches are added in the zone of the plan, over the clock change of November 1", () => {
  const plan = withAdded(empty, [stretch("2026-10-31"), stretch("2026-11-01")]);
  expect(plan.added as unknown).toEqual([
    { startTime: "2026-10-31T13:00:00.000Z", endTime: "2026-10-31T15:00:00.000Z" },
    { startTime: "2026-11-01T14:00:00.000Z", endTime: "2026-11-01T16:00:00.000Z" },
  ]);
  expect(withoutAdded(plan, 0).added).toEqual(plan.added.slice(1));
  expect(whatIfOf(plan)).toEqual({ timezone: zone, add: [...plan.added], cancel: [] });
});

test("a booked session is cancelled, and kept after all; the smallest sequence is that of the plan", () => {
  const one = withToggled(empty, sessionOf("apt_1"), 7);
  const two = withToggled(one, sessionOf("apt_2"), 5);
  const three = withToggled(two, sessionOf("apt_3"), 9);
  expect([one.since, two.since, three.since]).toEqual([7, 5, 5]);
  expect(whatIfOf(three).cancel).toEqual(["apt_1", "apt_2", "apt_3"]);
  const kept = withToggled(three, sessionOf("apt_2"));
  expect([whatIfOf(kept).cancel, kept.since]).toEqual([["apt_1", "apt_3"], 5]);
  // Nothing is left that the number was of.
  const none = withToggled(one, sessionOf("apt_1"));
  expect([isPlanned(none), none.since]).toEqual([false, undefined]);
});

test("on another authorization, what is added stays, and what was cancelled is not its own", () => {
  const plan = withToggled(withAdded(empty, [stretch("2026-11-02")]), sessionOf("apt_1"), 7);
  expect(onAuthorization(plan, other)).toEqual({
    ...plan,
    ...{ authorization: other, cancelled: [], since: undefined },
  });
});

test("what is booked and cancelled is said", () => {
  const added = withAdded(empty, [stretch("2026-11-02")]);
  const both = withToggled(withAdded(added, [stretch("2026-11-09")]), sessionOf("apt_1"), 7);
  const cancelled = withToggled(empty, sessionOf("apt_1"), 7);
  expect([added, both, cancelled].map(bookText)).toEqual([
    "Book 1 session",
    "Book 2 sessions and cancel 1",
    "Cancel 1",
  ]);
  expect([isPlanned(empty), isPlanned(added), isPlanned(cancelled)]).toEqual([false, true, true]);
});

test("the first and the last day are in the term, by the zone of the plan", () => {
  const { added } = withAdded(
    empty,
    ["2026-10-31", "2026-11-01", "2026-11-30", "2026-12-01"].map(stretch),
  );
  expect(added.map((slot) => outsideOf(empty, slot))).toEqual([
    "before its start, Nov 1, 2026",
    undefined,
    undefined,
    "after its end, Nov 30, 2026",
  ]);
  const endless = { ...empty, authorization: { ...therapy, term: undefined } };
  expect(added.map((slot) => outsideOf(endless, slot))).toEqual([...Array(4)].fill(undefined));
});

test("it does not fit for what the plan makes worse, and not for what was over before", () => {
  const period = (unitsCommitted: number, unitsAfter: number, unitsOver: number) => ({
    ...{ unitsCommitted, unitsAfter, unitsOver },
  });
  const over = period(80, 90, 10);
  const overBefore = period(90, 90, 10);
  const better = period(100, 90, 10);
  const fits = period(10, 20, 0);
  const reasons = (given: object): string[] =>
    reasonsOf({ outside: [], periods: [fits], poolPeriods: null, ...given } as unknown as WhatIf);
  expect(reasons({ periods: [over, overBefore, better, fits] })).toEqual([
    "1 period of this authorization would be over the authorized units.",
  ]);
  expect(reasons({ poolPeriods: [over, over, overBefore], outside: [0, 2] })).toEqual([
    "2 periods of the pool would be over the authorized units.",
    "2 sessions would be outside the dates of the authorization.",
  ]);
  expect(reasons({ periods: [overBefore], poolPeriods: [better] })).toEqual([]);
});
