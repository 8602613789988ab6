import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { alikeOf, toCome } from "../../../src/page/app/lib/session/alike.ts";
import type { Authorization } from "../../../src/page/app/lib/authorizations/authorizations.ts";
import type {
  CalendarDate,
  DateRange,
  Instant,
  TimeZone,
} from "../../../src/page/app/lib/base/dates.ts";
import {
  endedBefore,
  rebindingLines,
  sessionsIn,
  serviceTermsIn,
  takenOver,
  takingAlong,
} from "../../../src/page/app/lib/authorizations/rebinding.ts";
import { deletionOfAll } from "../../../src/page/app/lib/session/session-changes.ts";
import { fieldsBefore } from "../../../src/page/app/lib/session/session-record.ts";
import {
  changedAlong,
  changeOfAll,
  goingOn,
  movedAlong,
  moveOf,
  stayingTexts,
} from "../../../src/page/app/lib/session/together.ts";
import type { Encounter, Session } from "../../../src/page/app/lib/base/wire.ts";
import { shownSession } from "../../support/page/session.ts";
import { runs } from "../../support/runs.ts";
import { localAt, momentOf } from "../../support/lib/zoned.ts";

/** Sessions that belong together (docs/keeping-in-step.md), and what is done with all of them, against `Temporal`. */

const ZONES = ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Havana"];
const newYork = "America/New_York" as TimeZone;

/** On Tuesdays from 3:30 to 5:30 PM in New York. */
const session = (given: object): Session =>
  shownSession({
    ...{ publicId: "apt_0" },
    ...{ startTime: "2026-11-24T20:30:00.000Z", endTime: "2026-11-24T22:30:00.000Z" },
    ...given,
  });

const instantOf = (moment: number): Instant => new Date(moment).toISOString() as Instant;

/** The instants of a local day and times, the earlier of repeated ones; undefined where one of them is left out. */
function localSlot(day: Temporal.PlainDate, from: number, to: number, zone: string) {
  const at = (minutes: number): number | undefined => {
    const local = day.toPlainDateTime().add({ minutes });
    const moment = momentOf(local, zone);
    return localAt(moment, zone).equals(local) ? moment : undefined;
  };
  const [start, end] = [at(from), at(to)];
  return start && end && { startTime: instantOf(start), endTime: instantOf(end) };
}

const dayIn = (instant: string, zone: string): string =>
  localAt(instant, zone).toPlainDate().toString();

/** A year in which each zone changes its clocks. The first two weeks are always there. */
const slots = fc.record({
  zone: fc.constantFrom(...ZONES),
  first: fc
    .integer({ min: 0, max: 330 })
    .map((days) => Temporal.PlainDate.from("2026-01-01").add({ days })),
  from: fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
  length: fc.integer({ min: 0, max: 24 }).map((quarter) => quarter * 15),
  distance: fc.constantFrom(7, 14),
  weeks: fc.array(
    fc.record({
      kind: fc.constantFrom("same", "same", "same", "other", "declined", "moved", "none"),
      by: fc.integer({ min: -3, max: 3 }),
    }),
    { minLength: 0, maxLength: 28 },
  ),
  noise: fc.integer({ min: 1, max: 6 }),
});

type Slots = typeof slots extends fc.Arbitrary<infer Value> ? Value : never;

