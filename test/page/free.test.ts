import { expect, test } from "bun:test";
import fc from "fast-check";
import { delivererField, freeStaff } from "../../src/page/app/lib/free.ts";
import type { Patient } from "../../src/page/app/lib/authorizations.ts";
import type { Session, User } from "../../src/page/app/lib/wire.ts";
import { shownSession } from "../support/page/session.ts";
import { runs } from "../support/runs.ts";

/** Who could take a session over. */

const person = (publicId: string, given: object = {}): User =>
  ({ publicId, role: "TECHNICIAN", lastName: publicId, credentials: [], ...given }) as never;
const nobody = { sessions: [], earlier: [], patient: undefined };
const idsOf = (found: ReturnType<typeof freeStaff>) => found.map((each) => each.person.publicId);

test("whoever delivers it is the technician, else the clinician; of a supervision the clinician", () => {
  const fields = [
    {},
    { technicianId: null },
    { isSupervision: true },
    { isSupervision: true, clinicianId: null },
    { technicianId: null, clinicianId: null },
    { isBillable: false, technicianId: null },
  ].map((given) => delivererField(shownSession(given)));
  expect(fields).toEqual([
    ...["technicianId", "clinicianId", "clinicianId", "technicianId", "technicianId"],
    "technicianId",
  ] as typeof fields);
});

test("only the role that delivers it is offered, and nobody who is present already", () => {
  const staff = [
    ...[person("usr_tech"), person("usr_other")],
    ...[person("usr_bcba", { role: "CLINICIAN" }), person("usr_admin", { role: "CLINICAL_ADMIN" })],
  ];
  expect(idsOf(freeStaff(shownSession(), staff, nobody))).toEqual(["usr_other"]);
  const supervision = shownSession({ isSupervision: true });
  expect(idsOf(freeStaff(supervision, staff, nobody))).toEqual(["usr_admin"]);
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
            open,
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
  expect(idsOf(freeStaff(open, [person("usr_a")], { ...nobody, sessions }))).toEqual(["usr_a"]);
});

test("the patient's team comes first, then who has been with them, then by last name", () => {
  const lead = person("usr_lead", { role: "CLINICIAN", careTeamTechnicianIds: ["usr_team"] });
  const staff = [
    ...[person("usr_z", { lastName: "Abel" }), person("usr_y", { lastName: "Baker" })],
    ...[person("usr_met"), person("usr_declined"), person("usr_team"), person("usr_own"), lead],
  ];
  const patient = { clinicianIds: ["usr_lead", "usr_own"] } as Patient;
  const earlier = [
    shownSession({ technicianId: "usr_met" }),
    shownSession({ technicianId: "usr_declined", status: "DECLINED" }),
  ];
  const found = freeStaff(shownSession(), staff, { sessions: [], earlier, patient });
  expect(
    found.map(({ person: { publicId }, isOfTeam, hasMet }) => [publicId, isOfTeam, hasMet]),
  ).toEqual([
    ["usr_own", true, false],
    ["usr_team", true, false],
    ["usr_met", false, true],
    ["usr_z", false, false],
    ["usr_y", false, false],
    ["usr_declined", false, false],
  ]);
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
    freeStaff(session, staff, nobody).map((each) => [each.person.publicId, each.hasNoCredential]);
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
