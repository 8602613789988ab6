import { clinicianRoles, providerRoles, type Role } from "../access/roles.ts";
import type { RecordType } from "./model.ts";

/** A field that names a user: which roles it takes, and where it is stored. */
export interface UserReference {
  type: RecordType;
  field: string;
  roles: readonly Role[];
  table:
    | "users"
    | "patient_clinicians"
    | "care_team_links"
    | "authorization_pools"
    | "authorizations"
    | "sessions"
    | "intake_leads"
    | "treatment_plans";
  /** The column for the record that has the field. */
  owner: string;
  /** The column for the user who is named. */
  user: string;
}

const PATIENT = ["PATIENT"] as const;
const CAREGIVER = ["CAREGIVER"] as const;
const TECHNICIAN = ["TECHNICIAN"] as const;

/**
 * Every field that names a user, with the roles that fit (practice file). Patients are attached to providers,
 * technicians among them; a session's clinician has a clinician's role.
 */
export const userReferences: readonly UserReference[] = [
  ofRecord("user", "caregiverId", CAREGIVER, "users", "caregiver_id"),
  ofRecord("user", "primaryClinicianId", providerRoles, "users", "primary_clinician_id"),
  {
    ...ofRecord("user", "clinicianIds", providerRoles, "patient_clinicians", "clinician_id"),
    owner: "patient_id",
  },
  {
    ...ofRecord("user", "careTeamTechnicianIds", TECHNICIAN, "care_team_links", "technician_id"),
    owner: "clinician_id",
  },
  ofRecord("authorizationPool", "patientId", PATIENT, "authorization_pools", "patient_id"),
  ofRecord("authorization", "patientId", PATIENT, "authorizations", "patient_id"),
  ofRecord("session", "technicianId", TECHNICIAN, "sessions", "technician_id"),
  ofRecord("session", "clientId", PATIENT, "sessions", "client_id"),
  ofRecord("session", "clinicianId", clinicianRoles, "sessions", "clinician_id"),
  ofRecord("intakeLead", "clientId", PATIENT, "intake_leads", "client_id"),
  ofRecord("intakeLead", "caregiverId", CAREGIVER, "intake_leads", "caregiver_id"),
  ofRecord("treatmentPlan", "patientId", PATIENT, "treatment_plans", "patient_id"),
];

function ofRecord(
  type: RecordType,
  field: string,
  roles: readonly Role[],
  table: UserReference["table"],
  user: string,
): UserReference {
  return { type, field, roles, table, owner: "public_id", user };
}

/** The roles that a field takes. */
export function rolesFor(type: RecordType | undefined, field: string): readonly Role[] {
  const reference = userReferences.find((one) => one.type === type && one.field === field);
  if (reference === undefined) throw new TypeError(`${type}.${field} names no user`);
  return reference.roles;
}

/** What `misfit` says, whoever is named. */
export const OTHER_ROLE = "Names a user of another role";

/** What is wrong with naming a user of this role, or undefined if nothing is. */
export function misfit(id: string, role: string, roles: readonly Role[]): string | undefined {
  if (roles.some((fitting) => fitting === role)) return undefined;
  return `${id} has the role ${role}, and must have ${roles.join(" or ")}`;
}