/** The sessions of a slot, one a week or every second one, beside those of other slots, and what each of them is. */
function sessionsOf({ zone, first, from, length, distance, weeks, noise }: Slots) {
  const kinds = new Map<string, { kind: string; day: string }>();
  const sessions: Session[] = [];
  const add = (kind: string, day: Temporal.PlainDate, [start, given]: [number, object]): void => {
    const slot = localSlot(day, start, start + length, zone);
    if (slot === undefined) return;
    const publicId = `apt_${sessions.length}`;
    kinds.set(publicId, { kind, day: day.toString() });
    sessions.push(session({ ...slot, publicId, ...given }));
  };
  const two = [
    { kind: "same", by: 0 },
    { kind: "same", by: 0 },
    { kind: "same", by: 0 },
  ];
  for (const [index, { kind, by }] of [...two, ...weeks].entries()) {
    const day = first.add({ days: index * distance });
    if (kind === "same") add(kind, day, [from, { locationId: `loc_${index}` }]);
    if (kind === "other") add(kind, day, [from, { technicianId: "usr_other" }]);
    if (kind === "declined") add(kind, day, [from, { status: "DECLINED" }]);
    // At a time that no other session has, on the same day or one near.
    if (kind === "moved") add(kind, day.add({ days: by }), [from + 1 + index, {}]);
    add("noise", day.add({ days: noise }), [from, {}]);
    add("noise", day, [from + length, { services: "svc_97155" }]);
    add("noise", day, [from, { clientId: "usr_other_kid" }]);
  }
  return { sessions, kinds };
}

const idsOf = (sessions: readonly Session[]): string[] => sessions.map(({ publicId }) => publicId);

