import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TimeZone } from "../../../src/page/app/lib/base/dates.ts";
import {
  fieldOf,
  freeStaff,
  remarkOn,
  type StaffFieldName,
} from "../../../src/page/app/lib/session/free.ts";
import type { Patient } from "../../../src/page/app/lib/authorizations/authorizations.ts";
import type { Session, User } from "../../../src/page/app/lib/base/wire.ts";
import { shownSession } from "../../support/page/session.ts";
import { runs } from "../../support/runs.ts";

/** Who could take a session over, or the sessions of a slot. */

const person = (publicId: string, given: object = {}): User =>
  ({ publicId, role: "TECHNICIAN", lastName: publicId, credentials: [], ...given }) as never;
const zone = "America/New_York" as TimeZone;
const nobody = {
  ...{ sessions: [], earlier: [], patient: undefined, zone },
  field: "technicianId" as StaffFieldName,
  isGroupService: (id: string) => id === "svc_group",
};
const idsOf = (found: ReturnType<typeof freeStaff>) => found.map((each) => each.person.publicId);

test("whoever delivers it is the technician, else the clinician; of a supervision the clinician", () => {
  const fields = [
    {},
    { technicianId: null },
    { isSupervision: true },
    { isSupervision: true, clinicianId: null },
    { technicianId: null, clinicianId: null },
    { isBillable: false, technicianId: null },
  ].map((given) => fieldOf(shownSession(given)));
  expect(fields).toEqual([
    ...["technicianId", "clinicianId", "clinicianId", "technicianId", "technicianId"],
    "technicianId",
  ] as typeof fields);
  const supervision = shownSession({ isSupervision: true });
  const people = ["usr_tech", "usr_bcba"];
  expect(people.map((id) => fieldOf(supervision, id))).toEqual(["technicianId", "clinicianId"]);
});

test("only the role that delivers it is offered, and nobody who is present already", () => {
  const staff = [
    ...[person("usr_tech"), person("usr_other")],
    ...[person("usr_bcba", { role: "CLINICIAN" }), person("usr_admin", { role: "CLINICAL_ADMIN" })],
  ];
  expect(idsOf(freeStaff([shownSession()], staff, nobody))).toEqual(["usr_other"]);
  const supervision = shownSession({ isSupervision: true });
  expect(idsOf(freeStaff([supervision], staff, { ...nobody, field: "clinicianId" }))).toEqual([
    "usr_admin",
  ]);
});

test("whoever holds a group is free for a session of the same group, and for no other", () => {
  const group = { technicianId: "usr_other", services: "svc_group" };
  const held = shownSession({ publicId: "apt_held", clientId: "usr_second", ...group });
  const free = (given: object) =>
    idsOf(freeStaff([shownSession(given)], [person("usr_other")], { ...nobody, sessions: [held] }));
  expect(free({ services: "svc_group" })).toEqual(["usr_other"]);
  expect(free({ services: "svc_group", locationId: "loc_elsewhere" })).toEqual([]);
  expect(free({})).toEqual([]);
});

test("who is at a supervision as its technician does not also supervise it", () => {
  const staff = ["usr_tech", "usr_other"].map((id) => person(id, { role: "CLINICIAN" }));
  const supervision = shownSession({ isSupervision: true, technicianId: "usr_tech" });
  const found = freeStaff([supervision], staff, { ...nobody, field: "clinicianId" });
  expect(idsOf(found)).toEqual(["usr_other"]);
});

test("a clinician who only plans it is present at none of it, and does not replace themselves", () => {
  const staff = ["usr_bcba", "usr_other"].map((id) => person(id, { role: "CLINICIAN" }));
  const found = freeStaff([shownSession()], staff, { ...nobody, field: "clinicianId" });
  expect(idsOf(found)).toEqual(["usr_other"]);
});

const HOURS = fc.integer({ min: 0, max: 30 });
const at = (hour: number) => new Date(Date.UTC(2026, 10, 23, hour)).toISOString();
const STATUSES = [
  ...["CONFIRMED", "UNCONFIRMED", "REQUESTED_TO_CANCEL", "DECLINED", "PATIENT_NO_SHOW"],
];
const IDS = ["usr_a", "usr_b", "usr_c"];

