import { type RecordType, recordTypes } from "../schema/record-types.ts";
import { assignableRoles, type Role, roles } from "./roles.ts";

/** The table of permissions by role; the only place where they are defined. */

/** The roles of users that a caller may create, by the caller's role. */
export const creatableRoles: Record<Role, readonly Role[]> = {
  ADMIN: assignableRoles,
  CLINICAL_SUPERADMIN: ["CLINICAL_ADMIN", "CLINICIAN", "TECHNICIAN", "PATIENT", "CAREGIVER"],
  CLINICAL_ADMIN: ["CLINICIAN", "TECHNICIAN", "PATIENT", "CAREGIVER"],
  SCHEDULING_MANAGER: ["CLINICIAN", "TECHNICIAN", "PATIENT", "CAREGIVER"],
  BILLING_MANAGER: ["PATIENT", "CAREGIVER"],
  PAYROLL_ADMIN: [],
  CLINICIAN: [],
  TECHNICIAN: [],
  PATIENT: [],
  CAREGIVER: [],
};

/** The types of record that a caller may write in a practice file, by the caller's role. */
export const writablePracticeFileTypes: Record<Role, readonly RecordType[]> = {
  ADMIN: recordTypes,
  CLINICAL_SUPERADMIN: ["session", "encounter", "treatmentPlan", "goal"],
  CLINICAL_ADMIN: ["session", "encounter", "treatmentPlan", "goal"],
  SCHEDULING_MANAGER: ["session"],
  BILLING_MANAGER: ["payor", "authorizationPool", "authorization", "encounter"],
  PAYROLL_ADMIN: [],
  CLINICIAN: [],
  TECHNICIAN: [],
  PATIENT: [],
  CAREGIVER: [],
};

/** The types of record that a key may write in a practice file, in the order of practice files. */
export function writableTypes({
  role,
  isReadOnly,
}: {
  role: Role;
  isReadOnly: boolean;
}): readonly RecordType[] {
  return isReadOnly ? [] : writablePracticeFileTypes[role];
}

export interface PermissionRule {
  roles: readonly Role[];
  /** The message of the 403 for other roles. */
  message: string;
  /** Whether this permission is for writes, which read-only keys never have. */
  writes?: true;
}

const ACCESS_DENIED = "Access denied";
const INSUFFICIENT_PERMISSIONS = "Insufficient permissions for this action";
/** The message of the 403 for writes with a read-only key. */
export const READ_ONLY = INSUFFICIENT_PERMISSIONS;
const INSUFFICIENT_HIERARCHY = "Insufficient role hierarchy permissions to create this user role";

/** Roles of people who work for the practice. */
const staff = roles.filter((role) => role !== "PATIENT" && role !== "CAREGIVER");

export const permissions = {
  readOwnKey: { roles, message: ACCESS_DENIED },
  readSpecializations: { roles, message: ACCESS_DENIED },
  readReferenceData: { roles, message: ACCESS_DENIED },
  readUsers: { roles: staff, message: ACCESS_DENIED },
  readSessions: { roles: staff, message: ACCESS_DENIED },
  readUtilization: { roles: staff, message: ACCESS_DENIED },
  readTreatmentPlans: { roles: staff, message: ACCESS_DENIED },
  readGoals: { roles: staff, message: ACCESS_DENIED },
  createUsers: {
    roles: roles.filter((role) => creatableRoles[role].length > 0),
    message: INSUFFICIENT_HIERARCHY,
    writes: true,
  },
  createIntakeLeads: {
    roles: roles.filter((role) => creatableRoles[role].includes("PATIENT")),
    message: INSUFFICIENT_PERMISSIONS,
    writes: true,
  },
  readIntakeLeads: {
    roles: roles.filter((role) => creatableRoles[role].includes("PATIENT")),
    message: INSUFFICIENT_PERMISSIONS,
  },
  writeGoals: {
    roles: ["ADMIN", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN", "CLINICIAN"],
    message: INSUFFICIENT_PERMISSIONS,
    writes: true,
  },
  readPracticeFile: { roles: ["ADMIN"], message: INSUFFICIENT_PERMISSIONS },
  writePracticeFile: {
    roles: roles.filter((role) => writablePracticeFileTypes[role].length > 0),
    message: INSUFFICIENT_PERMISSIONS,
    writes: true,
  },
} as const satisfies Record<string, PermissionRule>;

export type Permission = keyof typeof permissions;

/** The message of the 403; undefined if the caller has the permission. */
export function denialMessage(
  permission: Permission,
  role: Role,
  isReadOnly = false,
): string | undefined {
  const rule: PermissionRule = permissions[permission];
  if (isReadOnly && rule.writes === true) return READ_ONLY;
  return rule.roles.includes(role) ? undefined : rule.message;
}

/** The message of the 403; undefined if the caller may create users of the role. */
export function creationDenialMessage(caller: Role, created: Role): string | undefined {
  return creatableRoles[caller].includes(created) ? undefined : INSUFFICIENT_HIERARCHY;
}
