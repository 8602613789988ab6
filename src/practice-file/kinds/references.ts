import { clinicianRoles, providerRoles, type Role } from "../../callers/roles.ts";
import type { OwnedType } from "../../schema/record-types.ts";
import type { Path, Problem } from "./problem.ts";
import type { OwnedTable } from "./record-kind.ts";

/** A field that refers to other records, and its column. */
export interface Reference {
  type: OwnedType;
  /** The path of the field's name. */
  field: readonly string[];
  names: OwnedType;
  /** The allowed roles, for references to users. */
  roles?: readonly Role[];
  table: OwnedTable;
  /** The column of the record that has the field. */
  owner: string;
  column: string;
  agreement?: Agreement;
}

/** What a record and one that it refers to must have in common. */
interface Agreement {
  fields: readonly AgreedField[];
  /** The mistake of a changed record that no longer agrees with one that refers to it. */
  broken: Problem;
}

/** A field of the referring record, and one of the other record that must refer to the same. */
interface AgreedField {
  own: string;
  other: string;
  /** Whether the field may be absent. */
  isOptional?: true;
  /** The mistake of the referring record, at one of its fields. */
  at: string;
  message: string;
}

type FieldName = `${OwnedType}.${string}`;

const PATIENT = ["PATIENT"] as const;
const CAREGIVER = ["CAREGIVER"] as const;
const TECHNICIAN = ["TECHNICIAN"] as const;

/**
 * All fields that refer to other records (docs/practice-file.md): the referenced type or roles, and where the reference is
 * stored. From this table follow the lookups, the checks of references, the checks of changed roles, and the reasons
 * why a record cannot be deleted.
 */
const fields: readonly [
  field: FieldName,
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
    "credentialing_payors.payor_id",
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

/** The fields in which a record and the one that it names must agree, by the field that refers to the other record. */
const agreements: Partial<Record<FieldName, Agreement>> = {
  "session.authorizationId": {
    fields: [
      {
        own: "clientId",
        other: "patientId",
        at: "authorizationId",
        message: "is no authorization of the session's client",
      },
      {
        own: "services",
        other: "serviceLineId",
        at: "services",
        message: "is not the service line of the session's authorization",
      },
    ],
    broken: {
      path: [],
      message: "has another patient or service line than a session booked on it:",
    },
  },
  "encounter.sessionId": {
    fields: [
      {
        own: "authorizationId",
        other: "authorizationId",
        at: "sessionId",
        message: "is no session of the encounter's authorization",
      },
    ],
    broken: {
      path: ["authorizationId"],
      message: "is not the authorization of an encounter of this session:",
    },
  },
  "authorization.authorizationPoolId": {
    fields: [
      {
        own: "patientId",
        other: "patientId",
        at: "authorizationPoolId",
        message: "is a pool of another patient",
      },
      {
        own: "payorId",
        other: "payorId",
        isOptional: true,
        at: "payorId",
        message: "is not the payor of the pool",
      },
    ],
    broken: { path: [], message: "has another patient or payor than a member:" },
  },
};

/** The tables as a list of fields. */
export const references: readonly Reference[] = fields.map(
  ([name, target, stored, owner = "public_id"]) => {
    const [type = "", ...field] = name.split(".");
    const [table = "", column = ""] = stored.split(".");
    const names = typeof target === "string" ? { names: target } : { names: "user", roles: target };
    const agreement = agreements[name];
    return { type, field, table, column, owner, agreement, ...names } as Reference;
  },
);

const ofType = Map.groupBy(references, ({ type }) => type);
const toType = Map.groupBy(references, ({ names }) => names);

/** The column of a field that refers to a record. */
export function columnOf(type: OwnedType, name: string): string | undefined {
  return ofType.get(type)?.find(({ field }) => field[0] === name)?.column;
}

/**
 * The columns of a type on which other records depend: the role of a user; the patient, for the audit trail; and agreed
 * fields.
 */
export function factsOf(type: OwnedType): string[] {
  if (type === "user") return ["role"];
  const agreed = referencesTo(type).flatMap(({ agreement }) => agreement?.fields ?? []);
  const names = ["patientId", ...agreed.map(({ other }) => other)];
  return [...new Set(names.flatMap((name) => columnOf(type, name) ?? []))];
}

export function referencesTo(type: OwnedType): readonly Reference[] {
  return toType.get(type) ?? [];
}

/** A place in a record where it refers to another one. */
export interface Use {
  reference: Reference;
  id: string;
  path: Path;
}

/** All places where a record of a type refers to another one. */
export function namedBy(type: OwnedType, record: object): Use[] {
  const uses: Use[] = [];
  for (const reference of ofType.get(type) ?? []) {
    const { field } = reference;
    const value = (record as Record<string, unknown>)[field[0] as string];
    // Most fields are a single id or nothing.
    if (typeof value === "string") uses.push({ reference, id: value, path: field });
    else if (value !== undefined && value !== null)
      for (const { id, path } of idsIn(value, field.slice(1), field.slice(0, 1)))
        uses.push({ reference, id, path });
  }
  return uses;
}

/** The ids in a list of ids, or in the fields of a list of objects. */
function* idsIn(
  value: unknown,
  field: readonly string[],
  path: Path,
): Generator<{ id: string; path: Path }> {
  if (value === undefined || value === null) return;
  if (typeof value === "string") yield { id: value, path };
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* idsIn(item, field, [...path, index]);
  else {
    const [name = "", ...below] = field;
    yield* idsIn((value as Record<string, unknown>)[name], below, [...path, name]);
  }
}
