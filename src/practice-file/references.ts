import { clinicianRoles, providerRoles, type Role } from "../access/roles.ts";
import type { OwnedType } from "../schema/record-types.ts";
import type { Path } from "./mistakes.ts";
import type { OwnedTable } from "./record-kind.ts";

/** A field by which records name others, and where it is stored. */
export interface Reference {
  type: OwnedType;
  /** The name of the field; of one within lists or objects, the names on the way to it. */
  field: readonly string[];
  names: OwnedType;
  /** The roles that a user must have who is named so. */
  roles?: readonly Role[];
  table: OwnedTable;
  /** The column for the record that has the field. */
  owner: string;
  /** The column for the record that is named. */
  column: string;
}

const PATIENT = ["PATIENT"] as const;
const CAREGIVER = ["CAREGIVER"] as const;
const TECHNICIAN = ["TECHNICIAN"] as const;

/**
 * Every field that names another record (practice file), the type or the roles that it names, and where it is stored,
 * with the column of its owner in a table of its own. What is looked up, what is refused, which new role of a user is
 * at odds with others, and why something cannot be deleted, all follow from this table.
 */
const fields: readonly [
  field: `${OwnedType}.${string}`,
  names: OwnedType | readonly Role[],
  stored: `${OwnedTable}.${string}`,
  owner?: string,
][] = [
  ["user.caregiverId", CAREGIVER, "users.caregiver_id"],
  ["user.primaryClinicianId", providerRoles, "users.primary_clinician_id"],
  ["user.clinicianIds", providerRoles, "patient_clinicians.clinician_id", "patient_id"],
  ["user.careTeamTechnicianIds", TECHNICIAN, "care_team_links.technician_id", "clinician_id"],
  ["user.primaryLocationId", "location", "users.primary_location_id"],
  ["user.locationIds", "location", "user_locations.location_id", "user_id"],
  [
    "user.specializationIds",
    "specialization",
    "provider_specializations.specialization_id",
    "user_id",
  ],
  ["user.providerPayorIds", "payor", "provider_payors.payor_id", "user_id"],
  ["user.payors.payorId", "payor", "patient_payors.payor_id", "patient_id"],
  [
    "user.credentials.payorCredentialing.payorId",
    "payor",
    "payor_credentialing.payor_id",
    "user_id",
  ],
  ["authorizationPool.patientId", PATIENT, "authorization_pools.patient_id"],
  ["authorizationPool.payorId", "payor", "authorization_pools.payor_id"],
  ["authorization.patientId", PATIENT, "authorizations.patient_id"],
  [
    "authorization.authorizationPoolId",
    "authorizationPool",
    "authorizations.authorization_pool_id",
  ],
  ["authorization.payorId", "payor", "authorizations.payor_id"],
  ["authorization.serviceLineId", "serviceLine", "authorizations.service_line_id"],
  ["session.locationId", "location", "sessions.location_id"],
  ["session.technicianId", TECHNICIAN, "sessions.technician_id"],
  ["session.clientId", PATIENT, "sessions.client_id"],
  ["session.clinicianId", clinicianRoles, "sessions.clinician_id"],
  ["session.providerLocationId", "location", "sessions.provider_location_id"],
  ["session.services", "serviceLine", "sessions.service_line_id"],
  ["session.authorizationId", "authorization", "sessions.authorization_id"],
  ["session.nonBillableCode", "nonBillableCode", "sessions.non_billable_code_id"],
  ["encounter.authorizationId", "authorization", "encounters.authorization_id"],
  ["encounter.sessionId", "session", "encounters.session_id"],
  ["intakeLead.clientId", PATIENT, "intake_leads.client_id"],
  ["intakeLead.caregiverId", CAREGIVER, "intake_leads.caregiver_id"],
  ["intakeLead.stageId", "intakeStage", "intake_leads.stage_id"],
  ["intakeLead.labelIds", "intakeLabel", "intake_lead_labels.label_id", "lead_id"],
  ["treatmentPlan.patientId", PATIENT, "treatment_plans.patient_id"],
  ["goal.treatmentPlanId", "treatmentPlan", "goals.treatment_plan_id"],
];

/** The same, field by field. */
export const references: readonly Reference[] = fields.map(
  ([name, named, stored, owner = "public_id"]) => {
    const [type = "", ...field] = name.split(".");
    const [table = "", column = ""] = stored.split(".");
    const names = typeof named === "string" ? { names: named } : { names: "user", roles: named };
    return { type, field, table, column, owner, ...names } as Reference;
  },
);

const ofType = Map.groupBy(references, ({ type }) => type);
const toType = Map.groupBy(references, ({ names }) => names);

/** The fields of a type that name records. */
export function referencesOf(type: OwnedType): readonly Reference[] {
  return ofType.get(type) ?? [];
}

/** The fields that name records of a type. */
export function referencesTo(type: OwnedType): readonly Reference[] {
  return toType.get(type) ?? [];
}

/** The ids that a field of a record names, each with where it stands. */
export function namedBy(record: object, { field }: Reference): { id: string; path: Path }[] {
  const found: { id: string; path: Path }[] = [];
  collect(record, field, [], found);
  return found;
}

function collect(
  value: unknown,
  field: readonly string[],
  path: Path,
  found: { id: string; path: Path }[],
): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) collect(item, field, [...path, index], found);
  else if (typeof value === "string") found.push({ id: value, path });
  else {
    const [name = "", ...inner] = field;
    collect((value as Record<string, unknown>)[name], inner, [...path, name], found);
  }
}
