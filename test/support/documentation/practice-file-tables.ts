import type { TObject, TSchema } from "@sinclair/typebox";
import {
  BehaviorInstanceEntry,
  IntervalSetEntry,
  MetricEntry,
  RatingEntry,
  SkillTrialEntry,
} from "../../../src/goals/models/records.ts";
import { variantsOf } from "../../../src/practice-file/model.ts";
import { type RecordType, recordTypes } from "../../../src/schema/record-types.ts";
import {
  CredentialEntry,
  CredentialingEntry,
  PayorEntry,
} from "../../../src/users/stored-entries.ts";
import {
  intakeStageMap,
  organizationMap,
  specializationMap,
} from "../../../src/schema/reference-data.ts";
import { userMap } from "../../../src/schema/users.ts";

/** Generates the tables of docs/practice-file.md from the schemas, except the last column. */

export interface Table {
  /** The name in the heading above the table, in backticks. */
  name: string;
  rows: string[][];
}

type Defaults = Readonly<Record<string, { unlessGiven: unknown }>>;

const defaultsOf: Partial<Record<RecordType, Defaults>> = {
  organization: organizationMap.fields,
  specialization: specializationMap.fields,
  intakeStage: intakeStageMap.fields,
  user: userMap.fields,
  goal: {
    status: { unlessGiven: "BASELINE" },
    autoProgressToMaintenanceEnabled: { unlessGiven: false },
    autoProgressToMasteredEnabled: { unlessGiven: false },
    isBehavior: { unlessGiven: false },
  },
};

/** Entries of lists in records. */
const entries: [name: string, schema: TSchema][] = [
  ["payors[]", PayorEntry],
  ["insuredAddress", PayorEntry.properties.insuredAddress],
  ["credentials[]", CredentialEntry],
  ["payorCredentialing[]", CredentialingEntry],
  ["baselineMetric", MetricEntry],
  ["behaviorInstances[]", BehaviorInstanceEntry],
  ["skillTrials[]", SkillTrialEntry],
  ["ratingInstances[]", RatingEntry],
  ["intervalSets[]", IntervalSetEntry],
];

/** A table of the fields that all variants of a type share, and one of the additional fields of each variant. */
function tablesOf(type: RecordType): Table[] {
  const { variants: kinds, discriminator } = variantsOf(type);
  const isShared = (name: string) => kinds.every(({ properties }) => name in properties);
  const [first] = kinds as [TObject];
  const shared = { name: type, rows: rowsOf(first, isShared, defaultsOf[type]) };
  if (discriminator === undefined) return [shared];
  const kindsOf = (kind: TObject) => valuesOf(kind.properties[discriminator] ?? {});
  const discriminatorRow = shared.rows.find(([field]) => field === `\`${discriminator}\``);
  if (discriminatorRow !== undefined) discriminatorRow[2] = quoted(kinds.flatMap(kindsOf));
  return [
    shared,
    ...kinds.map((kind) => ({
      name: kindsOf(kind).join(", "),
      rows: rowsOf(kind, (name) => !isShared(name), defaultsOf[type]),
    })),
  ];
}

function rowsOf(
  { properties, required = [] }: TObject,
  isShown: (name: string) => boolean,
  defaults: Defaults = {},
): string[][] {
  return Object.entries(properties)
    .filter(([name]) => name !== "type" && isShown(name))
    .map(([name, schema]) => {
      const { unlessGiven } = defaults[name] ?? {};
      const isNeeded = required.includes(name);
      const otherwise = unlessGiven === undefined ? "no" : `no: \`${String(unlessGiven)}\``;
      return [`\`${name}\``, isNeeded ? "yes" : otherwise, formOf(schema as Node)];
    });
}

interface Node {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Node[];
  type?: string;
  format?: string;
  minLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  items?: Node;
}

const FORMATS: Record<string, string> = {
  "public-id": "id",
  "goal-id": "id that begins with `goal_`",
  date: "date",
  "date-time": "instant",
  "time-zone": "time zone",
};

function valuesOf(schema: object): string[] {
  const { const: only, enum: values = only === undefined ? [] : [only] }: Node = schema;
  return values.map(String);
}

function quoted(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(", ");
}

function formOf(schema: Node): string {
  const values = valuesOf(schema);
  if (values.length > 0) return quoted(values);
  const isNull = ({ type }: Node) => type === "null";
  if (schema.anyOf?.some(isNull) === true) {
    const value = schema.anyOf.find((each) => !isNull(each));
    return `${formOf(value ?? {})}, or null`;
  }
  if (schema.format !== undefined) return FORMATS[schema.format] ?? schema.format;
  switch (schema.type) {
    case "string":
      return (schema.minLength ?? 0) > 0 ? "text, not empty" : "text";
    case "integer":
    case "number":
      return `${schema.type === "integer" ? "whole number" : "number"}${boundOf(schema)}`;
    case "array": {
      const item = formOf(schema.items ?? {});
      return item === "object" ? "list" : `list: ${item}`;
    }
    case "boolean":
      return "`true`, `false`";
    default:
      return "object";
  }
}

function boundOf({ minimum, exclusiveMinimum }: Node): string {
  if (exclusiveMinimum !== undefined) return ` > ${exclusiveMinimum}`;
  const isBound = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER;
  return isBound ? ` ≥ ${minimum}` : "";
}

export const tables: Table[] = [
  ...recordTypes.flatMap(tablesOf),
  ...entries.map(([name, schema]) => ({
    name,
    rows: rowsOf(schema as TObject, () => true),
  })),
];