describe("sessions are alike", () => {
  test("what has begun does not go along", () => {
    const begun = Temporal.Now.zonedDateTimeISO("UTC").subtract({ minutes: 1 });
    const at = (publicId: string, days: number, given: object = {}): Session =>
      session({
        ...{ publicId, startTime: instantOf(begun.add({ days }).epochMilliseconds) },
        ...{ endTime: instantOf(begun.add({ days }).epochMilliseconds + 3_600_000), ...given },
      });
    const other = { technicianId: "usr_other" };
    const all = alikeOf(
      at("apt_0", -21),
      [
        ...[at("apt_0", -21), at("apt_1", -14), at("apt_2", -7, other)],
        ...[at("apt_3", 0), at("apt_4", 7), at("apt_5", 14, other)],
      ],
      "UTC" as TimeZone,
    );
    expect([idsOf(all.same), idsOf(all.others)]).toEqual([
      ["apt_1", "apt_3", "apt_4"],
      ["apt_2", "apt_5"],
    ]);
    const alike = toCome(all);
    expect([idsOf(alike.same), idsOf(alike.others)]).toEqual([["apt_4"], ["apt_5"]]);
    expect(alike.days).toEqual(all.days);
  });

  test("only of one service or code, and as long, also over midnight", () => {
    const weekly = (given: object) => [
      session(given),
      session({
        ...{ publicId: "apt_1", startTime: "2026-12-01T20:30:00.000Z" },
        ...{ endTime: "2026-12-01T22:30:00.000Z", ...given },
      }),
    ];
    const found = ([open, next]: Session[], given: object) =>
      idsOf(alikeOf(open as Session, [open, { ...next, ...given }] as Session[], newYork).same);
    const meetings = weekly({ isBillable: false, nonBillableCode: "nbc_meeting" });
    expect(found(meetings, {})).toEqual(["apt_1"]);
    expect(found(meetings, { nonBillableCode: "nbc_lunch" })).toEqual([]);
    expect(found(weekly({}), { endTime: "2026-12-02T22:30:00.000Z" })).toEqual([]);
  });

  test("as they were booked, in every zone and over its clock changes", () => {
    let isFound = 0;
    fc.assert(
      fc.property(slots, (drawn) => {
        const { sessions, kinds } = sessionsOf(drawn);
        const [open] = sessions;
        fc.pre(open !== undefined && kinds.get(open.publicId)?.kind === "same");
        const behind = [...kinds].filter(([id]) => id !== open?.publicId);
        const ofKind = (...wanted: string[]) =>
          behind.filter(([, { kind }]) => wanted.includes(kind));
        const holding = ofKind("same", "other").map(([, { day }]) => day);
        const alike = alikeOf(open as Session, sessions, drawn.zone as TimeZone);
        expect(idsOf(alike.same)).toEqual(ofKind("same").map(([id]) => id));
        expect(idsOf(alike.others)).toEqual(ofKind("other").map(([id]) => id));
        const first = kinds.get(open?.publicId ?? "")?.day ?? "";
        expect<string>(alike.lastDay).toBe(holding.at(-1) ?? first);

        // The steps from one to the next, by Temporal.
        const days = [first, ...holding].map((day) => Temporal.PlainDate.from(day));
        const steps = days.slice(1).map((day, index) => days[index]?.until(day).days);
        const count = (step: number) => steps.filter((each) => each === step).length;
        const distance = count(14) > count(7) ? 14 : 7;
        expect(alike.distance).toBe(distance);
        const gaps: string[] = [];
        for (
          let day = Temporal.PlainDate.from(first).add({ days: distance });
          day.toString() < alike.lastDay;
          day = day.add({ days: distance })
        )
          if (!holding.includes(day.toString())) gaps.push(day.toString());
        expect<string[]>(alike.gaps.map(({ day }) => day)).toEqual(gaps);
        for (const { day, instead } of alike.gaps) {
          isFound += instead.length;
          const standIns = ofKind("declined", "moved").filter(([, { kind, day: its }]) => {
            const away = Math.abs(Temporal.PlainDate.from(day).until(its).days);
            return kind === "declined" ? away === 0 : away <= 3;
          });
          expect(idsOf(instead).toSorted()).toEqual(standIns.map(([id]) => id).toSorted());
        }
      }),
      { numRuns: runs(900) },
    );
    expect(isFound).toBeGreaterThan(100);
  });

  const weekly = (given: readonly object[]): Session[] =>
    given.map((each, week) =>
      session({
        publicId: `apt_${week}`,
        ...localSlot(
          Temporal.PlainDate.from("2026-11-24").add({ weeks: week }),
          930,
          1050,
          newYork,
        ),
        ...each,
      }),
    );
  const found = (given: readonly object[]) => {
    const sessions = weekly(given);
    const alike = alikeOf(sessions[0] as Session, sessions, newYork);
    return [idsOf(alike.same), idsOf(alike.others)];
  };

  test.each<[string, object, object, [boolean, boolean]]>([
    ["place and title may differ", {}, { placeOfService: "HOME", title: "Other" }, [true, false]],
    [
      "a request to cancel still holds the slot",
      {},
      { status: "REQUESTED_TO_CANCEL" },
      [true, false],
    ],
    ["one that was missed does not", {}, { status: "PATIENT_NO_SHOW" }, [false, false]],
    ["another technician is a substitute", {}, { technicianId: "usr_2" }, [false, true]],
    ["another clinician, too", {}, { clinicianId: "usr_2" }, [false, true]],
    ["another service", {}, { services: "svc_97155" }, [false, false]],
    [
      "one that is not billable",
      {},
      { isBillable: false, nonBillableCode: "svc_97153" },
      [false, false],
    ],
    ["another client", {}, { clientId: "usr_2" }, [false, false]],
    [
      "without a client: the same technician",
      { clientId: null },
      { clientId: null, clinicianId: "usr_2" },
      [false, true],
    ],
    [
      "without a client: another technician",
      { clientId: null },
      { clientId: null, technicianId: "usr_2" },
      [false, false],
    ],
    [
      "without client and technician: the same clinician",
      { clientId: null, technicianId: null },
      { clientId: null, technicianId: null },
      [true, false],
    ],
    [
      "with nobody: none",
      { clientId: null, technicianId: null, clinicianId: null },
      { clientId: null, technicianId: null, clinicianId: null },
      [false, false],
    ],
    ["shortened", {}, { endTime: "2026-12-01T22:15:00.000Z" }, [false, false]],
  ])("%s", (_, open, other, [isSame, isOther]) => {
    expect(found([open, other])).toEqual([isSame ? ["apt_1"] : [], isOther ? ["apt_1"] : []]);
  });

  test("up to 366 days behind, and nothing before", () => {
    const sessions = weekly(Array.from({ length: 60 }, () => ({})));
    const alike = alikeOf(sessions[1] as Session, sessions, newYork);
    expect(idsOf(alike.same)).toEqual(idsOf(sessions.slice(2, 54)));
  });

  test("a child's other slots of the same service stand for no gap", () => {
    const tuesdays = weekly([{}, {}, { status: "DECLINED" }, {}]);
    const wednesdays = tuesdays.map((_, week) =>
      session({
        publicId: `apt_wed_${week}`,
        ...localSlot(
          Temporal.PlainDate.from("2026-11-25").add({ weeks: week }),
          930,
          1050,
          newYork,
        ),
      }),
    );
    const alike = alikeOf(tuesdays[0] as Session, [...tuesdays, ...wednesdays], newYork);
    expect(alike.gaps).toEqual([
      { day: "2026-12-08" as CalendarDate, instead: [tuesdays[2] as Session] },
    ]);
  });
});

