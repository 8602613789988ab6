import { expect, test } from "bun:test";
import type { TimeZone } from "../../../src/page/app/lib/base/dates.ts";
import {
  authorizationText,
  namedBy,
  overlappedBy,
  peopleIn,
  sessionText,
} from "../../../src/page/app/lib/attention/finding-records.ts";
import type { Finding } from "../../../src/page/app/lib/base/wire.ts";

/** The records that findings name: the other session of an overlap, and what has to be renewed. */

const finding = (given: Partial<Finding>) =>
  ({ sessionIds: [], authorizationId: null, ...given }) as Finding;

const overlap = finding({ check: "PROVIDER_OVERLAP", sessionIds: ["apt_other", "apt_own"] });
const renewal = finding({ check: "RENEWAL_DUE", authorizationId: "auth_1" });

test("an overlap names the session that goes on, a renewal its authorization, others nothing", () => {
  const others = [
    finding({ check: "NOT_DOCUMENTED", sessionIds: ["apt_1", "apt_2"], authorizationId: "auth_2" }),
    finding({ check: "RENEWAL_DUE", poolId: "apool_1" }),
    finding({ check: "PATIENT_OVERLAP", sessionIds: ["apt_alone"] }),
  ];
  expect(namedBy([overlap, renewal, overlap, ...others])).toEqual(["apt_other", "auth_1"]);
  expect(others.map(overlappedBy)).toEqual([undefined, undefined, undefined]);
});

const session = {
  ...{ type: "session", publicId: "apt_other", title: "Team meeting", isSupervision: false },
  ...{ isBillable: true },
  ...{ startTime: "2026-11-23T20:30:00.000Z", endTime: "2026-11-23T22:30:00.000Z" },
  ...{ clientId: "usr_leo", technicianId: "usr_ana", clinicianId: "usr_eva" },
};
const name = (id: string) =>
  ({ usr_leo: "Leo Park", usr_ana: "Ana Ruiz", usr_eva: "Eva Lind" })[id] ?? id;
const zone = "America/New_York" as TimeZone;

test("a session is told by its time, whom it is with, and who delivers it", () => {
  const text = (given: object) =>
    sessionText({ ...session, ...given }, zone, name).replaceAll(/[\u2009\u202f]/g, " ");
  expect(text({})).toBe("Mon, Nov 23, 3:30 – 5:30 PM, Leo Park, with Ana Ruiz");
  expect(text({ isSupervision: true })).toEndWith("Leo Park, with Eva Lind");
  expect(text({ clientId: null, technicianId: null, clinicianId: null })).toEndWith(
    "PM, Team meeting",
  );
  expect(peopleIn({ ...session, technicianId: null })).toEqual(["usr_leo", "usr_eva"]);
  expect(peopleIn({ type: "authorization", publicId: "auth_1" })).toEqual([]);
});

test("an authorization is told by its service and number", () => {
  const line = { type: "authorization", publicId: "auth_1", serviceLineId: "svc_1" };
  expect(authorizationText({ ...line, authorizationNumber: "A-1" }, () => "Therapy")).toBe(
    "Therapy, A-1",
  );
});
