import { bit, field, json, recordMap, textOrEmpty, textSet, type Codec } from "./record-map.ts";

/** Users of all roles, and records that belong to them. */
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

interface PostalAddress {
  addressLine1?: string | null;
  addressLine2?: string | null;
  city?: string | null;
  state?: string | null;
  postalCode?: string | null;
}

/** Stored with all five keys, since the API shows all of them. */
const postalAddress: Codec<PostalAddress> = {
  present: json.present as Codec<PostalAddress>["present"],
  store: ({
    addressLine1 = null,
    addressLine2 = null,
    city = null,
    state = null,
    postalCode = null,
  }) => JSON.stringify({ addressLine1, addressLine2, city, state, postalCode }),
};

/** The API shows an empty text where there is none. */
const shownAsText: Codec<string> = {
  present: (stored: string | null) => stored ?? "",
  store: (text) => text,
};

/** An entry of a patient's `payors`. Rows also have its position in the list. */
export const patientPayorMap = recordMap("patient_payors", {
  payorId: field("payor_id"),
  priority: field("priority"),
  relationshipToPatient: field("relationship_to_patient"),
  insuredBirthDate: field("insured_birth_date"),
  insuredAddress: field("insured_address", postalAddress),
  memberId: field("member_id"),
  groupId: field("group_id", shownAsText),
  planHolder: field("plan_holder"),
  effectiveStartDate: field("effective_start_date"),
  effectiveEndDate: field("effective_end_date"),
});

/** An entry of a provider's `credentials`. */
export const credentialMap = recordMap("provider_credentials", {
  credentialType: field("credential_type"),
  practiceArea: field("practice_area"),
  credentialNumber: field("credential_number"),
  expiresAt: field("expires_at"),
  credentialStatus: field("credential_status"),
});

/** An entry of a credential's `payorCredentialing`. */
export const credentialingMap = recordMap("payor_credentialing", {
  publicId: field("public_id"),
  payorId: field("payor_id"),
  status: field("status"),
  startDate: field("start_date"),
  endDate: field("end_date"),
  notes: field("notes"),
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
