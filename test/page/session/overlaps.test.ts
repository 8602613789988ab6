import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { delivererOf, presentAt } from "../../../src/lib/presence.ts";
import { doubleBookings, supervisedAt } from "../../../src/page/app/lib/session/overlaps.ts";
import type { Session } from "../../../src/page/app/lib/base/wire.ts";

/** Who delivers a session, and which sessions are double-booked, by the rules of the checks. */

function session(given: object): Session {
  return {
    publicId: "apt_1",
    title: "Direct therapy",
    status: "CONFIRMED",
    startTime: "2026-11-23T14:00:00.000Z",
    endTime: "2026-11-23T16:00:00.000Z",
    isSupervision: false,
    isClientPresent: true,
    placeOfService: "OFFICE",
    locationId: "loc_main",
    technicianId: "usr_tech",
    clientId: "usr_kid",
    isBillable: true,
    isTelehealth: false,
    clinicianId: "usr_bcba",
    providerLocationId: null,
    services: "svc_97153",
    ...given,
  } as Session;
}

test.each<[string, object, string | null]>([
  ["the technician", {}, "usr_tech"],
  ["the clinician if there is no technician", { technicianId: null }, "usr_bcba"],
  ["the clinician if it is a supervision", { isSupervision: true }, "usr_bcba"],
  [
    "the technician if a supervision has no clinician",
    { isSupervision: true, clinicianId: null },
    "usr_tech",
  ],
  ["no one if it has neither", { technicianId: null, clinicianId: null }, null],
])("a session is delivered by %s", (_, given, expected) => {
  expect(delivererOf(session(given))).toBe(expected);
});

test.each<[string, object, string[]]>([
  ["its technician alone", {}, ["usr_tech"]],
  [
    "clinician and technician if it is a supervision",
    { isSupervision: true },
    ["usr_bcba", "usr_tech"],
  ],
  ["nobody if it has neither", { technicianId: null, clinicianId: null }, []],
])("at a session is present %s", (_, fields, expected) => {
  expect(presentAt(session(fields))).toEqual(expected);
});

const noGroup = () => false;

describe("sessions of a group are not double-booked", () => {
  const kids = ["usr_a", "usr_b", "usr_c"];
  const group = kids.map((clientId) => session({ publicId: `apt_${clientId}`, clientId }));
  const booked = (...others: object[]) => {
    const sessions = [...group, ...others.map((each) => session({ publicId: "apt_x", ...each }))];
    return [...doubleBookings(sessions, (id) => id === "svc_97153")].toSorted();
  };
  const all = [...group.map(({ publicId }) => publicId), "apt_x"];
  const ofOther = { clientId: "usr_x" };

  test.each<[string, object, string[]]>([
    ["one more of it", ofOther, []],
    ["another service", { ...ofOther, services: "svc_other" }, all],
    ["another place", { ...ofOther, placeOfService: "HOME" }, all],
    ["another location", { ...ofOther, locationId: "loc_other" }, all],
    ["another end", { ...ofOther, endTime: "2026-11-23T15:00:00.000Z" }, all],
    ["not billable", { clientId: null, isBillable: false, services: undefined }, all],
    ["a supervision of one of its clients", supervision("usr_b"), []],
    ["a supervision of somebody else", supervision("usr_x"), all],
    ["its own client twice", { clientId: "usr_a" }, ["apt_usr_a", "apt_x"]],
  ])("%s", (_, given, expected) => {
    expect(booked(given)).toEqual(expected);
  });

  test("unless the service is not marked as one", () => {
    expect(doubleBookings(group, noGroup).size).toBe(3);
  });
});

/** With the group's technician, for a part of its time. */
function supervision(clientId: string): object {
  const endTime = "2026-11-23T15:00:00.000Z";
  return { clientId, endTime, isSupervision: true, services: "svc_97155" };
}

