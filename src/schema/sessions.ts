import { bit, field, listOrNone, recordMap } from "./record-map.ts";

export const sessionMap = recordMap("sessions", {
  publicId: field("public_id"),
  title: field("title"),
  status: field("status"),
  startTime: field("start_time"),
  endTime: field("end_time"),
  isSupervision: field("is_supervision", bit),
  isClientPresent: field("is_client_present", bit),
  placeOfService: field("place_of_service"),
  locationId: field("location_id"),
  technicianId: field("technician_id"),
  clientId: field("client_id"),
  isBillable: field("is_billable", bit),
  isTelehealth: field("is_telehealth", bit),
  clinicianId: field("clinician_id"),
  providerLocationId: field("provider_location_id"),
  services: field("service_line_id"),
  nonBillableCode: field("non_billable_code_id"),
  authorizationId: field("authorization_id"),
});

export const encounterMap = recordMap("encounters", {
  publicId: field("public_id"),
  authorizationId: field("authorization_id"),
  sessionId: field("session_id"),
  startTime: field("start_time"),
  units: field("units"),
  billed: field("billed", listOrNone),
});
