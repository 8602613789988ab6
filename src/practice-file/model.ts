import type { TObject } from "@sinclair/typebox";
import { type OwnedType, type RecordType, recordTypes } from "../schema/record-types.ts";
import { authorization, authorizationPool } from "./kinds/authorizations.ts";
import { goal, treatmentPlan } from "./kinds/goals.ts";
import { intakeLead } from "./kinds/intake-leads.ts";
import { type RecordKind, type Variants, valuesOf } from "./kinds/record-kind.ts";
import {
  intakeLabel,
  intakeStage,
  location,
  nonBillableCode,
  organization,
  type OrganizationRecord,
  payor,
  serviceLine,
  specialization,
} from "./kinds/reference-data.ts";
import { encounter, session } from "./kinds/sessions.ts";
import { user } from "./kinds/users.ts";

export type * from "./kinds/authorizations.ts";
export type * from "../goals/models/records.ts";
export type { TreatmentPlanRecord } from "./kinds/goals.ts";
export type * from "./kinds/intake-leads.ts";
export type * from "./kinds/reference-data.ts";
export type * from "./kinds/sessions.ts";
export type * from "./kinds/users.ts";
export type { CredentialEntry, CredentialingEntry, PayorEntry } from "../users/stored-entries.ts";

const kinds = {
  location,
  payor,
  serviceLine,
  nonBillableCode,
  specialization,
  intakeStage,
  intakeLabel,
  user,
  authorizationPool,
  authorization,
  session,
  encounter,
  intakeLead,
  treatmentPlan,
  goal,
};

/** The static types of record types. In a checked record, optional fields that a file has as null are absent. */
export type RecordOf = { organization: OrganizationRecord } & {
  [Type in OwnedType]: (typeof kinds)[Type] extends RecordKind<infer Record> ? Record : never;
};

export type PracticeRecord = RecordOf[RecordType];

export function kindOf(type: OwnedType): RecordKind {
  return kinds[type];
}

/** All types except the organization, each after those it refers to. */
export const ownedTypes = recordTypes.filter((type) => type !== "organization");

export function variantsOf(type: RecordType): Variants {
  return type === "organization" ? organization : kinds[type];
}

/** The schema of a record's variant; undefined if its discriminator is invalid. */
export function variantOf(
  type: RecordType,
  input: Readonly<Record<string, unknown>>,
): TObject | undefined {
  const { variants, discriminator: name } = variantsOf(type);
  if (name === undefined) return variants[0];
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  return variants.find((variant) => valuesOf(variant, name).includes(value));
}