describe("a change of one is for others", () => {
  test("moved by the same days to the same local time; a left-out time stays; undo gives back every field", () => {
    let stayed = 0;
    fc.assert(
      fc.property(
        slots,
        fc.integer({ min: -7, max: 7 }),
        // Often at night, when clocks change.
        fc.oneof(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 0, max: 12 })),
        fc.integer({ min: 0, max: 40 }),
        (drawn, days, quarter, quarters) => {
          const { sessions } = sessionsOf(drawn);
          const zone = drawn.zone as TimeZone;
          const [open] = sessions;
          fc.pre(open !== undefined);
          const [from, to] = [quarter * 15, (quarter + quarters) * 15];
          const wanted = (one: Session) =>
            localSlot(localAt(one.startTime, zone).toPlainDate().add({ days }), from, to, zone);
          const slot = wanted(open as Session);
          fc.pre(slot !== undefined);
          const change = { ...slot, technicianId: "usr_next" } as Partial<Session>;
          const { along, staying } = changedAlong(open as Session, change, sessions, zone);
          stayed += staying.length;
          expect(staying).toEqual(sessions.filter((one) => wanted(one) === undefined));
          const all = along.map((each) => ({ ...each.session, ...each.change }) as Session);
          expect(all).toEqual(
            sessions
              .filter((one) => wanted(one) !== undefined)
              .map((one) => ({ ...one, ...wanted(one), technicianId: "usr_next" }) as Session),
          );
          for (const each of along) {
            const changed = { ...each.session, ...each.change };
            const { type, ...before } = fieldsBefore(each.session, each.change);
            expect({ ...changed, ...before } as Session).toEqual(each.session);
            expect(type).toBe("session");
          }
        },
      ),
      { numRuns: runs(1_500) },
    );
    expect(stayed).toBeGreaterThan(3);
  });

  test("an end alone is that of all, on each one's own day", () => {
    const sessions = ["2026-10-27", "2026-11-03"].map((day, index) =>
      session({
        publicId: `apt_${index}`,
        ...localSlot(Temporal.PlainDate.from(day), 930, 1050, newYork),
      }),
    );
    const change = { endTime: "2026-10-27T21:00:00.000Z" } as Partial<Session>;
    const { along } = changedAlong(sessions[0] as Session, change, sessions, newYork);
    // An hour later in UTC, since the clock changed in between.
    expect<object[]>(along.map((each) => each.change)).toEqual([
      { endTime: "2026-10-27T21:00:00.000Z" },
      { endTime: "2026-11-03T22:00:00.000Z" },
    ]);
  });

  test("without a time, the time of none changes", () => {
    const sessions = ["usr_tech", "usr_2", "usr_3"].map((technicianId) =>
      session({ technicianId }),
    );
    const change = { technicianId: "usr_3" };
    const { along } = changedAlong(sessions[0] as Session, change, sessions, newYork);
    // Who has it already is not changed.
    expect(along).toEqual(sessions.slice(0, 2).map((each) => ({ session: each, change })));
  });

  test.each<[string, string, number, number, [string, string] | undefined]>([
    [
      "in summer",
      "2026-07-07",
      930,
      1050,
      ["2026-07-07T19:30:00.000Z", "2026-07-07T21:30:00.000Z"],
    ],
    [
      "in winter",
      "2026-12-01",
      930,
      1050,
      ["2026-12-01T20:30:00.000Z", "2026-12-01T22:30:00.000Z"],
    ],
    ["a left-out start", "2026-03-08", 150, 240, undefined],
    ["a left-out end", "2026-03-08", 60, 150, undefined],
    ["over it", "2026-03-08", 60, 180, ["2026-03-08T06:00:00.000Z", "2026-03-08T07:00:00.000Z"]],
    [
      "a repeated time: the earlier",
      "2026-11-01",
      90,
      150,
      ["2026-11-01T05:30:00.000Z", "2026-11-01T07:30:00.000Z"],
    ],
    [
      "over midnight",
      "2026-11-30",
      1380,
      1470,
      ["2026-12-01T04:00:00.000Z", "2026-12-01T05:30:00.000Z"],
    ],
  ])("by hand, %s", (_, day, from, to, expected) => {
    const slot = { startTime: `${day}T17:00:00.000Z`, endTime: `${day}T18:00:00.000Z` };
    expect(movedAlong(slot as never, { days: 0, from, to }, newYork)).toEqual(
      expected && ({ startTime: expected[0], endTime: expected[1] } as never),
    );
  });
});

