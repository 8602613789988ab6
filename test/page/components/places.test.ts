import { afterAll, describe, expect, test } from "bun:test";
import {
  type PermissionRule,
  permissions,
  practiceFileReach,
} from "../../../src/callers/permissions.ts";
import type { Role } from "../../../src/page/app/lib/base/wire.ts";
import { useDocument } from "./dom.ts";

await useDocument();
const { placesOffered } = await import("../../../src/page/app/lib/practice/places.ts");
const { signIn, signOut } = await import("../../../src/page/app/lib/sign-in/signed-in.ts");

/** The places that each role is offered: the four that it needs first, and none that the API refuses. */

afterAll(() => signOut("signed-out"));

const COMMON = ["attention", "schedule", "people", "billing"];
const FIRST: Partial<Record<Role, string[]>> = {
  ADMIN: COMMON,
  CLINICAL_SUPERADMIN: COMMON,
  CLINICAL_ADMIN: COMMON,
  BILLING_MANAGER: ["billing", "attention", "delivered", "utilization"],
  SCHEDULING_MANAGER: ["schedule", "attention", "people", "supervision"],
  CLINICIAN: ["today", "goals", "schedule", "people"],
  TECHNICIAN: ["today", "schedule", "people", "utilization"],
  PAYROLL_ADMIN: ["delivered", "schedule", "supervision", "people"],
  PATIENT: [],
  CAREGIVER: [],
};

/** What somebody has to be allowed, to see or do something at a place. */
const NEEDS: Record<string, keyof typeof permissions> = {
  ...{ today: "readSessions", attention: "readSessions", schedule: "readSessions" },
  ...{ billing: "readSessions", delivered: "readUtilization", utilization: "readUtilization" },
  ...{ supervision: "readSessions", people: "readUsers", goals: "readGoals" },
  ...{ leads: "readIntakeLeads", changes: "readPracticeFile", access: "readAccess" },
  ...{ done: "writePracticeFile", import: "writePracticeFile", practice: "writePracticeFile" },
};

function offeredTo(role: Role, isReadOnly = false) {
  const key = { id: "key_1", role, userId: "usr_1", name: "Test", isReadOnly };
  const practice = { publicId: "org_1", name: "Maple", timezone: "UTC", weekStartsOn: "MONDAY" };
  const writes = isReadOnly ? [] : Object.keys(practiceFileReach[role]);
  signIn("key", { organization: practice, key, writes } as never);
  const { first, rest } = placesOffered();
  return [first, rest].map((places) => places.map(({ path }) => path)) as [string[], string[]];
}

describe.each(Object.entries(FIRST) as [Role, string[]][])("%s", (role, expected) => {
  test("has first what the role needs", () => {
    expect(offeredTo(role)[0]).toEqual(expected);
  });

  test("is offered each place once, and none that the API refuses", () => {
    const all = offeredTo(role).flat();
    expect(new Set(all).size).toBe(all.length);
    const refused = all.filter((path) => {
      const needed = NEEDS[path];
      if (needed === undefined) return true;
      const { roles, withUser = [] }: PermissionRule = permissions[needed];
      return ![...roles, ...withUser].includes(role);
    });
    expect(refused).toEqual([]);
  });
});

test("who reads only is offered nothing that is about changes of their own", () => {
  const [first, rest] = offeredTo("BILLING_MANAGER", true);
  expect([...first, ...rest].filter((path) => ["done", "practice"].includes(path))).toEqual([]);
});
