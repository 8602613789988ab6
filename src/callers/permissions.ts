import { type RecordType, recordTypes } from "../schema/record-types.ts";
import { assignableRoles, type Role, roles, staffRoles as staff } from "./roles.ts";

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

/**
 * Which records of a type may be sent in a practice file: all; users whose stored role and new role the caller may
 * assign (`creatableRoles`); a person's own day, with a key of that person: the sessions at which they are present,
 * and the encounters of these; or, of stored sessions, only the authorization of their client to which they are bound.
 */
export type Reach = "ALL" | "ASSIGNABLE" | "OWN_DAY" | "AUTHORIZATION";

/** What a caller may send in a practice file, by the caller's role. The page is bundled with it. */
export const practiceFileReach: Record<Role, Readonly<Partial<Record<RecordType, Reach>>>> = {
  ADMIN: Object.fromEntries(recordTypes.map((type) => [type, "ALL"])),
  CLINICAL_SUPERADMIN: {
    user: "ASSIGNABLE",
    session: "ALL",
    encounter: "ALL",
    treatmentPlan: "ALL",
    goal: "ALL",
  },
  CLINICAL_ADMIN: {
    user: "ASSIGNABLE",
    session: "ALL",
    encounter: "ALL",
    treatmentPlan: "ALL",
    goal: "ALL",
  },
  SCHEDULING_MANAGER: { user: "ASSIGNABLE", session: "ALL" },
  BILLING_MANAGER: {
    payor: "ALL",
    serviceLine: "ALL",
    user: "ASSIGNABLE",
    authorizationPool: "ALL",
    authorization: "ALL",
    session: "AUTHORIZATION",
    encounter: "ALL",
  },
  PAYROLL_ADMIN: {},
  CLINICIAN: { session: "OWN_DAY", encounter: "OWN_DAY" },
  TECHNICIAN: { session: "OWN_DAY", encounter: "OWN_DAY" },
  PATIENT: {},
  CAREGIVER: {},
};

/**
 * The roles that may change what was handed over of encounters, `billed` in a practice file; and of every stored user
 * `npiNumber`, which is public and needed by claims alone.
 */
export const billingRoles: readonly Role[] = ["ADMIN", "BILLING_MANAGER"];

export function mayAssign(caller: Role, role: Role): boolean {
  return creatableRoles[caller].includes(role);
}

/** What decides about a caller's permissions. */
export interface Holder {
  role: Role;
  /** The user to whom the key is tied, if any. */
  userId?: string | null;
  isReadOnly?: boolean;
}

/** The records of a type that a role may send in a practice file; undefined if none. */
export function reachOf({ role, userId }: Holder, type: RecordType): Reach | undefined {
  const reach = practiceFileReach[role][type];
  return reach === "OWN_DAY" && userId == null ? undefined : reach;
}

/** The types of record that a key may send in a practice file, in the order of practice files. */
export function writableTypes(holder: Holder): RecordType[] {
  if (holder.isReadOnly === true) return [];
  return recordTypes.filter((type) => reachOf(holder, type) !== undefined);
}

/** Who sees own patients only, by the organization's setting. Without one, nobody. */
export const limitedRoles = {
  TECHNICIANS: ["TECHNICIAN"],
  TECHNICIANS_AND_CLINICIANS: ["TECHNICIAN", "CLINICIAN"],
} as const satisfies Record<string, readonly Role[]>;

export type OwnPatientsOnly = keyof typeof limitedRoles;

export const OWN_PATIENTS_ONLY = Object.keys(limitedRoles) as OwnPatientsOnly[];

/** Whether somebody of a role sees own patients only. */
export function seesOwnPatientsOnly(role: string, setting: string | null): boolean {
  if (setting === null) return false;
  const roles: readonly string[] = limitedRoles[setting as OwnPatientsOnly];
  return roles.includes(role);
}

export interface PermissionRule {
  roles: readonly Role[];
  /** The message of the 403 for other roles. */
  message: string;
  /** Whether this permission is for writes, which read-only keys never have. */
  writes?: true;
  /** Roles that have this permission only with a key that is tied to a user. */
  withUser?: readonly Role[];
}

