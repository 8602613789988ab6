import { describe, expect, test } from "bun:test";
import {
  creatableRoles,
  creationDenialMessage,
  type Permission,
  permissions,
  denialMessage,
} from "../../src/callers/permissions.ts";
import { type Role, roles } from "../../src/callers/roles.ts";
import { allowedRoles, refusalSentences } from "../support/callers/expected-permissions.ts";

/** The permissions table, written out independently of the code. */

/** Callers in rows, created roles in columns; `x` if the caller may create the role. */
const CREATION = `
                     ADMIN BILLING_MANAGER SCHEDULING_MANAGER CLINICIAN TECHNICIAN PATIENT CAREGIVER CLINICAL_ADMIN PAYROLL_ADMIN CLINICAL_SUPERADMIN
ADMIN                x     x               x                  x         x          x       x         x              x             .
BILLING_MANAGER      .     .               .                  .         .          x       x         .              .             .
SCHEDULING_MANAGER   .     .               .                  x         x          x       x         .              .             .
CLINICIAN            .     .               .                  .         .          .       .         .              .             .
TECHNICIAN           .     .               .                  .         .          .       .         .              .             .
PATIENT              .     .               .                  .         .          .       .         .              .             .
CAREGIVER            .     .               .                  .         .          .       .         .              .             .
CLINICAL_ADMIN       .     .               .                  x         x          x       x         .              .             .
PAYROLL_ADMIN        .     .               .                  .         .          .       .         .              .             .
CLINICAL_SUPERADMIN  .     .               .                  x         x          x       x         x              .             .
`;

function cells(line: string): string[] {
  return line.split(/ +/).filter((cell) => cell !== "");
}

const [head = "", ...lines] = CREATION.trim().split("\n");
const created = cells(head) as Role[];

test("the matrix of this test has all ten roles in rows and columns", () => {
  expect([created, lines.map((line) => cells(line)[0] as Role)]).toEqual([[...roles], [...roles]]);
});

describe("roles that a caller may create", () => {
  test.each(lines.map((line) => cells(line)))("%s", (caller, ...marks) => {
    const expected = Object.fromEntries(
      created.map((role, index) => [
        role,
        marks[index] === "x"
          ? undefined
          : "Insufficient role hierarchy permissions to create this user role",
      ]),
    );
    const actual = Object.fromEntries(
      created.map((role) => [role, creationDenialMessage(caller as Role, role)]),
    );
    expect(actual).toEqual(expected);
  });

  test("no role may create a CLINICAL_SUPERADMIN", () => {
    expect(Object.values(creatableRoles).flat()).not.toContain("CLINICAL_SUPERADMIN");
  });
});

describe("roles that have a permission", () => {
  const names = Object.keys(permissions) as Permission[];

  test("every permission is covered by this test", () => {
    expect(names.toSorted()).toEqual(Object.keys(allowedRoles).toSorted() as Permission[]);
  });

  test.each(names)("%s", (permission) => {
    const expected = Object.fromEntries(
      roles.map((role) => [
        role,
        allowedRoles[permission].includes(role) ? undefined : refusalSentences[permission],
      ]),
    );
    const actual = Object.fromEntries(
      roles.map((role) => [role, denialMessage(permission, { role })]),
    );
    expect(actual).toEqual(expected);
  });

  test("with a key that is tied to them, staff also have calendars, and clinicians and technicians send and follow practice files, and technicians record on goals", () => {
    for (const permission of names)
      for (const role of roles) {
        const isOwn = permission.endsWith("Calendars")
          ? !/^(PATIENT|CAREGIVER)$/.test(role)
          : (permission.endsWith("PracticeFile") && /^(CLINICIAN|TECHNICIAN)$/.test(role)) ||
            (permission === "recordOnGoals" && role === "TECHNICIAN");
        expect(denialMessage(permission, { role, userId: "usr_1" })).toBe(
          isOwn ? undefined : denialMessage(permission, { role }),
        );
      }
  });

  test("a read-only key has only the read permissions of its role", () => {
    for (const permission of names)
      for (const role of roles)
        expect(denialMessage(permission, { role, isReadOnly: true })).toBe(
          permission.startsWith("read")
            ? denialMessage(permission, { role })
            : "Insufficient permissions for this action",
        );
  });
});
