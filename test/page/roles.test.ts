import { expect, test } from "bun:test";
import { roles } from "../../src/access/roles.ts";
import type { CalendarDate } from "../../src/page/app/lib/dates.ts";
import { isDocumentable } from "../../src/page/app/lib/own-days.ts";
import { kindOf, STAFF_ROLES, staffKindOf } from "../../src/page/app/lib/roles.ts";
import { roleFieldOf, rowsOf, teamOf } from "../../src/page/app/lib/schedule-rows.ts";
import type { Role, User } from "../../src/page/app/lib/wire.ts";
import { shownSession } from "../support/page/session.ts";

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

const user = (publicId: string, role: Role, lastName: string, given: object = {}): User =>
  ({ publicId, role, firstName: "A", lastName, ...given }) as never;
const staff = [
  user("usr_tech", "TECHNICIAN", "Tully"),
  user("usr_free", "TECHNICIAN", "Free"),
  user("usr_bcba", "CLINICIAN", "Beck", { careTeamTechnicianIds: ["usr_tech"] }),
];

test("a day has a row for each active provider and for whoever else is present, by name", () => {
  const own = shownSession();
  const supervision = shownSession({ publicId: "apt_2", isSupervision: true });
  const left = shownSession({ publicId: "apt_3", technicianId: "usr_left", clinicianId: null });
  const nobodys = shownSession({ publicId: "apt_4", technicianId: null, clinicianId: null });
  const name = (id: string) => `Left ${id}`;
  const rows = rowsOf([own, supervision, left, nobodys], { staff, name, team: undefined });
  expect(
    rows.map(({ id, name: label, role, sessions }) => [
      ...[id, label, role, sessions.map(({ publicId }) => publicId).join()],
    ]),
  ).toEqual([
    // At a supervision the technician is present, too.
    ["usr_bcba", "A Beck", "clinician", "apt_2"],
    ["usr_free", "A Free", "technician", ""],
    ["usr_tech", "A Tully", "technician", "apt_1,apt_2"],
    ["usr_left", "Left usr_left", "technician", "apt_3"],
    [null, "Nobody yet", "technician", "apt_4"],
  ]);
});

test("of a team there are the rows of its clinician and their technicians", () => {
  const team = teamOf("usr_bcba", staff);
  expect([...team]).toEqual(["usr_bcba", "usr_tech"]);
  const rows = rowsOf([shownSession()], { staff, name: String, team });
  expect(rows.map(({ id }) => id)).toEqual(["usr_bcba", "usr_tech"]);
  expect([...teamOf("usr_gone", staff)]).toEqual(["usr_gone"]);
});

test("whoever has left since is a technician where they are the session's", () => {
  const given = { technicianId: null, clinicianId: "usr_left" };
  const [row] = rowsOf([shownSession(given)], { staff: [], name: String, team: undefined });
  expect(row?.role).toBe("clinician");
});

test("an empty place of a row is for its person, by their role", () => {
  expect(["usr_tech", "usr_bcba", "usr_gone"].map((id) => roleFieldOf(staff, id))).toEqual([
    { technicianId: "usr_tech" },
    { clinicianId: "usr_bcba" },
    {},
  ]);
});
