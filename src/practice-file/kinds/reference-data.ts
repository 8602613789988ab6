import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { OWN_PATIENTS_ONLY } from "../../callers/permissions.ts";
import { Modifiers, ProcedureCode } from "../../billing/line.ts";
import { intakeStageKeys } from "../../intake-leads/model.ts";
import { serviceKinds } from "../../reference-data/model.ts";
import { WEEK_DAYS } from "../../lib/calendar-date.ts";
import {
  EnumField,
  NameOfRecordField,
  Nullable,
  OrganizationIdField,
  PublicIdField,
  TimeZoneField,
} from "../../schema/fields.ts";
import { exporter, storer } from "../../schema/record-map.ts";
import {
  intakeLabelMap,
  intakeStageMap,
  locationMap,
  nonBillableCodeMap,
  organizationMap,
  payorMap,
  serviceLineMap,
  specializationMap,
} from "../../schema/reference-data.ts";
import type { RecordType } from "../../schema/record-types.ts";
import { plainKind } from "./record-kind.ts";

/** The organization and its reference data. */

const Name = NameOfRecordField();
/** The greatest integer that the columns and JSON numbers represent exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER;
const IsActive = Type.Optional(Type.Boolean());

const OrganizationRecord = Type.Object({
  type: Type.Literal("organization"),
  publicId: OrganizationIdField(),
  name: Name,
  timezone: Type.Optional(TimeZoneField()),
  weekStartsOn: Type.Optional(EnumField(WEEK_DAYS)),
  ownPatientsOnly: Type.Optional(EnumField(OWN_PATIENTS_ONLY)),
  goalDaysInARow: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
});

function namedRecord<Name extends RecordType, Fields extends TProperties>(
  type: Name,
  fields: Fields,
) {
  return Type.Object({
    type: Type.Literal(type),
    publicId: PublicIdField(),
    name: Name,
    ...fields,
  });
}

const LocationRecord = namedRecord("location", {});
const SpecializationRecord = namedRecord("specialization", { isActive: IsActive });
const ServiceLineRecord = namedRecord("serviceLine", {
  billingUnitMinutes: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: LARGEST,
      description: "Minutes of a unit, or null for a visit.",
    }),
  ),
  code: Type.Optional(ProcedureCode),
  modifiers: Type.Optional(Modifiers),
  recordsData: Type.Optional(Type.Boolean()),
  isGroup: Type.Optional(Type.Boolean()),
  kind: Type.Optional(EnumField(serviceKinds)),
});

const IntakeStageRecord = Type.Object({
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

export type OrganizationRecord = Static<typeof OrganizationRecord>;
export type LocationRecord = Static<typeof LocationRecord>;

/** The organization's record, the first of a file. */
export const organization = {
  variants: [OrganizationRecord],
  columns: storer(organizationMap),
  present: exporter(organizationMap, OrganizationRecord),
};

export const location = plainKind(locationMap, [LocationRecord]);
export const payor = plainKind(payorMap, [namedRecord("payor", {})]);
export const serviceLine = plainKind(serviceLineMap, [ServiceLineRecord], {
  check({ modifiers = [] }, refuse) {
    for (const [index, modifier] of modifiers.entries())
      if (modifiers.indexOf(modifier) < index)
        refuse({ path: ["modifiers", index], message: "occurs twice", value: modifier });
  },
});
export const nonBillableCode = plainKind(nonBillableCodeMap, [namedRecord("nonBillableCode", {})]);
export const specialization = plainKind(specializationMap, [SpecializationRecord]);
export const intakeStage = plainKind(intakeStageMap, [IntakeStageRecord]);
export const intakeLabel = plainKind(intakeLabelMap, [namedRecord("intakeLabel", {})]);
