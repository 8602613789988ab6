import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { slotsOf } from "../../../src/page/app/lib/session/alike.ts";
import type { TimeZone } from "../../../src/page/app/lib/base/dates.ts";
import { slotText } from "../../../src/page/app/lib/base/format.ts";
import { fieldOf } from "../../../src/page/app/lib/session/free.ts";
import { hitBy, timeOffLine, timeOffSlot } from "../../../src/page/app/lib/person/time-off.ts";
import { shownSession } from "../../support/page/session.ts";
import { startOf } from "../../support/lib/zoned.ts";

/** Somebody is away, or leaves: the span of their time off, what it hits, and their sessions by slot. */

const newYork = "America/New_York" as TimeZone;

test("whole days are from the first instant of the first to the last of the last, as Temporal has them", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("America/New_York", "America/Havana", "Australia/Lord_Howe", "Asia/Beirut"),
      fc.integer({ min: 0, max: 800 }),
      fc.integer({ min: 0, max: 30 }),
      (zone, start, more) => {
        const first = Temporal.PlainDate.from("2025-01-01").add({ days: start });
        const last = first.add({ days: more });
        const slot = timeOffSlot(
          {
            firstDay: first.toString(),
            lastDay: more === 0 ? "" : last.toString(),
            from: "",
            to: "",
          },
          zone as TimeZone,
        );
        expect(Date.parse(slot?.startTime ?? "")).toBe(startOf(first, zone));
        expect(Date.parse(slot?.endTime ?? "")).toBe(startOf(last.add({ days: 1 }), zone) - 1);
      },
    ),
    { numRuns: 100 },
  );
});

describe("a span of time off", () => {
  const days = { firstDay: "2026-12-01", lastDay: "", from: "", to: "" };
  test.each<[string, object, [string, string] | undefined]>([
    [
      "part of a day",
      { from: "13:00", to: "17:00" },
      ["2026-12-01T18:00:00.000Z", "2026-12-01T22:00:00.000Z"],
    ],
    ["from a time on", { from: "13:00" }, ["2026-12-01T18:00:00.000Z", "2026-12-02T04:59:59.999Z"]],
    [
      "until a time of another day",
      { lastDay: "2026-12-03", to: "12:00" },
      ["2026-12-01T05:00:00.000Z", "2026-12-03T17:00:00.000Z"],
    ],
    ["none that ends before it begins", { lastDay: "2026-11-30" }, undefined],
    ["none that ends as it begins", { from: "13:00", to: "13:00" }, undefined],
    ["none without a day", { firstDay: "" }, undefined],
    [
      "none at a time that a clock change leaves out",
      { firstDay: "2026-03-08", from: "02:30" },
      undefined,
    ],
  ])("%s", (_, given, expected) => {
    expect(timeOffSlot({ ...days, ...given }, newYork)).toEqual(
      expected && ({ startTime: expected[0], endTime: expected[1] } as never),
    );
  });
});

test("it is one session without a client", () => {
  const slot = {
    startTime: "2026-12-01T05:00:00.000Z",
    endTime: "2026-12-02T04:59:59.999Z",
  } as never;
  const given = {
    publicId: "apt_1",
    technicianId: "usr_tech",
    locationId: "loc_1",
    nonBillableCode: "nbc_1",
  };
  expect(timeOffLine({ ...given, slot })).toEqual({
    ...{ type: "session", title: "Time off", status: "CONFIRMED", placeOfService: "OTHER" },
    ...{ isSupervision: false, isClientPresent: false, isBillable: false, clientId: null },
    ...given,
    ...(slot as object),
  });
});

test("it hits what holds its slot and overlaps it, of whoever is present", () => {
  const span = {
    startTime: "2026-11-23T14:00:00.000Z",
    endTime: "2026-11-23T16:00:00.000Z",
  } as never;
  const sessions = [
    shownSession({ publicId: "apt_in" }),
    shownSession({ publicId: "apt_declined", status: "DECLINED" }),
    shownSession({
      publicId: "apt_before",
      startTime: "2026-11-23T13:00:00.000Z",
      endTime: "2026-11-23T14:00:00.000Z",
    }),
    shownSession({
      publicId: "apt_behind",
      startTime: "2026-11-23T16:00:00.000Z",
      endTime: "2026-11-23T17:00:00.000Z",
    }),
    shownSession({
      publicId: "apt_long",
      startTime: "2026-11-20T13:00:00.000Z",
      endTime: "2026-11-30T17:00:00.000Z",
    }),
    shownSession({ publicId: "apt_other", technicianId: "usr_other" }),
    shownSession({ publicId: "apt_supervised", isSupervision: true }),
  ];
  const ids = (personId: string) => hitBy(span, sessions, personId).map(({ publicId }) => publicId);
  expect(ids("usr_tech")).toEqual(["apt_in", "apt_long", "apt_supervised"]);
  expect(ids("usr_bcba")).toEqual(["apt_supervised"]);
});

test("sessions by slot, in order of their first ones; of one session its day", () => {
  const at = (publicId: string, startTime: string, endTime: string, given: object = {}) =>
    shownSession({ publicId, startTime, endTime, ...given });
  const sessions = [
    // An hour later in UTC, since the clock changed in between.
    at("apt_2", "2026-11-03T20:30:00.000Z", "2026-11-03T22:30:00.000Z"),
    at("apt_1", "2026-10-27T19:30:00.000Z", "2026-10-27T21:30:00.000Z"),
    at("apt_other_kid", "2026-11-03T20:30:00.000Z", "2026-11-03T22:30:00.000Z", {
      clientId: "usr_b",
    }),
    at("apt_monday", "2026-11-09T20:30:00.000Z", "2026-11-09T22:30:00.000Z"),
  ];
  const slots = slotsOf(sessions, newYork);
  expect(
    slots.map((slot) => [slotText(slot, newYork), slot.map(({ publicId }) => publicId)]),
  ).toEqual([
    ["Tuesdays 3:30 – 5:30 PM", ["apt_1", "apt_2"]],
    ["Tue, Nov 3, 3:30 – 5:30 PM", ["apt_other_kid"]],
    ["Mon, Nov 9, 3:30 – 5:30 PM", ["apt_monday"]],
  ]);
});

test("who leaves is replaced where they are: as the technician, else as the clinician", () => {
  const fields = ["usr_tech", "usr_bcba"].map((id) => fieldOf(shownSession(), id));
  expect(fields).toEqual(["technicianId", "clinicianId"]);
});
