import type { Permission } from "../../../src/callers/permissions.ts";
import type { Role } from "../../../src/callers/roles.ts";

/** The permissions of `docs/decisions.md`, written out: the allowed roles, and the message for the others. */

const everyone: Role[] = [
  "ADMIN",
  "BILLING_MANAGER",
  "SCHEDULING_MANAGER",
  "CLINICIAN",
  "TECHNICIAN",
  "PATIENT",
  "CAREGIVER",
  "CLINICAL_ADMIN",
  "PAYROLL_ADMIN",
  "CLINICAL_SUPERADMIN",
];

const staff: Role[] = [
  "ADMIN",
  "BILLING_MANAGER",
  "SCHEDULING_MANAGER",
  "CLINICIAN",
  "TECHNICIAN",
  "CLINICAL_ADMIN",
  "PAYROLL_ADMIN",
  "CLINICAL_SUPERADMIN",
];

const creators: Role[] = [
  "ADMIN",
  "CLINICAL_SUPERADMIN",
  "CLINICAL_ADMIN",
  "SCHEDULING_MANAGER",
  "BILLING_MANAGER",
];

export const allowedRoles: Record<Permission, Role[]> = {
  readOwnKey: everyone,
  readSpecializations: everyone,
  readReferenceData: everyone,
  readUsers: staff,
  readSessions: staff,
  readBillingSupport: ["ADMIN", "BILLING_MANAGER", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN"],
  readUtilization: staff,
  readTreatmentPlans: staff,
  readGoals: staff,
  createUsers: creators,
  createIntakeLeads: creators,
  readIntakeLeads: creators,
  writeGoals: ["ADMIN", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN", "CLINICIAN"],
  recordOnGoals: ["ADMIN", "CLINICAL_SUPERADMIN", "CLINICAL_ADMIN", "CLINICIAN"],
  readAccess: ["ADMIN"],
  manageAccess: ["ADMIN"],
  readOwnPasskeys: staff,
  removePasskeys: staff,
  readCalendars: ["ADMIN"],
  writeCalendars: ["ADMIN"],
  readPracticeFile: staff,
  writePracticeFile: creators,
};

export const refusalSentences: Record<Permission, string> = {
  readOwnKey: "Access denied",
  readSpecializations: "Access denied",
  readReferenceData: "Access denied",
  readUsers: "Access denied",
  readSessions: "Access denied",
  readBillingSupport: "Access denied",
  readUtilization: "Access denied",
  readTreatmentPlans: "Access denied",
  readGoals: "Access denied",
  createUsers: "Insufficient role hierarchy permissions to create this user role",
  createIntakeLeads: "Insufficient permissions for this action",
  readIntakeLeads: "Insufficient permissions for this action",
  writeGoals: "Insufficient permissions for this action",
  recordOnGoals: "Insufficient permissions for this action",
  readAccess: "Insufficient permissions for this action",
  manageAccess: "Insufficient permissions for this action",
  readOwnPasskeys: "Access denied",
  removePasskeys: "Insufficient permissions for this action",
  readCalendars: "Insufficient permissions for this action",
  writeCalendars: "Insufficient permissions for this action",
  readPracticeFile: "Insufficient permissions for this action",
  writePracticeFile: "Insufficient permissions for this action",
};
