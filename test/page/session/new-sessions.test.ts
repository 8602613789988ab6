import { expect, test } from "bun:test";
import type { CalendarDate, Instant } from "../../../src/page/app/lib/base/dates.ts";
import { sessionOf, templateOf, weekly } from "../../../src/page/app/lib/session/new-sessions.ts";
import type { User } from "../../../src/page/app/lib/base/wire.ts";
import { shownSession } from "../../support/page/session.ts";

const day = "2026-11-23" as CalendarDate;

test("a session repeats on the same day of each week, up to a day and to sixty", () => {
  expect(weekly(day, "") as string[]).toEqual(["2026-11-23"]);
  expect(weekly(day, "2026-11-22") as string[]).toEqual(["2026-11-23"]);
  expect(weekly(day, "2026-11-29") as string[]).toEqual(["2026-11-23"]);
  expect(weekly(day, "2026-12-07") as string[]).toEqual(["2026-11-23", "2026-11-30", "2026-12-07"]);
  const longest = weekly(day, "2029-01-01");
  expect([longest.length, longest.at(-1)] as unknown).toEqual([60, "2028-01-10"]);
});

test("and on several days of the week", () => {
  // A Monday, and the Wednesday and Friday behind it.
  const on = (until: string, others = [4, 2]) => weekly(day, until, others) as string[];
  expect(on("")).toEqual(["2026-11-23", "2026-11-25", "2026-11-27"]);
  expect(on("2026-12-02")).toEqual([
    ...["2026-11-23", "2026-11-25", "2026-11-27", "2026-11-30", "2026-12-02"],
  ]);
  expect(on("2026-11-25")).toEqual(["2026-11-23", "2026-11-25"]);
  expect(on("2026-11-20")).toEqual(["2026-11-23"]);
  expect(on("2029-01-01", [1, 2, 3]).length).toBe(60);
  expect(on("2029-01-01", [1, 2, 3, 4, 5, 6]).length).toBe(60);
});

const times = {
  publicId: "apt_1",
  startTime: "2026-11-23T14:00:00.000Z" as Instant,
  endTime: "2026-11-23T16:00:00.000Z" as Instant,
};
const fields = {
  ...{ clientId: "usr_kid", technicianId: "usr_tech", clinicianId: "usr_bcba" },
  ...{ placeOfService: "HOME" as const, locationId: "loc_main", isSupervision: false, title: " " },
};
const therapy = { value: "auth_1", name: "", title: "Therapy", isBillable: true, id: "svc_1" };
const meeting = { value: "code_1", name: "", title: "Meeting", isBillable: false, id: "code_1" };

test("a billable session has its service and clinician, and the title of its choice unless typed", () => {
  const made = sessionOf(fields, therapy, times);
  expect(made).toEqual(
    shownSession({
      ...{ title: "Therapy", placeOfService: "HOME", services: "svc_1" },
    }),
  );
  expect(sessionOf({ ...fields, title: " Own " }, therapy, times).title).toBe("Own");
});

test("one that is not billable has its code, and neither clinician nor service", () => {
  const made = sessionOf({ ...fields, clientId: null }, meeting, times);
  expect(made).toEqual({
    ...{ ...times, title: "Meeting", status: "CONFIRMED", isSupervision: false },
    ...{ isClientPresent: false, placeOfService: "HOME", locationId: "loc_main" },
    ...{ technicianId: "usr_tech", clientId: null, isBillable: false, nonBillableCode: "code_1" },
  });
});

test("telehealth is what its place says", () => {
  const places = [
    "TELEHEALTH_PROVIDED_ELSEWHERE",
    "TELEHEALTH_PROVIDED_IN_HOME",
    "OFFICE",
  ] as const;
  const made = places.map((placeOfService) =>
    sessionOf({ ...fields, placeOfService } as never, therapy, times),
  );
  expect(made.map((session) => session.isBillable && session.isTelehealth)).toEqual([
    true,
    true,
    false,
  ]);
});

test("the next ones are as the last one; the first one as the patient has it", () => {
  const { publicId, status, startTime, endTime, ...template } = shownSession();
  const patient = {
    ...{
      publicId: "usr_kid",
      role: "PATIENT",
      primaryClinicianId: "usr_lead",
      locationIds: ["loc_a"],
    },
  } as unknown as User;
  expect(templateOf(shownSession(), patient, "svc_other")).toEqual(template as never);
  expect(templateOf(undefined, patient, "svc_1")).toMatchObject({
    ...{ clientId: "usr_kid", clinicianId: "usr_lead", locationId: "loc_a", services: "svc_1" },
    ...{ technicianId: null, isClientPresent: true },
  });
});