describe("what stays as it is", () => {
  const name = (id: string): string => ({ usr_2: "Bo Lind", usr_bcba: "Iris Cole" })[id] ?? id;
  const on = (day: string, given: object = {}): Session =>
    session({
      ...localSlot(Temporal.PlainDate.from(day), 930, 1050, newYork),
      ...{ publicId: `apt_${day}`, ...given },
    });

  test("is said by day: other people, days without one, times that a clock change leaves out", () => {
    const texts = stayingTexts(
      {
        others: [
          on("2026-12-15", { technicianId: "usr_2" }),
          on("2027-01-05", { technicianId: null, clinicianId: null }),
        ],
        gaps: [
          {
            day: "2026-12-01" as CalendarDate,
            instead: [on("2026-12-01", { status: "DECLINED" })],
          },
          { day: "2026-12-22" as CalendarDate, instead: [on("2026-12-23")] },
          { day: "2026-12-29" as CalendarDate, instead: [] },
        ],
        leftOut: [],
      },
      name,
      newYork,
    );
    expect(texts).toEqual([
      "Tue, Dec 1: cancelled",
      "Tue, Dec 15: with Bo Lind and Iris Cole",
      "Tue, Dec 22: Wed, Dec 23, 3:30 – 5:30 PM instead",
      "Tue, Dec 29: none",
      "Tue, Jan 5: with nobody",
    ]);
  });

  test("the first five, and how many more", () => {
    const leftOut = ["01", "02", "03", "04", "05", "06", "07"].map((day) => on(`2026-12-${day}`));
    const texts = stayingTexts(
      { others: [], gaps: [], leftOut: leftOut.toReversed() },
      name,
      newYork,
    );
    expect(texts).toEqual([
      ...["Tue, Dec 1", "Wed, Dec 2", "Thu, Dec 3", "Fri, Dec 4", "Sat, Dec 5"].map(
        (day) => `${day}: a clock change leaves this time out`,
      ),
      "and 2 more",
    ]);
  });
});

