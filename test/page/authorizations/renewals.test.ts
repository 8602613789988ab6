import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Authorization } from "../../../src/page/app/lib/authorizations/authorizations.ts";
import {
  addMonths,
  type CalendarDate,
  type DateRange,
} from "../../../src/page/app/lib/base/dates.ts";
import {
  endingTogether,
  pathAmong,
  renewalOf,
  renewalsOf,
  termBehind,
} from "../../../src/page/app/lib/authorizations/renewals.ts";
import type { SummarySeries, UtilizationSummary } from "../../../src/page/app/lib/base/wire.ts";

const seriesOf = (own: Partial<SummarySeries>): SummarySeries => ({
  ...{ authorizationId: null, authorizationNumber: null, authorizationStatus: null },
  ...{ serviceLinePublicId: null, serviceLineName: null, startDate: null, endDate: null },
  ...{ unitsAuthorized: null, periods: [], outside: { before: null, after: null } },
  ...own,
});

const therapy = seriesOf({
  ...{ authorizationId: "auth_1", authorizationNumber: "A-1", authorizationStatus: "ENDED" },
  ...{ serviceLinePublicId: "line_therapy", serviceLineName: "Therapy", unitsAuthorized: 16 },
  ...({ startDate: "2026-11-01", endDate: "2026-11-30" } as Partial<SummarySeries>),
});

const summary = {
  ...{ subject: "AUTHORIZATION", publicId: "auth_1", poolId: null, patientId: "usr_1" },
  ...{ patientFirstName: "Leo", patientLastName: "Park", payorId: "pay_1", payorName: "Fairwind" },
  ...{ startDate: "2026-11-01", endDate: "2026-11-30", timezone: "UTC" },
  ...{ unitFrequency: "WEEKLY", unitsAuthorized: 16, series: [therapy] },
} as UtilizationSummary;

const NEXT = {
  serviceLineId: "line_therapy",
  authorizationDate: "2026-12-01",
  authorizationExpirationDate: "2026-12-31",
  authorizationStatus: "AUTHORIZED",
};

test("the next authorization has as many months, from the day after the end, without the payor's number", () => {
  expect(renewalOf(summary)).toEqual({
    ...NEXT,
    ...{ payorId: "pay_1", authorizedUnitsQuantity: 16, authorizedUnitFrequency: "WEEKLY" },
  });
});

test("the next pool has members for the services of the former one, all for its term", () => {
  const shorter = seriesOf({
    ...therapy,
    ...({ authorizationId: "auth_2", serviceLinePublicId: "line_parents" } as const),
    ...({ startDate: "2026-11-10", endDate: "2026-11-20" } as Partial<SummarySeries>),
  });
  const series = [seriesOf({}), therapy, shorter];
  const pool: UtilizationSummary = { ...summary, subject: "POOL", series };
  expect(renewalOf(pool)).toEqual({
    ...{ payorId: "pay_1", unitFrequency: "WEEKLY", totalUnits: 16, isUnlimited: false },
    members: [NEXT, { ...NEXT, serviceLineId: "line_parents" }],
  });
  expect(renewalOf({ ...pool, unitsAuthorized: null })).toMatchObject({
    ...{ totalUnits: null, isUnlimited: true },
  });
});

test("a pool without members has no term, and its next one no dates", () => {
  const none = { startDate: null, endDate: null, series: [] };
  const empty: UtilizationSummary = { ...summary, subject: "POOL", ...none };
  expect(renewalOf(empty)).toMatchObject({ payorId: "pay_1", members: [] });
});

test.each([
  ["2026-06-11", "2026-12-10", "2026-12-11", "2027-06-10"],
  ["2026-01-01", "2026-12-31", "2027-01-01", "2027-12-31"],
  ["2026-02-01", "2026-02-28", "2026-03-01", "2026-03-31"],
  ["2026-08-31", "2027-02-27", "2027-02-28", "2027-08-30"],
  // No whole months: as many days.
  ["2026-06-11", "2026-12-09", "2026-12-10", "2027-06-09"],
  ["2026-06-11", "2026-06-11", "2026-06-12", "2026-06-12"],
])("behind %s to %s is %s to %s", (startDate, endDate, from, to) => {
  expect<object>(termBehind({ startDate, endDate } as DateRange)).toEqual({
    ...{ startDate: from, endDate: to },
  });
});