test("nobody is offered who is present at another session that holds its slot then", () => {
  const other = fc
    .record({
      ...{ from: HOURS, length: fc.integer({ min: 1, max: 30 }) },
      ...{ status: fc.constantFrom(...STATUSES), technicianId: fc.constantFrom(...IDS, null) },
      ...{ clinicianId: fc.constantFrom(...IDS, null), isSupervision: fc.boolean() },
    })
    .map(({ from, length, ...given }) =>
      shownSession({
        ...given,
        publicId: "apt_2",
        startTime: at(from),
        endTime: at(from + length),
      }),
    );
  fc.assert(
    fc.property(
      ...[HOURS, fc.integer({ min: 1, max: 8 }), fc.array(other, { maxLength: 6 })],
      (from, length, sessions) => {
        const [start, end] = [from, from + length];
        const open = shownSession({ startTime: at(start), endTime: at(end) });
        const free = idsOf(
          freeStaff(
            [open],
            IDS.map((id) => person(id)),
            { ...nobody, sessions },
          ),
        );
        // Hour by hour, as somebody would look at a calendar; who delivers, and at a supervision the technician too.
        const isBusy = (id: string): boolean =>
          sessions.some((each) => {
            const { status, isSupervision, technicianId, clinicianId } = each as Extract<
              Session,
              { isBillable: true }
            >;
            const deliverer = isSupervision
              ? (clinicianId ?? technicianId)
              : (technicianId ?? clinicianId);
            const present = isSupervision ? [deliverer, technicianId] : [deliverer];
            if (["DECLINED", "PATIENT_NO_SHOW"].includes(status) || !present.includes(id))
              return false;
            return Array.from({ length }, (_, hour) => at(start + hour)).some(
              (hour) => each.startTime <= hour && hour < each.endTime,
            );
          });
        expect(free).toEqual(IDS.filter((id) => !isBusy(id)));
      },
    ),
    { numRuns: runs(300) },
  );
});

test("the session itself, and one that begins as it ends, keep nobody", () => {
  const open = shownSession();
  const next = shownSession({
    ...{ publicId: "apt_2", technicianId: "usr_a" },
    ...{ startTime: open.endTime, endTime: "2026-11-23T18:00:00.000Z" },
  });
  const sessions = [{ ...open, technicianId: "usr_a" } as Session, next];
  expect(idsOf(freeStaff([open], [person("usr_a")], { ...nobody, sessions }))).toEqual(["usr_a"]);
});

test("the patient's team comes first, then who has been with them, then by last name", () => {
  const team = person("usr_team", { careTeamLeadIds: ["usr_nobody", "usr_lead"] });
  const staff = [
    ...[person("usr_z", { lastName: "Abel" }), person("usr_y", { lastName: "Baker" })],
    ...[person("usr_met"), person("usr_declined"), team, person("usr_own")],
  ];
  const patient = { clinicianIds: ["usr_lead", "usr_own"] } as Patient;
  const earlier = [
    shownSession({ technicianId: "usr_met" }),
    shownSession({ technicianId: "usr_declined", status: "DECLINED" }),
  ];
  const found = freeStaff([shownSession()], staff, { ...nobody, earlier, patient });
  expect(found.map(({ person: { publicId }, isOfTeam, met }) => [publicId, isOfTeam, met])).toEqual(
    [
      ["usr_own", true, 0],
      ["usr_team", true, 0],
      ["usr_met", false, 1],
      ["usr_z", false, 0],
      ["usr_y", false, 0],
      ["usr_declined", false, 0],
    ],
  );
});

test("who has no credential that is valid then comes last; a session that is not billed needs none", () => {
  const ending = (expiresAt: string) => ({ credentials: [{ expiresAt }] });
  const staff = [
    person("usr_ended", ending("2026-11-23T14:00:00.000Z")),
    person("usr_valid", ending("2026-11-23T14:00:00.001Z")),
    person("usr_none"),
    person("usr_both", {
      credentials: [
        { expiresAt: "2020-01-01T00:00:00.000Z" },
        { expiresAt: "2030-01-01T00:00:00.000Z" },
      ],
    }),
  ];
  const marked = (session: Session) =>
    freeStaff([session], staff, nobody).map((each) => [each.person.publicId, each.hasNoCredential]);
  expect(marked(shownSession())).toEqual([
    ["usr_both", false],
    ["usr_none", false],
    ["usr_valid", false],
    ["usr_ended", true],
  ]);
  expect(
    marked(shownSession({ isBillable: false })).every(([, isMarked]) => isMarked === false),
  ).toBe(true);
});

const session = (publicId: string, from: string, to: string, given: object = {}): Session =>
  shownSession({
    ...{ publicId, technicianId: "usr_own", clinicianId: null },
    ...{ startTime: `2026-${from}:00.000Z`, endTime: `2026-${to}:00.000Z`, ...given },
  });
