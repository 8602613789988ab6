import { expect, test } from "bun:test";
import type { TimeZone } from "../../../src/page/app/lib/base/dates.ts";
import { questionsOf, warningTexts } from "../../../src/page/app/lib/session/planned.ts";
import type { Session, WhatIf } from "../../../src/page/app/lib/base/wire.ts";

/** What planned sessions are asked for, and what is said about them. */

const zone = "America/New_York" as TimeZone;
const on = (publicId: string, day: string): Session =>
  ({
    ...{ publicId, startTime: `${day}T20:30:00.000Z`, endTime: `${day}T22:30:00.000Z` },
    ...{ technicianId: "usr_tech", clientId: "usr_kid", isSupervision: false, clinicianId: null },
  }) as Session;
const sessions = [on("apt_1", "2026-11-24"), on("apt_2", "2026-12-01"), on("apt_3", "2026-12-08")];

test("each authorization is asked about its own sessions, without what they are instead of", () => {
  const bound = new Map([
    ["apt_1", "auth_old"],
    ["apt_2", "auth_new"],
    ["apt_3", "auth_new"],
    ["apt_declined", "auth_new"],
  ]);
  const questions = questionsOf({
    ...{ sessions: [...sessions, on("apt_free", "2026-12-15")], zone },
    instead: [...bound.keys(), "apt_free"],
    authorizationOf: (id) => bound.get(id),
  });
  const times = sessions.map(({ startTime, endTime }) => ({ startTime, endTime }));
  expect([...questions]).toEqual([
    ["auth_old", { timezone: zone, add: times.slice(0, 1), cancel: ["apt_1"] }],
    [
      "auth_new",
      { timezone: zone, add: times.slice(1), cancel: ["apt_2", "apt_3", "apt_declined"] },
    ],
  ]);
});

const period = (unitsCommitted: number, unitsAfter: number, unitsOver: number) => ({
  ...{ startDate: "2026-11-22", endDate: "2026-11-28", unitsAuthorized: 10 },
  ...{ unitsCommitted, unitsAfter, unitsOver },
});
const outcome = (given: object) => ({ periods: [], poolPeriods: null, outside: [], ...given });
const said = (found: { clashes?: Map<string, object>; outcomes?: object[]; isPartial?: boolean }) =>
  warningTexts(
    {
      ...{ sessions, isPartial: found.isPartial === true },
      clashes: (found.clashes ?? new Map()) as never,
      outcomes: (found.outcomes ?? []) as WhatIf[],
    },
    (id) => (id === "usr_tech" ? "Ana Ruiz" : id),
    zone,
  );

test("double bookings are said by day, of staff and of the patient", () => {
  const clashes = new Map([
    ["apt_2", { staff: new Set(["usr_tech"]), isOfClient: true }],
    ["apt_of_others", { staff: new Set(["usr_tech"]), isOfClient: true }],
  ]);
  expect(said({ clashes })).toEqual([
    "Tue, Dec 1, 3:30 – 5:30 PM: Ana Ruiz has another session at this time.",
    "Tue, Dec 1, 3:30 – 5:30 PM: the patient has another session at this time.",
  ]);
});

test("of the units beyond a period, the most; not where nothing is added", () => {
  const outcomes = [
    outcome({ periods: [period(8, 12, 2), period(20, 18, 8)] }),
    outcome({ periods: [period(8, 10, 0)], poolPeriods: [period(8, 13, 3)] }),
  ];
  expect(said({ outcomes })).toEqual(["3 units more than authorized in a period."]);
  expect(said({ outcomes: [outcome({ periods: [period(12, 12, 2)] })] })).toEqual([]);
  expect(said({ outcomes: [outcome({ periods: [period(8, 10.25, 0.25)] })] })).toEqual([
    "0.25 units more than authorized in a period.",
  ]);
});

test("days outside are counted over all authorizations", () => {
  expect(said({ outcomes: [outcome({ outside: [0] })] })).toEqual([
    "1 session is outside the dates of the authorization.",
  ]);
  expect(said({ outcomes: [outcome({ outside: [0] }), outcome({ outside: [1, 2] })] })).toEqual([
    "3 sessions are outside the dates of the authorization.",
  ]);
});

test("what could not be asked is said", () => {
  expect(said({ isPartial: true })).toEqual(["Not everything could be checked."]);
});