describe("sessions are double-booked", () => {
  const first = session({ publicId: "apt_1" });
  const found = (given: object) => {
    const other = session({ publicId: "apt_2", ...given });
    return [...doubleBookings([first, other], noGroup)];
  };

  const both = ["apt_1", "apt_2"];

  test.each<[string, object, string[]]>([
    ["with one client", {}, both],
    ["of another patient, by the technician", { clientId: "usr_other" }, both],
    [
      "one directly after the other: neither",
      { startTime: "2026-11-23T16:00:00.000Z", endTime: "2026-11-23T17:00:00.000Z" },
      [],
    ],
    ["of another provider, by the patient", { technicianId: "usr_other" }, both],
    [
      "of another provider and patient: neither",
      { clientId: "usr_other", technicianId: "usr_other" },
      [],
    ],
    ["that were declined: neither", { status: "DECLINED" }, []],
    ["with REQUESTED_TO_CANCEL: as any other", { status: "REQUESTED_TO_CANCEL" }, both],
    [
      "without duration: neither",
      { startTime: "2026-11-23T15:00:00.000Z", endTime: "2026-11-23T15:00:00.000Z" },
      [],
    ],
    ["that supervise the technician with the same client: neither", { isSupervision: true }, []],
    [
      "that supervise the technician with another client, who cannot be at both",
      { isSupervision: true, clientId: "usr_other" },
      both,
    ],
    [
      "that supervise the technician without a client",
      { isSupervision: true, clientId: null },
      both,
    ],
    ["with one client that are not billable: neither", { isBillable: false }, []],
  ])("%s", (_, given, expected) => {
    expect(found(given)).toEqual(expected);
  });

  test("as in a comparison of every session with every other", () => {
    const quarter = (index: number): string =>
      new Date(Date.UTC(2026, 10, 23, 8) + index * 900_000).toISOString();
    const drawn = fc.record({
      start: fc.integer({ min: 0, max: 20 }),
      length: fc.integer({ min: 0, max: 6 }),
      technicianId: fc.constantFrom("usr_a", "usr_b", null),
      clinicianId: fc.constantFrom("usr_c", null),
      clientId: fc.constantFrom("usr_kid", "usr_other", null),
      isSupervision: fc.boolean(),
      isBillable: fc.boolean(),
      status: fc.constantFrom("CONFIRMED", "DECLINED", "REQUESTED_TO_CANCEL"),
    });
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 12 }), (drawnOnes) => {
        const sessions = drawnOnes.map(({ start, length, ...given }, index) =>
          session({
            ...given,
            publicId: `apt_${index}`,
            startTime: quarter(start),
            endTime: quarter(start + length),
          }),
        );
        const expected = new Set<string>();
        for (const a of sessions)
          for (const b of sessions) {
            if (a === b || a.status === "DECLINED" || b.status === "DECLINED") continue;
            if (a.startTime === a.endTime || b.startTime === b.endTime) continue;
            if (a.startTime >= b.endTime || b.startTime >= a.endTime) continue;
            const isOtherClient = a.clientId === null || a.clientId !== b.clientId;
            const staffOf = (each: Session) => [
              each.technicianId !== null &&
              (each.isSupervision || delivererOf(each) === each.technicianId)
                ? [each.technicianId]
                : [],
              delivererOf(each) ?? [],
            ];
            const isSameProvider =
              isOtherClient &&
              new Set(staffOf(a).flat()).intersection(new Set(staffOf(b).flat())).size > 0;
            const isTherapy = [a, b].every((each) => each.isBillable && !each.isSupervision);
            if (isSameProvider || (isTherapy && a.clientId !== null && a.clientId === b.clientId))
              expected.add(a.publicId);
          }
        expect(doubleBookings(sessions, noGroup)).toEqual(expected);
      }),
    );
  });
});

test("a supervision without a technician supervises those who have service with its client meanwhile", () => {
  const supervision = session({ publicId: "apt_1", technicianId: null, isSupervision: true });
  const other = (technicianId: string | null, given: object = {}) =>
    session({ publicId: `apt_of_${technicianId}`, technicianId, ...given });
  const startTime = "2026-11-23T15:00:00.000Z";
  const others = [
    session({ publicId: "apt_1", technicianId: "usr_until_now" }),
    ...[other("usr_a"), other("usr_a", { publicId: "apt_2", startTime }), other("usr_b")],
    // The clinician alone is none of them.
    other(null),
    other("usr_declined", { status: "DECLINED" }),
    other("usr_missed", { status: "PATIENT_NO_SHOW" }),
    other("usr_drive", { isBillable: false }),
    other("usr_before", { startTime: "2026-11-23T12:00:00.000Z", endTime: supervision.startTime }),
    other("usr_after", { startTime: supervision.endTime, endTime: "2026-11-23T17:00:00.000Z" }),
    other("usr_no_time", { startTime, endTime: startTime }),
  ];
  expect(supervisedAt(supervision, others)).toEqual(["usr_a", "usr_b"]);
});
