import { expect, test } from "bun:test";
import type { CalendarDate, DateRange, TimeZone } from "../../../src/page/app/lib/base/dates.ts";
import {
  changeFrom,
  nextFrom,
  splitsTerm,
} from "../../../src/page/app/lib/authorizations/from-day.ts";
import type { Encounter } from "../../../src/page/app/lib/base/wire.ts";
import { shownSession } from "../../support/page/session.ts";

/** A payor's letter: an authorization has other units from a day on. */

const zone = "America/New_York" as TimeZone;
const day = "2026-11-20" as CalendarDate;
const stored = {
  ...{
    type: "authorization",
    publicId: "auth_1",
    patientId: "usr_kid",
    serviceLineId: "svc_97153",
  },
  ...{ authorizationNumber: "A-1", authorizedUnitsQuantity: 80 },
  ...{ authorizationDate: "2026-10-01", authorizationExpirationDate: "2026-12-31" },
};

test.each([
  ["2026-10-01", false],
  ["2026-10-02", true],
  ["2026-12-31", true],
  ["2027-01-01", false],
])("it can change from %s on: %p", (from, can) => {
  const term = { startDate: "2026-10-01", endDate: "2026-12-31" } as DateRange;
  expect(splitsTerm(term, from as CalendarDate)).toBe(can);
});

test("the old one ends the day before, the next one begins, and what starts from then on goes along", () => {
  const next = nextFrom(
    { stored, changed: { authorizedUnitsQuantity: 60 }, publicId: "auth_2" },
    day,
  );
  expect(next).toEqual({
    ...{ ...stored, publicId: "auth_2", authorizedUnitsQuantity: 60, authorizationDate: day },
  });
  const ending = {
    ...{ publicId: "auth_1", serviceLine: "svc_97153", endDate: "2026-11-19" as CalendarDate },
    sessions: [shownSession({ publicId: "apt_1" }), shownSession({ publicId: "apt_2" })],
    encounters: [
      { publicId: "enc_1", sessionId: "apt_2", startTime: "2026-11-23T14:00:00.000Z" },
      // Without a session: of its own day. In New York, the first is still of the day before.
      { publicId: "enc_2", sessionId: null, startTime: "2026-11-20T04:59:59.999Z" },
      { publicId: "enc_3", sessionId: null, startTime: "2026-11-20T05:00:00.000Z" },
    ] as Encounter[],
  };
  const change = changeFrom({ stored, next, ending }, day, zone);
  const moved = (authorizationId: string) => [
    { type: "session", publicId: "apt_1", authorizationId },
    { type: "session", publicId: "apt_2", authorizationId },
    { type: "encounter", publicId: "enc_1", authorizationId },
    { type: "encounter", publicId: "enc_3", authorizationId },
  ];
  const old = { type: "authorization", publicId: "auth_1" };
  expect(change).toEqual({
    done: "The authorization was changed from Fri, Nov 20 on. 2 sessions went along.",
    sessions: ending.sessions,
    lines: [{ ...old, authorizationExpirationDate: "2026-11-19" }, next, ...moved("auth_2")],
    undo: [
      ...moved("auth_1"),
      { ...old, authorizationExpirationDate: "2026-12-31" },
      { type: "authorization", publicId: "auth_2", deleted: true },
    ],
  });
});

test("an authorization that moves into a pool has the pool's payor", () => {
  const stored = { type: "authorization", publicId: "auth_1", payorId: "pay_1" };
  const next = (changed: object) =>
    nextFrom({ stored, changed: { ...changed }, publicId: "auth_2" }, "2026-12-01" as never);
  expect(next({ authorizationPoolId: "pool_1" })).toMatchObject({
    ...{ publicId: "auth_2", payorId: null, authorizationDate: "2026-12-01" },
  });
  expect(next({})).toMatchObject({ payorId: "pay_1" });
});
