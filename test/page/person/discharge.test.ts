import { expect, test } from "bun:test";
import { discharge } from "../../../src/page/app/lib/person/discharge.ts";

const leo = { publicId: "usr_leo", userStatus: "ACTIVE", isActive: true };
const lines = [
  {
    ...{ type: "session", publicId: "apt_1", status: "CONFIRMED", title: "Therapy" },
    ...{ authorizationId: "auth_1", technicianId: "usr_ana" },
  },
  { type: "session", publicId: "apt_2", status: "REQUESTED_TO_CANCEL", authorizationId: null },
];
const left = { type: "user", publicId: "usr_leo", userStatus: "DISCHARGED", isActive: false };
const back = { type: "user", ...leo };

test("the patient and all sessions to come are one change, and undo brings each back as it was", () => {
  expect(discharge(leo, { count: 2, lines }, "CANCEL")).toEqual({
    done: "The patient is discharged; 2 sessions are cancelled.",
    lines: [
      left,
      { type: "session", publicId: "apt_1", status: "DECLINED" },
      { type: "session", publicId: "apt_2", status: "DECLINED" },
    ],
    undo: [
      back,
      { type: "session", publicId: "apt_1", status: "CONFIRMED" },
      { type: "session", publicId: "apt_2", status: "REQUESTED_TO_CANCEL" },
    ],
  });
});

test("deleted sessions come back with all that they had, their authorizations too", () => {
  expect(discharge(leo, { count: 2, lines }, "DELETE")).toEqual({
    done: "The patient is discharged; 2 sessions are deleted.",
    lines: [
      left,
      { type: "session", publicId: "apt_1", deleted: true },
      { type: "session", publicId: "apt_2", deleted: true },
    ],
    undo: [back, ...lines],
  });
});

test("sessions that are left are not written", () => {
  expect(discharge(leo, { count: 1, lines: [] }, "LEAVE")).toEqual({
    done: "The patient is discharged; 1 session is left, and found under Attention.",
    lines: [left],
    undo: [back],
  });
  expect(discharge(leo, { count: 0, lines: [] }, "CANCEL").done).toBe("The patient is discharged.");
});

test("sessions that are left are not written, even where they are known", () => {
  const lines = [{ type: "session", publicId: "apt_1", status: "CONFIRMED" }];
  const patient = { publicId: "usr_1", userStatus: "ACTIVE", isActive: true } as never;
  const change = discharge(patient, { count: 1, lines }, "LEAVE");
  expect([change.lines.length, change.undo?.length]).toEqual([1, 1]);
});
