import { expect, test } from "bun:test";
import { roles } from "../../../src/callers/roles.ts";
import type { CalendarDate } from "../../../src/page/app/lib/base/dates.ts";
import { isDocumentable } from "../../../src/page/app/lib/base/own-days.ts";
import { kindOf, STAFF_ROLES, staffKindOf } from "../../../src/page/app/lib/base/roles.ts";
import {
  roleFieldOf,
  rowsOf,
  shownOf,
  teamOf,
} from "../../../src/page/app/lib/schedule/schedule-rows.ts";
import type { Named, Role, User } from "../../../src/page/app/lib/base/wire.ts";
import { shownSession } from "../../support/page/session.ts";

/** What roles mean for sessions, and the rows of a day. */

test("only patients, technicians and clinicians have sessions", () => {
  const kinds = roles.flatMap((role) => {
    const kind = kindOf(role);
    return kind === undefined ? [] : [[role, kind]];
  });
  expect(Object.fromEntries(kinds)).toEqual({
    ...{ PATIENT: "patient", TECHNICIAN: "technician", CLINICIAN: "clinician" },
    ...{ CLINICAL_ADMIN: "clinician", CLINICAL_SUPERADMIN: "clinician" },
  });
});

test("a field that names staff offers those of its roles, and searches others", () => {
  const kinds: [Role[], string | undefined][] = [
    [["TECHNICIAN"], "technician"],
    [["CLINICIAN", "CLINICAL_ADMIN"], "clinician"],
    [["CLINICIAN", "TECHNICIAN"], "provider"],
    [["PATIENT"], undefined],
    [["TECHNICIAN", "ADMIN"], undefined],
    [["CLINICIAN", "PATIENT"], undefined],
  ];
  expect(kinds.map(([names]) => staffKindOf(names))).toEqual(
    kinds.map(([, kind]) => kind) as never,
  );
  expect(STAFF_ROLES.provider.toSorted()).toEqual(
    [...STAFF_ROLES.clinician, ...STAFF_ROLES.technician].toSorted(),
  );
});

test("one's own sessions are documented from fourteen days ago to today", () => {
  const today = "2026-11-28" as CalendarDate;
  const days = ["2026-11-13", "2026-11-14", "2026-11-28", "2026-11-29"] as CalendarDate[];
  expect(days.map((day) => isDocumentable(day, today))).toEqual([false, true, true, false]);
});

const named = (publicId: string, role: Role, given: Partial<Named> = {}): [string, Named] => [
  publicId,
  { publicId, role, firstName: "A", lastName: "B", isActive: true, ...given },
];
const people = new Map([
  named("usr_tech", "TECHNICIAN"),
  named("usr_free", "TECHNICIAN"),
  named("usr_bcba", "CLINICIAN"),
  named("usr_child", "PATIENT"),
  named("usr_office", "ADMIN"),
  named("usr_away", "TECHNICIAN", { isActive: false }),
]);

test("a day has a row for each active provider and for whoever else is present, by name", () => {
  const own = shownSession();
  const supervision = shownSession({ publicId: "apt_2", isSupervision: true });
  const left = shownSession({ publicId: "apt_3", technicianId: "usr_left", clinicianId: null });
  const nobodys = shownSession({ publicId: "apt_4", technicianId: null, clinicianId: null });
  const name = (id: string) => `Z ${id}`;
  const rows = rowsOf([own, supervision, left, nobodys], { people, name, team: undefined });
  expect(
    rows.map(({ id, name: label, role, sessions }) => [
      ...[id, label, role, sessions.map(({ publicId }) => publicId).join()],
    ]),
  ).toEqual([
    // At a supervision the technician is present, too.
    ["usr_bcba", "Z usr_bcba", "clinician", "apt_2"],
    ["usr_free", "Z usr_free", "technician", ""],
    ["usr_left", "Z usr_left", "technician", "apt_3"],
    ["usr_tech", "Z usr_tech", "technician", "apt_1,apt_2"],
    [null, "Nobody yet", "technician", "apt_4"],
  ]);
});

test("of a team there are the rows of its clinician and their technicians", () => {
  const team = teamOf("usr_bcba", { careTeamTechnicianIds: ["usr_tech"] } as User);
  expect([...team]).toEqual(["usr_bcba", "usr_tech"]);
  const rows = rowsOf([shownSession()], { people, name: String, team });
  expect(rows.map(({ id }) => id)).toEqual(["usr_bcba", "usr_tech"]);
  expect([...teamOf("usr_gone", undefined)]).toEqual(["usr_gone"]);
});

test("shown are the sessions of a location, and those at which somebody of a team is present", () => {
  const session = (publicId: string, fields: object) => shownSession({ publicId, ...fields });
  const sessions = [
    session("apt_1", { technicianId: "usr_tech", clinicianId: "usr_bcba", locationId: "loc_a" }),
    session("apt_2", { technicianId: "usr_other", clinicianId: "usr_bcba", locationId: "loc_a" }),
    session("apt_3", {
      ...{ technicianId: "usr_other", clinicianId: "usr_bcba", locationId: "loc_b" },
      isSupervision: true,
    }),
  ];
  const team = new Set(["usr_bcba", "usr_tech"]);
  const shown = (location?: string, of?: ReadonlySet<string>) =>
    shownOf(sessions, { location, team: of }).map(({ publicId }) => publicId);
  expect(shown()).toEqual(["apt_1", "apt_2", "apt_3"]);
  expect(shown("loc_b")).toEqual(["apt_3"]);
  // A clinician is not present at a session of a technician, unless it is a supervision.
  expect(shown(undefined, team)).toEqual(["apt_1", "apt_3"]);
  expect(shown("loc_a", team)).toEqual(["apt_1"]);
});

test("whoever has left is in the row of their role, and unknown people in that of the session's field", () => {
  const session = shownSession({
    technicianId: null,
    clinicianId: "usr_away",
    isSupervision: true,
  });
  const roleIn = (known: typeof people) =>
    rowsOf([session], { people: known, name: String, team: new Set(["usr_away"]) })[0]?.role;
  expect([roleIn(people), roleIn(new Map())]).toEqual(["technician", "clinician"]);
});

test("an empty place of a row is for its person, by their role", () => {
  expect(["usr_tech", "usr_bcba", "usr_gone"].map((id) => roleFieldOf(people.get(id)))).toEqual([
    { technicianId: "usr_tech" },
    { clinicianId: "usr_bcba" },
    {},
  ]);
});