test("a change of all, and a deletion of all, are one file, and its undo the fields of before", () => {
  const sessions = ["apt_0", "apt_1"].map((publicId) => session({ publicId }));
  const along = sessions.map((one) => ({ session: one, change: { status: "DECLINED" as const } }));
  expect(changeOfAll(along, "2 sessions are now: Cancelled.")).toEqual({
    ...{ done: "2 sessions are now: Cancelled.", sessions },
    lines: sessions.map(({ publicId }) => ({ type: "session", publicId, status: "DECLINED" })),
    undo: sessions.map(({ publicId }) => ({ type: "session", publicId, status: "CONFIRMED" })),
  });
  const records = sessions.map((one) => ({ type: "session", ...one, authorizationId: "auth_1" }));
  expect(deletionOfAll(sessions, records)).toEqual({
    ...{ done: "2 sessions were deleted.", sessions },
    lines: sessions.map(({ publicId }) => ({ type: "session", publicId, deleted: true })),
    undo: records,
  });
});

const term = (publicId: string, startDate: string, endDate: string, service = "svc_97153") =>
  ({
    ...{ publicId, startDate, endDate },
    serviceLine: { publicId: service, name: service },
  }) as Authorization;

describe("a slot goes on", () => {
  test("behind its last session, in its distance, bound to what is in force on each day", () => {
    const authorizations = [
      term("auth_old", "2026-01-01", "2026-08-31"),
      term("auth_new", "2026-09-10", "2027-06-30"),
      term("auth_other", "2026-01-01", "2027-12-31", "svc_97155"),
    ];
    fc.assert(
      fc.property(slots, fc.integer({ min: 0, max: 500 }), (drawn, more) => {
        const { sessions, kinds } = sessionsOf(drawn);
        const zone = drawn.zone as TimeZone;
        const [open] = sessions;
        fc.pre(open !== undefined && kinds.get(open.publicId)?.kind === "same");
        const alike = alikeOf(open as Session, sessions, zone);
        const last = Temporal.PlainDate.from(alike.lastDay);
        const until = last.add({ days: more }).toString() as CalendarDate;
        const {
          next,
          without: lacking,
          leftOut,
        } = goingOn(open as Session, alike, until, { zone, authorizations });
        const move = moveOf(open as Session, open as Session, zone);
        const declined = [...kinds.values()].filter(({ kind }) => kind === "declined");
        const expected: unknown[] = [];
        const without: string[] = [];
        for (
          let day = last.add({ days: alike.distance });
          day.toString() <= until && expected.length < 60;
          day = day.add({ days: alike.distance })
        ) {
          const text = day.toString();
          const slot = localSlot(day, move.from, move.to, zone);
          if (slot === undefined || declined.some((one) => one.day === text)) without.push(text);
          else
            expected.push([
              { day: text, ...slot },
              text <= "2026-08-31"
                ? "auth_old"
                : text < "2026-09-10" || text > "2027-06-30"
                  ? undefined
                  : "auth_new",
            ]);
        }
        expect<unknown>(
          next.map(({ authorization, ...rest }) => [rest, authorization?.publicId]),
        ).toEqual(expected);
        expect<string[]>(leftOut).toEqual(without);
        expect(lacking).toEqual(next.filter(({ authorization }) => authorization === undefined));
      }),
      { numRuns: runs(300) },
    );
  });

  test("of two authorizations that are in force, to the one that ends last; of what is not billable, to none", () => {
    const authorizations = [
      term("auth_long", "2026-01-01", "2027-06-30"),
      term("auth_short", "2026-01-01", "2026-12-31"),
    ];
    const next = (given: object) => {
      const open = session(given);
      const alike = alikeOf(open, [open], newYork);
      const found = goingOn(open, alike, "2026-12-01" as CalendarDate, {
        zone: newYork,
        authorizations,
      });
      // What is not billable needs none.
      expect(found.without).toEqual([]);
      return found.next.map(({ authorization }) => authorization?.publicId);
    };
    expect(next({})).toEqual(["auth_long"]);
    expect(next({ isBillable: false, nonBillableCode: "svc_97153" })).toEqual([undefined]);
    // Nor does what has no client.
    expect(next({ clientId: null, services: "svc_other" })).toEqual([undefined]);
  });
});

