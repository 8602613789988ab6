import { describe, expect, test } from "bun:test";
import type { Authorization } from "../../../src/page/app/lib/authorizations/authorizations.ts";
import type { CalendarDate, TimeZone } from "../../../src/page/app/lib/base/dates.ts";
import { rangeText } from "../../../src/page/app/lib/base/format.ts";
import {
  type Item,
  offersFor,
  putOn,
  remarkOn,
  toPutOf,
  serviceOf,
} from "../../../src/page/app/lib/authorizations/putting-on.ts";
import type { Encounter, Finding, OverviewEntry } from "../../../src/page/app/lib/base/wire.ts";

/** Sessions that are put on another authorization, with their encounters. */

const zone = "America/New_York" as TimeZone;

const authorization = (publicId: string, startDate: string, endDate: string, service = "svc_a") =>
  ({
    ...{ publicId, startDate, endDate, number: publicId.toUpperCase() },
    serviceLine: { publicId: service, name: service },
  }) as Authorization;

const encounter = (publicId: string) => ({ publicId, authorizationId: "auth_old" }) as Encounter;
const item = (publicId: string, day: string, given: object = {}, ids: string[] = []): Item => ({
  record: {
    ...{ type: "session", publicId, services: "svc_a", authorizationId: "auth_old" },
    // Late in the evening in New York, the next day in UTC.
    ...{ startTime: `${day}T23:00:00-05:00` as never, ...given },
  },
  encounters: ids.map(encounter),
});

const items = [
  item("apt_1", "2026-12-01"),
  item("apt_2", "2026-12-31", {}, ["enc_1", "enc_2"]),
  item("apt_3", "2027-01-01"),
];
const all = [
  authorization("auth_old", "2026-01-01", "2026-11-30"),
  authorization("auth_dec", "2026-12-01", "2026-12-31"),
  authorization("auth_long", "2026-12-01", "2027-06-30"),
  authorization("auth_other", "2026-12-01", "2027-06-30", "svc_b"),
];
const offered = (given: object = {}, of = items) =>
  offersFor(of, all, { zone, otherServices: true, documented: true, ...given }).map((offer) => [
    offer.authorization.publicId,
    offer.items.map(({ record }) => record.publicId),
    offer.isSameService,
  ]);

describe("offered are authorizations in force on the days", () => {
  test("of the same service first, then those that cover most", () => {
    expect(offered()).toEqual([
      ["auth_long", ["apt_1", "apt_2", "apt_3"], true],
      ["auth_dec", ["apt_1", "apt_2"], true],
      ["auth_other", ["apt_1", "apt_2", "apt_3"], false],
    ]);
  });

  test("of several services only what has its own, where some has", () => {
    const mixed = [item("apt_1", "2026-12-01"), item("apt_b", "2026-12-01", { services: "svc_b" })];
    expect(offered({}, mixed)).toEqual([
      ["auth_dec", ["apt_1"], true],
      ["auth_long", ["apt_1"], true],
      ["auth_other", ["apt_b"], true],
    ]);
  });

  test("of another service only to who may change it", () => {
    expect(offered({ otherServices: false }).map(([id]) => id)).toEqual(["auth_long", "auth_dec"]);
  });

  test("of what is documented only with the encounters", () => {
    expect(offered({ documented: false, otherServices: false })).toEqual([
      ["auth_long", ["apt_1", "apt_3"], true],
      ["auth_dec", ["apt_1"], true],
    ]);
  });

  test("not their own, and for an encounter without a session that of its authorization's service", () => {
    expect(offered({}, [item("apt_1", "2026-12-01", { authorizationId: "auth_dec" })])[0]).toEqual([
      ...["auth_long", ["apt_1"], true],
    ]);
    const alone = item("enc_9", "2026-12-01", { type: "encounter", services: undefined });
    expect(offered({ otherServices: false }, [alone]).map(([id]) => id)).toEqual([
      ...["auth_dec", "auth_long"],
    ]);
    expect(offered({ documented: false }, [alone])).toEqual([]);
  });
});

