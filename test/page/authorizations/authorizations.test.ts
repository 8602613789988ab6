import { expect, test } from "bun:test";
import { addDays, today, UTC } from "../../../src/page/app/lib/base/dates.ts";
import {
  authorizationsIn,
  authorizationsOf,
  outsideTermText,
  type Patient,
  termOf,
  termOfPool,
  withOutsideTerm,
} from "../../../src/page/app/lib/authorizations/authorizations.ts";
import { dateText } from "../../../src/page/app/lib/base/format.ts";
import type { UtilizationSummary } from "../../../src/page/app/lib/base/wire.ts";

/** Authorizations and pools of a patient's record, and of a summary. */

const now = today(UTC);
const term = (first: number, last: number) => ({
  startDate: addDays(now, first),
  endDate: addDays(now, last),
});

test("a term that includes today, its first and its last day too, says nothing", () => {
  for (const days of [term(-1, 1), term(0, 1), term(-1, 0), term(0, 0)])
    expect(outsideTermText(days, UTC)).toBeUndefined();
  expect(outsideTermText(term(-9, -1), UTC)).toBe(`ended ${dateText(addDays(now, -1))}`);
  expect(outsideTermText(term(1, 9), UTC)).toBe(`begins ${dateText(addDays(now, 1))}`);
  expect([
    withOutsideTerm("Therapy", term(0, 1), UTC),
    withOutsideTerm("Therapy", undefined, UTC),
  ]).toEqual(["Therapy", "Therapy"]);
});

test("the term of a pool is from the earliest start of its members to the latest end", () => {
  expect(termOfPool([term(5, 9), term(0, 7), term(2, 20)])).toEqual(term(0, 20));
  expect(termOfPool([])).toBeUndefined();
  expect(termOf({ startDate: null, endDate: null })).toBeUndefined();
});

test("members of pools come first, with their pool's frequency and no units of their own", () => {
  const entry = (publicId: string) => ({
    ...{ publicId, authorizationNumber: publicId, authorizationStatus: "AUTHORIZED" },
    ...{ serviceLine: { publicId: "line", name: "Therapy" } },
    ...{ authorizationDate: "2026-11-01", authorizationExpirationDate: "2026-11-30" },
  });
  const patient = {
    authorizations: [
      { ...entry("auth_1"), authorizedUnitsQuantity: 16, authorizedUnitFrequency: "DAILY" },
    ],
    authorizationPools: [
      { publicId: "apool_1", unitFrequency: "WEEKLY", authorizations: [entry("auth_2")] },
    ],
  } as unknown as Patient;
  expect(
    authorizationsOf(patient).map(({ publicId, frequency, units, poolId }) => [
      ...[publicId, frequency, units, poolId],
    ]),
  ).toEqual([
    ["auth_2", "WEEKLY", null, "apool_1"],
    ["auth_1", "DAILY", 16, null],
  ]);
});

test("of a summary, the pool's own series is no authorization", () => {
  const series = [
    { authorizationId: null, serviceLinePublicId: null, startDate: null, endDate: null },
    {
      authorizationId: "auth_1",
      serviceLinePublicId: "line",
      serviceLineName: null,
      ...term(0, 1),
    },
  ];
  const found = authorizationsIn({ series } as unknown as UtilizationSummary);
  expect(found.map(({ id, name, term: days }) => [id, name, days])).toEqual([
    ["auth_1", "line", term(0, 1)],
  ]);
});

test("a pool's term ends with its last member, in whatever order they come; the pool's series is no authorization", () => {
  const member = (startDate: string, endDate: string) => ({ startDate, endDate }) as never;
  const term = termOfPool([member("2026-02-01", "2026-12-31"), member("2026-01-01", "2026-11-30")]);
  expect<unknown>(term).toEqual({ startDate: "2026-01-01", endDate: "2026-12-31" });
  const pool = { authorizationId: null, serviceLinePublicId: "svc_1", serviceLineName: "Therapy" };
  expect(authorizationsIn({ series: [pool] } as never)).toEqual([]);
});
