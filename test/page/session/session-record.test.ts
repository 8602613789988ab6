import { describe, expect, test } from "bun:test";
import type { TimeZone } from "../../../src/page/app/lib/base/dates.ts";
import { differences } from "../../../src/page/app/lib/base/differences.ts";
import { whenText } from "../../../src/page/app/lib/base/format.ts";
import { newId } from "../../../src/page/app/lib/base/lines.ts";
import {
  bound,
  changedFields,
  fieldsBefore,
  kindOfChoice,
  sessionLine,
} from "../../../src/page/app/lib/session/session-record.ts";
import type { Session } from "../../../src/page/app/lib/base/wire.ts";

/** Sessions as lines of a practice file, and the differences of two states of a session. */

const session = {
  publicId: "apt_1",
  title: "Direct therapy",
  status: "CONFIRMED",
  startTime: "2026-11-23T14:00:00.000Z",
  endTime: "2026-11-23T16:00:00.000Z",
  technicianId: null,
  isBillable: true,
} as Session;

test("a billable session is written with its authorization, or null if it has none", () => {
  expect(sessionLine(session, "auth_1")).toEqual({
    type: "session",
    ...session,
    authorizationId: "auth_1",
  });
  expect(sessionLine(session, undefined)).toEqual({
    type: "session",
    ...session,
    authorizationId: null,
  });
});

test("a non-billable session has no authorization", () => {
  const meeting = { ...session, isBillable: false } as Session;
  expect(sessionLine(meeting, undefined)).toEqual({ type: "session", ...meeting });
});

test("undoing a change restores the fields that it named, null included", () => {
  expect(fieldsBefore(session, { status: "DECLINED", technicianId: "usr_1" })).toEqual({
    type: "session",
    publicId: "apt_1",
    status: "CONFIRMED",
    technicianId: null,
  });
});

test("a time that is as it was to the minute keeps its seconds", () => {
  const stored = { ...session, startTime: "2026-11-23T14:00:30.000Z" } as Session;
  const [startTime, later] = ["2026-11-23T14:00:00.000Z", "2026-11-23T14:01:00.000Z"] as const;
  const changed = (change: object) => changedFields(stored, change);
  expect(changed({ startTime, title: "Direct therapy" })).toEqual({});
  expect<unknown>(changed({ startTime: later })).toEqual({ startTime: later });
});

test("new ids have the length of the API's ids and are unique", () => {
  const ids = new Set(Array.from({ length: 1000 }, () => newId("apt_")));
  expect(ids.size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^apt_[0-9a-hjkmnp-tv-z]{26}$/);
});

const zone = "America/New_York" as TimeZone;

describe("the differences of two states of a session", () => {
  const described = (change: object) =>
    differences(
      session,
      { ...session, ...change },
      { name: () => "Ana Ruiz", zone, timeOf: (state) => whenText(state, zone) },
    );

  test.each<[object, string[]]>([
    [{}, []],
    [{ status: "PATIENT_NO_SHOW" }, ["Status: Confirmed → No-show"]],
    [{ technicianId: "usr_1" }, ["Technician: none → Ana Ruiz"]],
    [{ title: "Family guidance" }, ["Title: Direct therapy → Family guidance"]],
    [
      { startTime: "2026-11-23T15:00:00.000Z", endTime: "2026-11-23T17:00:00.000Z" },
      ["Time: Mon, Nov 23, 9:00 – 11:00 AM → Mon, Nov 23, 10:00 AM – 12:00 PM"],
    ],
  ])("by %p", (change, expected) => {
    const plain = described(change).map((text) => text.replaceAll(/[\u2009\u202f]/g, " "));
    expect(plain).toEqual(expected);
  });
});

test("a change of kind is undone by the complete session; another choice brings its service and authorization", () => {
  const own = bound(session, "auth_1");
  expect(fieldsBefore(own, { isBillable: false, nonBillableCode: "nbc_1" })).toEqual({
    ...{ type: "session", ...session },
    authorizationId: "auth_1",
  });
  expect(bound({ ...session, isBillable: false } as Session, "auth_1")).not.toHaveProperty(
    "authorizationId",
  );
  const choice = { value: "", name: "", title: "" };
  expect([
    kindOfChoice(undefined),
    kindOfChoice({ ...choice, isBillable: true, id: "svc_1", authorizationId: "auth_2" }),
    kindOfChoice({ ...choice, isBillable: true, id: "svc_1" }),
    kindOfChoice({ ...choice, isBillable: false, id: "nbc_1" }),
  ]).toEqual([
    {},
    { isBillable: true, services: "svc_1", authorizationId: "auth_2" },
    { isBillable: true, services: "svc_1", authorizationId: null },
    { isBillable: false, nonBillableCode: "nbc_1" },
  ]);
});
