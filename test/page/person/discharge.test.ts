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
const items = lines.map((line) => ({ line }));
const left = { type: "user", publicId: "usr_leo", userStatus: "DISCHARGED", isActive: false };
const back = { type: "user", ...leo };

test("the patient and all sessions to come are one change, and undo brings each back as it was", () => {
  expect(discharge(leo, items, "CANCEL", 2)).toEqual({
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
  expect(discharge(leo, items, "DELETE", 2)).toEqual({
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
  expect(discharge(leo, [], "LEAVE", 1)).toEqual({
    done: "The patient is discharged; 1 session is left, and found under Attention.",
    lines: [left],
    undo: [back],
  });
  expect(discharge(leo, [], "CANCEL", 0).done).toBe("The patient is discharged.");
});

test("sessions that are left are not written, even where they are known", () => {
  const change = discharge(leo, items, "LEAVE", 2);
  expect([change.lines.length, change.undo?.length]).toEqual([1, 1]);
});

test("one that is not chosen is left, and what is said counts both", () => {
  const change = discharge(leo, items.slice(1), "DELETE", 2);
  expect(change.done).toBe(
    "The patient is discharged; 1 session is deleted; 1 session is left, and found under Attention.",
  );
  expect(change.lines.map(({ publicId }) => publicId)).toEqual(["usr_leo", "apt_2"]);
});
