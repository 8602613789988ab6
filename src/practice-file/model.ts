import { type Static, type TObject, type TSchema, type TUnion, Type } from "@sinclair/typebox";
import { roles } from "../access/roles.ts";
import { EnumField } from "../schema/fields.ts";
import type { RecordType } from "../schema/record-types.ts";
import { AuthorizationPoolRecord, AuthorizationRecord } from "./authorizations.ts";
import { GoalRecord, TreatmentPlanRecord } from "./goal-records.ts";
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
export type * from "./goal-records.ts";
export type * from "./intake-leads.ts";
export type * from "./reference-data.ts";
export type * from "./sessions.ts";
export type * from "./users.ts";

/**
 * The schemas of record types, with fields in the order of exports. Optional fields may be absent or null in a file; in
 * a checked record they are absent.
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

/** The static types of record types. */
export type RecordOf = {
  [Type in keyof typeof schemas]: Static<(typeof schemas)[Type]>;
} & { user: UserRecord };

export type PracticeRecord = RecordOf[RecordType];

/** The fields of a user depend on the role. */
const userVariants = [
  PatientRecord,
  ClinicianRecord,
  TechnicianRecord,
  AdministratorRecord,
  CaregiverRecord,
];

/** The variants of records of a type. */
export interface RecordVariants {
  variants: readonly TObject[];
  /** The field that determines the variant, and the schema that refuses other values. */
  discriminator?: { name: string; schema: TSchema } | undefined;
}

const WithRole = Type.Object({ role: EnumField(roles) }, { additionalProperties: true });

/** The schemas of a record type's variants. */
export function variantsOf(type: RecordType): RecordVariants {
  if (type === "user")
    return { variants: userVariants, discriminator: { name: "role", schema: WithRole } };
  const schema: TSchema = schemas[type];
  const { anyOf, discriminator } = schema as Partial<TUnion<TObject[]>>;
  if (anyOf === undefined) return { variants: [schema as TObject] };
  const { propertyName: name } = discriminator as { propertyName: string };
  return { variants: anyOf, discriminator: { name, schema } };
}

/** The schema of a record's variant; undefined if its discriminator is invalid. */
export function variantOf(
  type: RecordType,
  input: Readonly<Record<string, unknown>>,
): TObject | undefined {
  const { variants, discriminator } = variantsOf(type);
  if (discriminator === undefined) return variants[0];
  const given = Object.hasOwn(input, discriminator.name) ? input[discriminator.name] : undefined;
  return variants.find(({ properties }) => {
    const { const: only, enum: values } = properties[discriminator.name] as Partial<{
      const: unknown;
      enum: unknown[];
    }>;
    return given !== undefined && (given === only || values?.includes(given) === true);
  });
}
