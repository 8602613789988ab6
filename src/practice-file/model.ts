import type { Static, TSchema } from "@sinclair/typebox";
import { adminRoles, clinicianRoles, type Role } from "../access/roles.ts";
import { AuthorizationPoolRecord, AuthorizationRecord } from "./authorizations.ts";
import { GoalRecord } from "./goals.ts";
import { TreatmentPlanRecord } from "./treatment-plans.ts";
import { IntakeLeadRecord } from "./intake-leads.ts";
import {
  IntakeLabelRecord,
  IntakeStageRecord,
  LocationRecord,
  NonBillableCodeRecord,
  OrganizationRecord,
  PayorRecord,
  ServiceLineRecord,
  SpecializationRecord,
} from "./reference-data.ts";
import { EncounterRecord, SessionRecord } from "./sessions.ts";
import {
  AdministratorRecord,
  CaregiverRecord,
  ClinicianRecord,
  PatientRecord,
  TechnicianRecord,
  type UserRecord,
} from "./users.ts";

export type * from "./authorizations.ts";
export type * from "./goals.ts";
export type * from "./intake-leads.ts";
export type * from "./reference-data.ts";
export type * from "./sessions.ts";
export type * from "./treatment-plans.ts";
export type * from "./users.ts";

/** The types of record, in the order in which an export writes them (practice file). */
export const recordTypes = [
  "organization",
  "location",
  "payor",
  "serviceLine",
  "nonBillableCode",
  "specialization",
  "intakeStage",
  "intakeLabel",
  "user",
  "authorizationPool",
  "authorization",
  "session",
  "encounter",
  "intakeLead",
  "treatmentPlan",
  "goal",
] as const;

export type RecordType = (typeof recordTypes)[number];

/**
 * The schema of each type of record, with the fields in the order in which an export writes them. An
 * optional field may be left out or null; a checked record only knows the former.
 */
const schemas = {
  organization: OrganizationRecord,
  location: LocationRecord,
  payor: PayorRecord,
  serviceLine: ServiceLineRecord,
  nonBillableCode: NonBillableCodeRecord,
  specialization: SpecializationRecord,
  intakeStage: IntakeStageRecord,
  intakeLabel: IntakeLabelRecord,
  authorizationPool: AuthorizationPoolRecord,
  authorization: AuthorizationRecord,
  session: SessionRecord,
  encounter: EncounterRecord,
  intakeLead: IntakeLeadRecord,
  treatmentPlan: TreatmentPlanRecord,
  goal: GoalRecord,
} satisfies Record<Exclude<RecordType, "user">, TSchema>;

/** The static type of each type of record. */
export type RecordOf = {
  [Type in keyof typeof schemas]: Static<(typeof schemas)[Type]>;
} & { user: UserRecord };

export type PracticeRecord = RecordOf[RecordType];

/** What a user may have depends on the role. */
const userSchemas: Record<Role, TSchema> = {
  PATIENT: PatientRecord,
  TECHNICIAN: TechnicianRecord,
  CAREGIVER: CaregiverRecord,
  ...forEach(clinicianRoles, ClinicianRecord),
  ...forEach(adminRoles, AdministratorRecord),
};

function forEach<Some extends Role>(roles: readonly Some[], schema: TSchema) {
  return Object.fromEntries(roles.map((role) => [role, schema])) as Record<Some, TSchema>;
}

/** The schema of the records of a type; for users, of a role. */
export function recordSchema(type: Exclude<RecordType, "user">): TSchema {
  return schemas[type];
}

export function userRecordSchema(role: Role): TSchema {
  return userSchemas[role];
}
