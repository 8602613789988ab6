import type { Static, TSchema } from "@sinclair/typebox";
import { adminRoles, clinicianRoles, type Role } from "../access/roles.ts";
import { AuthorizationPoolRecord, AuthorizationRecord } from "./model/authorizations.ts";
import { GoalRecord, TreatmentPlanRecord } from "./model/goals.ts";
import { IntakeLeadRecord } from "./model/intake.ts";
import {
  IntakeLabelRecord,
  IntakeStageRecord,
  LocationRecord,
  NonBillableCodeRecord,
  OrganizationRecord,
  PayorRecord,
  ServiceLineRecord,
  SpecializationRecord,
} from "./model/reference-data.ts";
import { EncounterRecord, SessionRecord } from "./sessions.ts";
import {
  AdministratorRecord,
  CaregiverRecord,
  ClinicianRecord,
  PatientRecord,
  TechnicianRecord,
  type UserRecord,
} from "./model/users.ts";

export * from "./model/authorizations.ts";
export * from "./model/goals.ts";
export * from "./model/intake.ts";
export * from "./model/reference-data.ts";
export * from "./sessions.ts";
export * from "./model/users.ts";

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
