import { bit, field, recordMap, textOrEmpty, textSet } from "./record-map.ts";

/** Users of all roles, without their entries, which are documents. */
export const userMap = recordMap("users", {
  publicId: field("public_id"),
  role: field("role"),
  firstName: field("first_name"),
  lastName: field("last_name"),
  email: field("email", textOrEmpty),
  phoneNumber: field("phone_number", textOrEmpty),
  isActive: field("is_active", bit, true),
  createdAt: field("created_at"),
  updatedAt: field("updated_at"),
  npiNumber: field("npi_number"),
  shouldSendSMS: field("should_send_sms", bit, false),
  recertificationDate: field("recertification_date"),
  userStatus: field("user_status"),
  sex: field("sex"),
  birthDate: field("birth_date"),
  caregiverId: field("caregiver_id"),
  addressLine1: field("address_line1"),
  addressLine2: field("address_line2"),
  city: field("city"),
  state: field("state"),
  postalCode: field("postal_code"),
  country: field("country"),
  timezone: field("time_zone"),
  internalRecordId: field("internal_record_id"),
  primaryClinicianId: field("primary_clinician_id"),
  primaryLocationId: field("primary_location_id"),
  complianceCredentials: field("compliance_credentials", textSet),
});

/** A user's lists of ids, each with its link table and columns: `owner` is the user, `linked` the listed id. */
export const userLinks = {
  specializationIds: {
    table: "provider_specializations",
    owner: "user_id",
    linked: "specialization_id",
  },
  locationIds: { table: "user_locations", owner: "user_id", linked: "location_id" },
  providerPayorIds: { table: "provider_payors", owner: "user_id", linked: "payor_id" },
  clinicianIds: { table: "patient_clinicians", owner: "patient_id", linked: "clinician_id" },
  careTeamTechnicianIds: {
    table: "care_team_links",
    owner: "clinician_id",
    linked: "technician_id",
  },
} as const;

/** The payors to which a user's entries refer, likewise. */
export const entryLinks = {
  payorsOfPatient: { table: "patient_payors", owner: "patient_id", linked: "payor_id" },
  payorsOfCredentials: { table: "credentialing_payors", owner: "user_id", linked: "payor_id" },
} as const;
