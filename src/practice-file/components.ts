import { type TSchema, Type } from "@sinclair/typebox";
import { HandOver } from "../billing/line.ts";
import {
  BehaviorInstanceEntry,
  ChildGoalEntry,
  IntervalSetEntry,
  MetricEntry,
  OpportunityMetricEntry,
  PhaseEntry,
  RatingEntry,
  SkillTrialEntry,
} from "../goals/models/records.ts";
import { isNullable } from "../schema/cleaning.ts";
import { EnumField, OneOf, PublicIdField } from "../schema/fields.ts";
import { type RecordType, recordTypes } from "../schema/record-types.ts";
import { CredentialEntry, CredentialingEntry, PayorEntry } from "../users/stored-entries.ts";
import { ownedTypes, variantsOf } from "./model.ts";

/**
 * The records of practice files as named models, for the OpenAPI document and client types. Optional fields may be null,
 * as exports have them. Validation uses the models without names, which take null for absent.
 */

/** The names of variants, by a value of their discriminator. */
const variantNames: Partial<Record<RecordType, Record<string, string>>> = {
  user: {
    PATIENT: "PatientUser",
    CLINICIAN: "ClinicianUser",
    TECHNICIAN: "TechnicianUser",
    ADMIN: "AdministratorUser",
    CAREGIVER: "CaregiverUser",
  },
  session: { true: "BillableSession", false: "NonBillableSession" },
  goal: {
    frequency_duration: "FrequencyDurationGoal",
    opportunity: "OpportunityGoal",
    rating: "RatingGoal",
    interval: "IntervalGoal",
  },
};

/** Enumerations that may be null, by their fields: one component each, which the API's models have under the same name. */
const enumerationNames: Record<string, string> = {
  status: "GoalStatus",
  dataCollectionType: "DataCollectionType",
  successCriteria: "SuccessCriteria",
  authorizedUnitFrequency: "UnitFrequency",
  key: "IntakeStageKey",
  weekStartsOn: "WeekDay",
  ownPatientsOnly: "OwnPatientsOnly",
  kind: "ServiceKind",
};

/** Objects within records, by their text: making a schema optional copies it. */
const entryNames = new Map(
  Object.entries({
    PatientPayor: PayorEntry,
    InsuredAddress: PayorEntry.properties.insuredAddress,
    ProviderCredential: CredentialEntry,
    PayorCredentialing: CredentialingEntry,
    Metric: MetricEntry,
    OpportunityMetric: OpportunityMetricEntry,
    BehaviorInstance: BehaviorInstanceEntry,
    GoalPhase: PhaseEntry,
    SkillTrial: SkillTrialEntry,
    RatingInstance: RatingEntry,
    IntervalSet: IntervalSetEntry,
    ChildGoal: ChildGoalEntry,
    HandOver,
  }).map(([name, schema]) => [JSON.stringify(schema), `PracticeFile${name}`]),
);

/** A record that is deleted. */
const Deletion = Type.Object(
  {
    type: EnumField(ownedTypes, { description: "The type of the record." }),
    publicId: PublicIdField({ description: "The id of the record." }),
    deleted: Type.Literal(true, { description: "The record is deleted." }),
  },
  { $id: "PracticeFileDeletion" },
);

/** What changes of a stored record; fields that are left out stay. */
const Change = Type.Object(
  {
    type: EnumField(recordTypes, { description: "The type of the record." }),
    publicId: PublicIdField({ description: "The id of the record." }),
    // Not the constant that it is: generators write an optional one wrongly (Python), or as null (Go).
    deleted: Type.Optional(
      Type.Boolean({ description: "`true` deletes the record; a change leaves it out." }),
    ),
  },
  {
    $id: "PracticeFileChange",
    description:
      "A line that changes a stored record: its type and id, and the fields of its schema that change.",
    additionalProperties: Type.Unknown(),
  },
);

/** A model of each type, such as `PracticeFileSession`; of users, sessions and goals also one of each kind. */
export function recordModels(): TSchema[] {
  const models = recordTypes.map(modelOf);
  const description = "A line of a practice file: a record of any type, or the deletion of one.";
  return [
    ...models,
    Deletion,
    Change,
    OneOf([...models, Deletion], { $id: "PracticeFileRecord", description }),
  ];
}

function modelOf(type: RecordType): TSchema {
  const $id = `PracticeFile${type.charAt(0).toUpperCase()}${type.slice(1)}`;
  const { variants, discriminator = "" } = variantsOf(type);
  const names = variantNames[type];
  if (names === undefined) return named(variants[0] as TSchema, $id);
  const kinds = variants.map((variant) => named(variant, kindName(variant, discriminator, names)));
  return OneOf(kinds, { $id });
}

function kindName(
  { properties }: TSchema,
  discriminator: string,
  names: Record<string, string>,
): string {
  const { const: value, enum: values = [value] } = properties[discriminator] as TSchema;
  const [name] = (values as unknown[]).flatMap((each) => names[String(each)] ?? []);
  if (name === undefined) throw new TypeError(`A kind of ${discriminator} has no name`);
  return `PracticeFile${name}`;
}

/** A copy of an object's schema with a name, in which the objects within have names, too. */
function named(schema: TSchema, $id: string): TSchema {
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries<TSchema>(properties).map(([name, property]) => {
    const field = within(property);
    return [name, required.includes(name) || isNullable(field) ? field : nullable(field, name)];
  });
  const type = { ...properties.type, description: "The type of the record." };
  return {
    ...schema,
    $id,
    properties: { ...Object.fromEntries(fields), ...("type" in properties && { type }) },
  };
}

function within(schema: TSchema): TSchema {
  const name = entryNames.get(JSON.stringify(schema));
  if (name !== undefined) return named(schema, name);
  if (schema.$ref === ChildGoalEntry.$id) return { ...schema, $ref: "PracticeFileChildGoal" };
  if (schema.$id === undefined && schema.properties !== undefined)
    throw new TypeError("An object within a record of a practice file has no name");
  const { items, anyOf } = schema;
  return {
    ...schema,
    ...(items !== undefined && { items: within(items) }),
    // The literals of an enumeration stay.
    ...(anyOf !== undefined && schema.enum === undefined && { anyOf: anyOf.map(within) }),
  };
}

function nullable({ description, ...schema }: TSchema, name: string): TSchema {
  const $id = schema.enum === undefined ? undefined : enumerationNames[name];
  if (schema.enum !== undefined && $id === undefined && schema.$id === undefined)
    throw new TypeError(`The enumeration of the field ${name} has no name`);
  return Type.Union(
    [{ ...schema, ...($id !== undefined && { $id }) } as TSchema, Type.Null()],
    description === undefined ? {} : { description },
  );
}