test("it is said for how many it is, and what is left: of a member of a pool, what its pool has", () => {
  const entries = [
    { publicId: "auth_dec", unitsLeft: 12 },
    { publicId: "apool_1", unitsLeft: 1 },
    { publicId: "auth_long", unitsLeft: null },
  ] as OverviewEntry[];
  const first = "2026-12-01" as CalendarDate;
  const said = (index: number, of: readonly Item[], given: object = {}): string => {
    const offer = { authorization: { ...all[index], ...given }, items: items.slice(0, 2) };
    return remarkOn(offer as never, { items: of, entries, first });
  };
  const dec = rangeText("2026-12-01", "2026-12-31");
  expect(said(1, items)).toBe(`for 2 of 3; ${dec}; 12 units left on Dec 1`);
  expect(said(1, items.slice(0, 2), { poolId: "apool_1" })).toBe(
    `for all 2; ${dec}; 1 unit left on Dec 1`,
  );
  expect(said(2, items.slice(0, 1))).toBe(rangeText("2026-12-01", "2027-06-30"));
});

test("it is one change with the encounters, and its undo brings back authorization and service", () => {
  const [long, , other] = offersFor(items.slice(1, 2), all, {
    ...{ zone, otherServices: true, documented: true },
  });
  const lines = (authorizationId: string, fields: object = {}) => [
    { type: "session", publicId: "apt_2", authorizationId, ...fields },
    { type: "encounter", publicId: "enc_1", authorizationId },
    { type: "encounter", publicId: "enc_2", authorizationId },
  ];
  expect(long && putOn(long)).toEqual({
    done: "1 session put on AUTH_DEC.",
    lines: lines("auth_dec"),
    undo: lines("auth_old"),
  });
  expect(other && putOn(other)).toMatchObject({
    lines: lines("auth_other", { services: "svc_b" }),
    undo: lines("auth_old", { services: "svc_a" }),
  });
  const free = item("apt_9", "2026-12-01", { authorizationId: null });
  const [first] = offersFor([free], all, { zone, otherServices: false, documented: true });
  expect(first && putOn(first).undo).toEqual([
    { type: "session", publicId: "apt_9", authorizationId: null },
  ]);
});

test("of findings: the sessions, and encounters that have none, of one patient", () => {
  const finding = (given: object) =>
    ({
      ...{ check: "OUTSIDE_AUTHORIZATION", patientId: "usr_kid" },
      ...{ sessionIds: ["apt_1"], encounterIds: [], ...given },
    }) as unknown as Finding;
  expect(
    toPutOf([
      finding({}),
      finding({ encounterIds: ["enc_1"] }),
      finding({ sessionIds: [], encounterIds: ["enc_2"] }),
    ]),
  ).toEqual({ patientId: "usr_kid", sessionIds: ["apt_1"], encounterIds: ["enc_2"] });
  expect(toPutOf([finding({ check: "NO_AUTHORIZATION" })])?.sessionIds).toEqual(["apt_1"]);
  expect(toPutOf([finding({ check: "OVER_AUTHORIZED" })])).toBeUndefined();
  expect(toPutOf([finding({}), finding({ patientId: "usr_other" })])).toBeUndefined();
  expect(toPutOf([finding({ patientId: null })])).toBeUndefined();
  expect(toPutOf([])).toBeUndefined();
});

test("a new authorization is of the service of all sessions, if it is one", () => {
  const item = (services: unknown) => ({ record: { services }, encounters: [] }) as never;
  expect(serviceOf([item("svc_1"), item("svc_1")])).toBe("svc_1");
  expect(serviceOf([item("svc_1"), item("svc_2")])).toBeUndefined();
  expect(serviceOf([item(undefined)])).toBeUndefined();
});
