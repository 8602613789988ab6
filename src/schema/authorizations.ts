import { bit, field, recordMap } from "./record-map.ts";

export const authorizationPoolMap = recordMap("authorization_pools", {
  publicId: field("public_id"),
  patientId: field("patient_id"),
  payorId: field("payor_id"),
  totalUnits: field("total_units"),
  unitFrequency: field("unit_frequency"),
  isUnlimited: field("is_unlimited", bit),
});

export const authorizationMap = recordMap("authorizations", {
  publicId: field("public_id"),
  patientId: field("patient_id"),
  authorizationPoolId: field("authorization_pool_id"),
  payorId: field("payor_id"),
  authorizationNumber: field("authorization_number"),
  authorizationStatus: field("authorization_status"),
  authorizedUnitsQuantity: field("authorized_units_quantity"),
  authorizedUnitFrequency: field("authorized_unit_frequency"),
  serviceLineId: field("service_line_id"),
  authorizationDate: field("authorization_date"),
  authorizationExpirationDate: field("authorization_expiration_date"),
});
