/** The ten roles, and what kinds of user they are. */
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

/** Who may supervise technicians; each carries `careTeamTechnicianIds`. */
export const clinicianRoles = ["CLINICIAN", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"] as const;

/** Who treats patients, and carries credentials and specializations. */
export const providerRoles = [
  "CLINICIAN",
  "TECHNICIAN",
  "CLINICAL_ADMIN",
  "CLINICAL_SUPERADMIN",
] as const;

/** Who administers the practice. */
export const adminRoles = [
  "ADMIN",
  "BILLING_MANAGER",
  "SCHEDULING_MANAGER",
  "PAYROLL_ADMIN",
] as const;

/** The roles that a new user may be given. */
export const assignableRoles = [
  "ADMIN",
  "BILLING_MANAGER",
  "SCHEDULING_MANAGER",
  "CLINICIAN",
  "TECHNICIAN",
  "PATIENT",
  "CAREGIVER",
  "CLINICAL_ADMIN",
  "PAYROLL_ADMIN",
] as const;

export type ClinicianRole = (typeof clinicianRoles)[number];
export type ProviderRole = (typeof providerRoles)[number];
export type AdminRole = (typeof adminRoles)[number];
export type AssignableRole = (typeof assignableRoles)[number];

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text);
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