test("of what holds no slot, a renewal takes over what is documented, by whom may move encounters", () => {
  const sessions = [
    session({ publicId: "apt_open" }),
    session({ publicId: "apt_declined", status: "DECLINED" }),
    session({ publicId: "apt_delivered", status: "DECLINED" }),
  ];
  const encounters = [{ publicId: "enc_1", sessionId: "apt_delivered" }] as Encounter[];
  const own = { publicId: "auth_1", serviceLine: "svc_97153" };
  const ending = { ...own, sessions, encounters, endDate: "2026-10-31" as CalendarDate };
  const dates = { startDate: "2026-11-01", endDate: "2026-11-30" } as DateRange;
  const taken = (withDocumented: boolean) => {
    const options = { zone: newYork, withDocumented };
    const found = takenOver([ending], [{ ...own, ...dates, publicId: "auth_2" }], options);
    return [idsOf(sessionsIn(found.moving)), idsOf(found.staying)];
  };
  expect(taken(true)).toEqual([["apt_open", "apt_delivered"], []]);
  expect(taken(false)).toEqual([["apt_open"], ["apt_delivered"]]);
});

test("what is made takes sessions along in one change, whose undo puts them back before it removes that", () => {
  const made = [{ type: "authorization", publicId: "auth_2", authorizationNumber: "A-2" }];
  const moving = [
    { session: session({}), from: "auth_1", to: "auth_2", encounters: [] },
    { session: undefined, from: "auth_1", to: "auth_2", encounters: [{ publicId: "enc_1" }] },
  ] as never;
  const boundTo = (authorizationId: string) => [
    { type: "session", publicId: "apt_0", authorizationId },
    { type: "encounter", publicId: "enc_1", authorizationId },
  ];
  const removal = { type: "authorization", publicId: "auth_2", deleted: true };
  expect<unknown>(takingAlong("Added.", made, moving)).toEqual({
    done: "Added. 1 session moved to it.",
    sessions: [session({})],
    lines: [...made, ...boundTo("auth_2")],
    undo: [...boundTo("auth_1"), removal],
  });
  expect<unknown>(takingAlong("Added.", made, [])).toEqual({
    ...{ done: "Added.", sessions: [], lines: made, undo: [removal] },
  });
  const another = { ...made[0], type: "authorization", publicId: "auth_3" };
  const pool = { type: "authorizationPool", publicId: "apool_1" };
  expect(takingAlong("Added.", [...made, another], moving).done).toBe(
    "Added. 1 session moved to them.",
  );
  expect(takingAlong("Added.", [pool, ...made], moving).done).toBe("Added. 1 session moved to it.");
});

test("a form's authorization takes sessions over once it has both dates", () => {
  const line = {
    ...{ type: "authorization", publicId: "auth_2", serviceLineId: "svc_97153" },
    authorizationDate: "2026-11-01",
  };
  expect(serviceTermsIn([line])).toEqual([]);
  const whole = { ...line, authorizationExpirationDate: "2026-11-30" };
  const pool = { type: "authorizationPool", publicId: "apool_1" };
  expect<unknown>(serviceTermsIn([pool, whole])).toEqual([
    {
      ...{ publicId: "auth_2", serviceLine: "svc_97153" },
      ...{ startDate: "2026-11-01", endDate: "2026-11-30" },
    },
  ]);
  expect(serviceTermsIn([{ ...whole, authorizationDate: undefined }])).toEqual([]);
});

test("an authorization takes over from those of its service that end before it", () => {
  const term = (publicId: string, endDate: string, serviceLine = "svc_97153") =>
    ({ publicId, serviceLine, startDate: "2026-01-01", endDate }) as never;
  const all = [
    ...[term("auth_1", "2026-10-30"), term("auth_2", "2026-10-31"), term("auth_3", "2026-11-01")],
    term("auth_other", "2026-10-30", "svc_97155"),
  ];
  const { successor, ended } = endedBefore(all, "auth_2");
  expect<unknown>([successor, ended]).toEqual([all[1], [all[0]]]);
  expect<unknown>(endedBefore(all, "auth_gone")).toEqual({ successor: undefined, ended: [] });
});

