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
  ofRecord("user", "caregiverId", CAREGIVER, { table: "users", user: "caregiver_id" }),
  ofRecord("user", "primaryClinicianId", providerRoles, {
    table: "users",
    user: "primary_clinician_id",
  }),
  ofRecord("user", "clinicianIds", providerRoles, {
    table: "patient_clinicians",
    owner: "patient_id",
    user: "clinician_id",
  }),
  ofRecord("user", "careTeamTechnicianIds", TECHNICIAN, {
    table: "care_team_links",
    owner: "clinician_id",
    user: "technician_id",
  }),
  ofRecord("authorizationPool", "patientId", PATIENT, {
    table: "authorization_pools",
    user: "patient_id",
  }),
  ofRecord("authorization", "patientId", PATIENT, { table: "authorizations", user: "patient_id" }),
  ofRecord("session", "technicianId", TECHNICIAN, { table: "sessions", user: "technician_id" }),
  ofRecord("session", "clientId", PATIENT, { table: "sessions", user: "client_id" }),
  ofRecord("session", "clinicianId", clinicianRoles, { table: "sessions", user: "clinician_id" }),
  ofRecord("intakeLead", "clientId", PATIENT, { table: "intake_leads", user: "client_id" }),
  ofRecord("intakeLead", "caregiverId", CAREGIVER, { table: "intake_leads", user: "caregiver_id" }),
  ofRecord("treatmentPlan", "patientId", PATIENT, { table: "treatment_plans", user: "patient_id" }),
];

function ofRecord(
  type: RecordType,
  field: string,
  roles: readonly Role[],
  stored: Pick<UserReference, "table" | "user"> & Partial<Pick<UserReference, "owner">>,
): UserReference {
  return { type, field, roles, owner: "public_id", ...stored };
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
