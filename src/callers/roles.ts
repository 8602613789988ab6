/** The ten roles. */
export const roles = [
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
] as const;

export type Role = (typeof roles)[number];

/** Roles that can supervise technicians; their users have `careTeamTechnicianIds`. */
export const clinicianRoles = ["CLINICIAN", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"] as const;

/** Roles that treat patients; their users have credentials and specializations. */
export const providerRoles = [
  "CLINICIAN",
  "TECHNICIAN",
  "CLINICAL_ADMIN",
  "CLINICAL_SUPERADMIN",
] as const;

/** Roles that administer the practice. */
export const adminRoles = [
  "ADMIN",
  "BILLING_MANAGER",
  "SCHEDULING_MANAGER",
  "PAYROLL_ADMIN",
] as const;

/** Roles of people who work for the practice. */
export const staffRoles = roles.filter((role) => role !== "PATIENT" && role !== "CAREGIVER");

/** Roles that can be assigned to a new user. */
export const assignableRoles = roles.filter((role) => role !== "CLINICAL_SUPERADMIN");

export type ClinicianRole = (typeof clinicianRoles)[number];
export type ProviderRole = (typeof providerRoles)[number];
export type AdminRole = (typeof adminRoles)[number];
export type AssignableRole = (typeof assignableRoles)[number];

export function isRole(value: unknown): value is Role {
  return roles.some((role) => role === value);
}

export function isStaff(role: string): boolean {
  return staffRoles.some((staff) => staff === role);
}

export function isClinician(role: Role): role is ClinicianRole {
  return clinicianRoles.some((clinician) => clinician === role);
}

export function isProvider(role: Role): role is ProviderRole {
  return providerRoles.some((provider) => provider === role);
}

export function isAdmin(role: Role): role is AdminRole {
  return adminRoles.some((admin) => admin === role);
}