const slot = [
  session("apt_1", "11-24T20:30", "11-24T22:30"),
  session("apt_2", "12-01T20:30", "12-01T22:30"),
] as const;
test("first who is free for all, of these the team, then who has met the patient; ended credentials last", () => {
  const ended = { credentials: [{ expiresAt: "2026-11-30T00:00:00.000Z" }] };
  const staff = [
    person("usr_ended", { lastName: "A", ...ended }),
    person("usr_partly", { lastName: "B" }),
    person("usr_stranger_b", { lastName: "D" }),
    person("usr_stranger_a", { lastName: "C" }),
    person("usr_met", { lastName: "E" }),
    person("usr_team", { lastName: "F", careTeamLeadIds: ["usr_lead"] }),
    person("usr_never", { lastName: "G" }),
  ];
  const busy = (publicId: string, technicianId: string, day: string) =>
    session(publicId, `${day}T20:00`, `${day}T21:00`, { technicianId });
  const free = freeStaff(slot, staff, {
    ...nobody,
    sessions: [
      ...slot,
      busy("apt_b1", "usr_partly", "12-01"),
      busy("apt_b2", "usr_never", "12-01"),
      busy("apt_b3", "usr_never", "11-24"),
      session("apt_b4", "11-24T15:00", "11-24T16:00", { technicianId: "usr_met" }),
    ],
    earlier: [
      session("apt_e1", "10-01T20:30", "10-01T22:30", { technicianId: "usr_met" }),
      session("apt_e2", "10-08T20:30", "10-08T22:30", { technicianId: "usr_met" }),
      session("apt_e3", "10-15T20:30", "10-15T22:30", {
        technicianId: "usr_met",
        status: "DECLINED",
      }),
    ],
    patient: { clinicianIds: ["usr_lead"], primaryClinicianId: null } as never,
    field: "technicianId",
    zone,
  });
  const ids = (sessions: readonly Session[]) => sessions.map(({ publicId }) => publicId);
  expect(
    free.map(({ person, free: taken, busy: not, met, isOfTeam, hasNoCredential, thatDay }) => [
      person.publicId,
      ...[ids(taken), ids(not), met, isOfTeam, hasNoCredential, ids(thatDay)],
    ]),
  ).toEqual([
    ["usr_team", ["apt_1", "apt_2"], [], 0, true, false, []],
    ["usr_met", ["apt_1", "apt_2"], [], 2, false, false, ["apt_b4"]],
    ["usr_stranger_a", ["apt_1", "apt_2"], [], 0, false, false, []],
    ["usr_stranger_b", ["apt_1", "apt_2"], [], 0, false, false, []],
    ["usr_partly", ["apt_1"], ["apt_2"], 0, false, false, []],
    ["usr_ended", ["apt_1", "apt_2"], [], 0, false, true, []],
  ]);
});

test("as in a comparison of every session with every other", () => {
  const quarterAt = (quarter: number): string =>
    new Date(Date.UTC(2026, 10, 24, 8) + quarter * 900_000).toISOString().slice(5, 16);
  const drawn = fc.record({
    ...{ start: fc.integer({ min: 0, max: 40 }), length: fc.integer({ min: 1, max: 8 }) },
    technicianId: fc.constantFrom("usr_1", "usr_2", "usr_3"),
    status: fc.constantFrom("CONFIRMED", "PATIENT_NO_SHOW", "UNCONFIRMED"),
  });
  fc.assert(
    fc.property(
      fc.array(drawn, { minLength: 1, maxLength: 4 }),
      fc.array(drawn, { maxLength: 12 }),
      (wanted, booked) => {
        const make = (prefix: string) => (one: (typeof wanted)[number], index: number) =>
          session(`${prefix}_${index}`, quarterAt(one.start), quarterAt(one.start + one.length), {
            ...{ technicianId: one.technicianId, status: one.status },
          });
        const sessions = wanted.map(make("apt"));
        const others = booked.map(make("other"));
        const staff = ["usr_1", "usr_2", "usr_3"].map((id) => person(id));
        const free = freeStaff(sessions as [Session], staff, { ...nobody, sessions: others });
        const expected = staff
          .filter(({ publicId }) => publicId !== sessions[0]?.technicianId)
          .map(({ publicId }) => [
            publicId,
            sessions
              .filter((one) =>
                others.every(
                  (other) =>
                    other.technicianId !== publicId ||
                    other.status === "PATIENT_NO_SHOW" ||
                    other.endTime <= one.startTime ||
                    one.endTime <= other.startTime,
                ),
              )
              .map((one) => one.publicId),
          ])
          .filter(([, ids]) => ids?.length !== 0);
        expect(
          free
            .map(({ person, free: taken }) => [person.publicId, taken.map((one) => one.publicId)])
            .toSorted(),
        ).toEqual(expected.toSorted());
      },
    ),
  );
});

const sessionOn = (day: string) =>
  shownSession({ startTime: `${day}T14:00:00.000Z`, endTime: `${day}T16:00:00.000Z` });
const [first, second] = [sessionOn("2026-12-01"), sessionOn("2026-12-08")];

test.each([
  [{}, "nothing else that day"],
  [{ free: [first, second] }, "free for all 2; nothing else that day"],
  [{ busy: [second] }, "for 1 of 2, not Tue, Dec 8; nothing else that day"],
  [
    { isOfTeam: true, met: 12 },
    "patient’s team; 12 sessions with Leo in 90 days; nothing else that day",
  ],
  [{ thatDay: [first] }, "that day 9:00 – 11:00 AM"],
  [{ hasNoCredential: true }, "nothing else that day; credentials ended"],
])("of somebody with %p is said: %p", (given, text) => {
  const candidate = {
    ...{ person: person("usr_other"), isOfTeam: false, met: 0, hasNoCredential: false },
    ...{ free: [first], busy: [], thatDay: [] },
  };
  expect(remarkOn({ ...candidate, ...given }, "Leo", zone)).toBe(text);
});
