import {
  type AuthorizationPoolRow,
  type AuthorizationRow,
  fromBit,
  type IntakeStageRow,
  type OrganizationRow,
  type ServiceLineRow,
  type SpecializationRow,
  type TreatmentPlanRow,
} from "../../../db/schema.ts";
import type { RecordType } from "../model.ts";
import { compact, type Fields } from "./compact.ts";

/** Records that are one row each: from the row to the record. */

export function organizationFields(row: OrganizationRow): Fields {
  return compact({
    type: "organization",
    publicId: row.public_id,
    name: row.name,
    timezone: row.time_zone,
    weekStartsOn: row.week_starts_on,
  });
}

/** Of a location, a payor, a non-billable code or an intake label. */
export function namedFields(type: RecordType, row: { public_id: string; name: string }): Fields {
  return { type, publicId: row.public_id, name: row.name };
}

export function serviceLineFields(row: ServiceLineRow): Fields {
  // Not compacted: null says that the line is billed by the visit.
  return { ...namedFields("serviceLine", row), billingUnitMinutes: row.billing_unit_minutes };
}

export function specializationFields(row: SpecializationRow): Fields {
  return { ...namedFields("specialization", row), isActive: fromBit(row.is_active) };
}

export function intakeStageFields(row: IntakeStageRow): Fields {
  return compact({
    type: "intakeStage",
    publicId: row.public_id,
    key: row.built_in_key,
    name: row.name,
    position: row.position,
    isActive: fromBit(row.is_active),
  });
}

export function authorizationPoolFields(row: AuthorizationPoolRow): Fields {
  return {
    type: "authorizationPool",
    publicId: row.public_id,
    patientId: row.patient_id,
    payorId: row.payor_id,
    totalUnits: row.total_units,
    unitFrequency: row.unit_frequency,
    isUnlimited: fromBit(row.is_unlimited),
  };
}

export function authorizationFields(row: AuthorizationRow): Fields {
  return compact({
    type: "authorization",
    publicId: row.public_id,
    patientId: row.patient_id,
    authorizationPoolId: row.authorization_pool_id,
    authorizationNumber: row.authorization_number,
    authorizationStatus: row.authorization_status,
    authorizedUnitsQuantity: row.authorized_units_quantity,
    authorizedUnitFrequency: row.authorized_unit_frequency,
    serviceLineId: row.service_line_id,
    authorizationDate: row.authorization_date,
    authorizationExpirationDate: row.authorization_expiration_date,
  });
}

export function treatmentPlanFields(row: TreatmentPlanRow): Fields {
  return compact({
    type: "treatmentPlan",
    publicId: row.public_id,
    patientId: row.patient_id,
    name: row.name,
  });
}
