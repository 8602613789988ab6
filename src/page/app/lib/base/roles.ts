import type { Role } from "./wire.ts";

/** What roles mean for sessions. */

const CLINICIAN_ROLES: Role[] = ["CLINICIAN", "CLINICAL_ADMIN", "CLINICAL_SUPERADMIN"];

/** The schedule's name for roles with sessions; undefined for others. */
export function kindOf(role: Role): "patient" | "technician" | "clinician" | undefined {
  if (role === "PATIENT") return "patient";
  if (role === "TECHNICIAN") return "technician";
  return CLINICIAN_ROLES.includes(role) ? "clinician" : undefined;
}

export type StaffKind = "clinician" | "technician" | "provider";

/** Who of the staff has one of some roles; undefined for patients, caregivers and administrators. */
export function staffKindOf(roles: readonly Role[]): StaffKind | undefined {
  const kinds = new Set(roles.map(kindOf));
  if (kinds.has("patient") || kinds.has(undefined)) return undefined;
  if (kinds.size > 1) return "provider";
  return kinds.has("technician") ? "technician" : "clinician";
}

/** The roles of each kind. */
export const STAFF_ROLES: Record<StaffKind, readonly Role[]> = {
  clinician: CLINICIAN_ROLES,
  technician: ["TECHNICIAN"],
  provider: [...CLINICIAN_ROLES, "TECHNICIAN"],
};