test("an encounter without a session goes behind the end alone, and with who may move it", () => {
  const own = { publicId: "auth_1", serviceLine: "svc_97153" };
  const encounters = ["2026-10-31", "2026-11-01"].map((day) => ({
    ...{ publicId: `enc_${day}`, sessionId: null, startTime: `${day}T14:00:00.000Z` },
  })) as Encounter[];
  const ending = { ...own, sessions: [], encounters, endDate: "2026-10-31" as CalendarDate };
  // The next one begins before the other ends.
  const dates = { startDate: "2026-10-01", endDate: "2026-11-30" } as DateRange;
  const taken = (withDocumented: boolean) =>
    takenOver([ending], [{ ...own, ...dates, publicId: "auth_2" }], {
      ...{ zone: newYork, withDocumented },
    }).moving.flatMap((each) => each.encounters.map(({ publicId }) => publicId));
  expect([taken(true), taken(false)]).toEqual([["enc_2026-11-01"], []]);
});

test("a renewal takes over the sessions of its days, with the encounters that name them", () => {
  const days = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), days, days, (zone, starts, delivered) => {
      const first = Temporal.PlainDate.from("2026-10-20");
      const sessions = starts.map((day, index) =>
        session({
          publicId: `apt_${index}`,
          ...localSlot(first.add({ days: day }), 1435, 1500, zone),
        }),
      );
      const encounters = delivered.map((index, number) => ({
        ...{ publicId: `enc_${number}`, authorizationId: "auth_1", units: 8 },
        ...{ sessionId: index < 20 ? `apt_${index}` : null, startTime: "2026-11-01T14:00:00.000Z" },
      })) as Encounter[];
      const ending = {
        ...{ publicId: "auth_1", serviceLine: "svc_97153", sessions, encounters },
        endDate: "2026-10-20" as CalendarDate,
      };
      const own = { publicId: "auth_2", serviceLine: "svc_97153" };
      const dates = { startDate: "2026-11-01", endDate: "2026-11-20" } as DateRange;
      // Another service takes nothing over.
      const successors = [
        { ...own, ...dates, publicId: "auth_3", serviceLine: "svc_97155" },
        { ...own, ...dates },
      ];
      const { moving, staying } = takenOver([ending], successors, {
        ...{ zone: zone as TimeZone, withDocumented: true },
      });
      const isTaken = ({ startTime }: Session): boolean => {
        const day = dayIn(startTime, zone);
        return "2026-11-01" <= day && day <= "2026-11-20";
      };
      expect(idsOf(staying)).toEqual(idsOf(sessions.filter((one) => !isTaken(one))));
      expect(idsOf(sessionsIn(moving))).toEqual(idsOf(sessions.filter(isTaken)));
      const { lines, undo } = rebindingLines(moving);
      const stored = new Map<string, unknown>([
        ...sessions.map(({ publicId }) => [publicId, "auth_1"] as const),
        ...encounters.map(({ publicId }) => [publicId, "auth_1"] as const),
      ]);
      const before = new Map(stored);
      for (const { publicId, authorizationId } of lines) stored.set(publicId, authorizationId);
      for (const { publicId, sessionId, authorizationId } of encounters)
        if (sessionId !== null && stored.has(sessionId))
          // An encounter has the authorization of its session.
          expect(stored.get(publicId)).toEqual(stored.get(sessionId));
        // One without a session has that of its day, here the first one's; one of an earlier session stays.
        else
          expect<unknown>(stored.get(publicId)).toBe(
            sessionId === null ? "auth_2" : authorizationId,
          );
      for (const { publicId, authorizationId } of undo) stored.set(publicId, authorizationId);
      expect(stored).toEqual(before);
    }),
    { numRuns: runs(200) },
  );
});
