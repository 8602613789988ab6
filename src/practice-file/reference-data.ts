import { type Static, type TObject, Type } from "@sinclair/typebox";
import { intakeStageKeys } from "../intake-leads/model.ts";
import { WEEK_DAYS } from "../lib/calendar-date.ts";
import {
  EnumField,
  Nullable,
  OrganizationIdField,
  PublicIdField,
  ShortTextField,
  TimeZoneField,
} from "../schema/fields.ts";
import { exporter, type RecordMap, storer } from "../schema/record-map.ts";
import {
  intakeLabelMap,
  intakeStageMap,
  locationMap,
  nonBillableCodeMap,
  organizationMap,
  payorMap,
  serviceLineMap,
  specializationMap,
} from "../schema/reference-data.ts";
import type { RecordKind, RecordTable } from "./record-kind.ts";

/** The organization and its reference data. */

const Name = ShortTextField({ minLength: 1 });
/** The greatest integer that the columns and JSON numbers represent exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER;
const IsActive = Type.Optional(Type.Boolean());

export const OrganizationRecord = Type.Object({
  type: Type.Literal("organization"),
  publicId: OrganizationIdField(),
  name: Name,
  timezone: Type.Optional(TimeZoneField()),
  weekStartsOn: Type.Optional(EnumField(WEEK_DAYS)),
});

export const LocationRecord = Type.Object({
  type: Type.Literal("location"),
  publicId: PublicIdField(),
  name: Name,
});

export const PayorRecord = Type.Object({
  type: Type.Literal("payor"),
  publicId: PublicIdField(),
  name: Name,
});

export const ServiceLineRecord = Type.Object({
  type: Type.Literal("serviceLine"),
  publicId: PublicIdField(),
  name: Name,
  billingUnitMinutes: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: LARGEST,
      description: "Minutes of a unit, or null for a visit.",
    }),
  ),
});

export const NonBillableCodeRecord = Type.Object({
  type: Type.Literal("nonBillableCode"),
  publicId: PublicIdField(),
  name: Name,
});

export const SpecializationRecord = Type.Object({
  type: Type.Literal("specialization"),
  publicId: PublicIdField(),
  name: Name,
  isActive: IsActive,
});

export const IntakeStageRecord = Type.Object({
  type: Type.Literal("intakeStage"),
  publicId: PublicIdField(),
  key: Type.Optional(EnumField(intakeStageKeys)),
  name: Name,
  position: Type.Integer({
    minimum: -LARGEST,
    maximum: LARGEST,
    description: "Where it stands on the board.",
  }),
  isActive: IsActive,
});

export const IntakeLabelRecord = Type.Object({
  type: Type.Literal("intakeLabel"),
  publicId: PublicIdField(),
  name: Name,
});

export type OrganizationRecord = Static<typeof OrganizationRecord>;
export type LocationRecord = Static<typeof LocationRecord>;
export type PayorRecord = Static<typeof PayorRecord>;
export type ServiceLineRecord = Static<typeof ServiceLineRecord>;
export type NonBillableCodeRecord = Static<typeof NonBillableCodeRecord>;
export type SpecializationRecord = Static<typeof SpecializationRecord>;
export type IntakeStageRecord = Static<typeof IntakeStageRecord>;
export type IntakeLabelRecord = Static<typeof IntakeLabelRecord>;

/** The organization's record, the first of a file. */
export const organization = {
  columns: storer(organizationMap),
  present: exporter(organizationMap, OrganizationRecord),
};

/** A type whose records are single rows without references. */
function simple<Map extends RecordMap<RecordTable>, Schema extends TObject>(
  map: Map,
  schema: Schema,
): RecordKind<Static<Schema>> {
  const columns = storer(map);
  const present = exporter(map, schema) as unknown as (row: object) => object;
  return {
    table: map.table,
    lists: [],
    facts: [],
    rows: (record, { organizationId }) => ({
      row: { ...columns(record as object), organization_id: organizationId },
      lists: {},
    }),
    present: ({ row }) => present(row),
  };
}

export const location = simple(locationMap, LocationRecord);
export const payor = simple(payorMap, PayorRecord);
export const serviceLine = simple(serviceLineMap, ServiceLineRecord);
export const nonBillableCode = simple(nonBillableCodeMap, NonBillableCodeRecord);
export const specialization = simple(specializationMap, SpecializationRecord);
export const intakeStage = simple(intakeStageMap, IntakeStageRecord);
export const intakeLabel = simple(intakeLabelMap, IntakeLabelRecord);