const ACCESS_DENIED = "Access denied";
export const INSUFFICIENT_PERMISSIONS = "Insufficient permissions for this action";
/** The message of the 403 for writes with a read-only key. */
export const READ_ONLY = INSUFFICIENT_PERMISSIONS;
const INSUFFICIENT_HIERARCHY = "Insufficient role hierarchy permissions to create this user role";

/** Who may send records of any type in a practice file. */
const senders = {
  roles: roles.filter((role) => writableTypes({ role }).length > 0),
  withUser: roles.filter((role) => Object.values(practiceFileReach[role]).includes("OWN_DAY")),
};

export const permissions = {
  readOwnKey: { roles, message: ACCESS_DENIED },
  readSpecializations: { roles, message: ACCESS_DENIED },
  readReferenceData: { roles, message: ACCESS_DENIED },
  readUsers: { roles: staff, message: ACCESS_DENIED },
  readSessions: { roles: staff, message: ACCESS_DENIED },
  // Says who changed what.
  readBillingSupport: {
    roles: ["ADMIN", "BILLING_MANAGER", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN"],
    message: ACCESS_DENIED,
  },
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
  recordOnGoals: {
    roles: ["ADMIN", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN", "CLINICIAN"],
    // For own patients, and of the last 14 days (`goals/recording.ts`).
    withUser: ["TECHNICIAN"],
    message: INSUFFICIENT_PERMISSIONS,
    writes: true,
  },
  readAccess: { roles: ["ADMIN"], message: INSUFFICIENT_PERMISSIONS },
  manageAccess: { roles: ["ADMIN"], message: INSUFFICIENT_PERMISSIONS, writes: true },
  readOwnPasskeys: { roles: staff, message: ACCESS_DENIED },
  removePasskeys: { roles: staff, message: INSUFFICIENT_PERMISSIONS, writes: true },
  readCalendars: { roles: ["ADMIN"], withUser: staff, message: INSUFFICIENT_PERMISSIONS },
  writeCalendars: {
    roles: ["ADMIN"],
    withUser: staff,
    message: INSUFFICIENT_PERMISSIONS,
    writes: true,
  },
  /** Which types, `mayExport` says. */
  readPracticeFile: { roles: staff, message: INSUFFICIENT_PERMISSIONS },
  writePracticeFile: { ...senders, message: INSUFFICIENT_PERMISSIONS, writes: true },
} as const satisfies Record<string, PermissionRule>;

export type Permission = keyof typeof permissions;

/** The message of the 403; undefined if the caller has the permission. */
export function denialMessage(
  permission: Permission,
  { role, userId, isReadOnly }: Holder,
): string | undefined {
  const rule: PermissionRule = permissions[permission];
  if (isReadOnly === true && rule.writes === true) return READ_ONLY;
  const isAllowed =
    rule.roles.includes(role) || (userId != null && rule.withUser?.includes(role) === true);
  return isAllowed ? undefined : rule.message;
}

/** The permission to read the records of each type by their list. */
const listPermissions: Record<RecordType, Permission> = {
  organization: "readOwnKey",
  location: "readReferenceData",
  payor: "readReferenceData",
  serviceLine: "readReferenceData",
  nonBillableCode: "readReferenceData",
  specialization: "readSpecializations",
  intakeStage: "readReferenceData",
  intakeLabel: "readReferenceData",
  user: "readUsers",
  authorizationPool: "readUsers",
  authorization: "readUsers",
  session: "readSessions",
  encounter: "readSessions",
  intakeLead: "readIntakeLeads",
  treatmentPlan: "readTreatmentPlans",
  goal: "readGoals",
};

/**
 * Whether a caller with the permission `readPracticeFile` may export some types of records: those that it may read by
 * their lists. All that there are, without types, only an ADMIN may.
 */
export function mayExport(holder: Holder, types: readonly RecordType[] | undefined): boolean {
  if (types === undefined) return holder.role === "ADMIN";
  return types.every((type) => denialMessage(listPermissions[type], holder) === undefined);
}

/** The message of the 403; undefined if the caller may create users of the role. */
export function creationDenialMessage(caller: Role, created: Role): string | undefined {
  return mayAssign(caller, created) ? undefined : INSUFFICIENT_HIERARCHY;
}