test("months are added as Temporal does, and a term of whole months has as many behind it", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2000 }),
      fc.integer({ min: 1, max: 24 }),
      (days, months) => {
        const first = Temporal.PlainDate.from("2026-01-01").add({ days });
        const startDate = first.toString() as CalendarDate;
        expect<string>(addMonths(startDate, months)).toBe(first.add({ months }).toString());
        const end = first.add({ months }).subtract({ days: 1 });
        expect<object>(termBehind({ startDate, endDate: end.toString() as CalendarDate })).toEqual({
          startDate: first.add({ months }).toString(),
          endDate: first
            .add({ months: 2 * months })
            .subtract({ days: 1 })
            .toString(),
        });
      },
    ),
  );
});

test("those that end on one day are renewed together: of their own, and without one behind them", () => {
  const of = (publicId: string, startDate: string, endDate: string, given: object = {}) =>
    ({
      ...{ publicId, startDate, endDate, poolId: null },
      ...{ serviceLine: { publicId: `svc_${publicId}`, name: "" }, ...given },
    }) as Authorization;
  const authorizations = [
    of("a", "2026-01-01", "2026-06-30"),
    of("b", "2026-02-01", "2026-06-30"),
    of("member", "2026-01-01", "2026-06-30", { poolId: "apool_1" }),
    of("renewed", "2026-01-01", "2026-06-30"),
    of("next", "2026-07-01", "2026-12-31", { serviceLine: { publicId: "svc_renewed", name: "" } }),
    of("c", "2026-01-01", "2026-12-31"),
    of("long_ago", "2026-01-01", "2026-06-29"),
    of("too", "2026-01-01", "2026-06-29"),
    of("alone", "2026-01-01", "2026-11-30"),
    // Behind a gap, it is none behind it.
    of("late", "2026-07-02", "2026-08-31", { serviceLine: { publicId: "svc_a", name: "" } }),
  ];
  const from = "2026-06-30" as CalendarDate;
  expect<unknown>(endingTogether(authorizations, from)).toEqual([
    { endDate: "2026-12-31", ids: ["next", "c"] },
    { endDate: "2026-06-30", ids: ["a", "b"] },
  ]);
});

test("each is renewed for its own term, with its service, payor and units", () => {
  const own = { serviceLineId: "svc_1", payorId: "pay_1", authorizedUnitsQuantity: 80 };
  const stored = {
    ...{ type: "authorization", publicId: "auth_1", ...own, authorizedUnitFrequency: "WEEKLY" },
    ...{ authorizationNumber: "A-1", authorizationStatus: "EXPIRED", patientId: "usr_kid" },
    ...{ authorizationDate: "2026-06-11", authorizationExpirationDate: "2026-12-10" },
  };
  expect(renewalsOf([stored])).toEqual([
    {
      ...{ ...own, authorizedUnitFrequency: "WEEKLY", authorizationStatus: "AUTHORIZED" },
      ...{ authorizationDate: "2026-12-11", authorizationExpirationDate: "2027-06-10" },
    },
  ]);
});

test("a mistake in a line of a pool, or of one of its authorizations, is at the field of its form", () => {
  const inPool = pathAmong("members", 3);
  expect(inPool([2, "totalUnits"])).toEqual(["totalUnits"]);
  expect(inPool([3, "serviceLineId"])).toEqual(["members", 0, "serviceLineId"]);
  expect(inPool([4, "authorizationDate"])).toEqual(["members", 1, "authorizationDate"]);
  expect(pathAmong("authorizations", 2)([2, "payorId"])).toEqual(["authorizations", 0, "payorId"]);
});
