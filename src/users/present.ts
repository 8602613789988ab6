import type { Static } from "@sinclair/typebox";
import { fromBit } from "../../db/schema.ts";
import { isAdmin, isClinician, isProvider, type Role } from "../access/roles.ts";
import type { UserDetails } from "./details.ts";
import type { AuthorizationPool, PatientPayor, ProviderCredential, User } from "./model.ts";
import type { ShownUserRow } from "./repository.ts";

/** A user as the API shows it: the base fields, and what the role adds (specification 2.1). */
export function presentUser(row: ShownUserRow, details: UserDetails): User {
  const role = row.role as Role;
  if (role === "PATIENT") return { ...baseFields(row, role), ...patientFields(row, details) };
  if (isClinician(role))
    return {
      ...baseFields(row, role),
      ...providerFields(row, details),
      careTeamTechnicianIds: (details.technicians.get(row.public_id) ?? []).map(
        (link) => link.technician_id,
      ),
    };
  if (isProvider(role))
    return {
      ...baseFields(row, role),
      ...providerFields(row, details),
      careTeamLeadIds: (details.leads.get(row.public_id) ?? []).map((link) => link.clinician_id),
    };
  if (isAdmin(role)) return { ...baseFields(row, role), ...placeFields(row, details) };
  return baseFields(row, role);
}

function baseFields<Kind extends Role>(row: ShownUserRow, role: Kind) {
  return {
    publicId: row.public_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email ?? "",
    phoneNumber: row.phone_number ?? "",
    userStatus: row.user_status,
    isActive: fromBit(row.is_active),
    role,
    sex: row.sex,
    birthDate: row.birth_date,
    caregiverId: row.caregiver_id,
    addressLine1: row.address_line1,
    addressLine2: row.address_line2,
    city: row.city,
    state: row.state,
    postalCode: row.postal_code,
  };
}

function placeFields(row: ShownUserRow, details: UserDetails) {
  return {
    locationIds: (details.locations.get(row.public_id) ?? []).map((link) => link.location_id),
    primaryLocationId: row.primary_location_id,
  };
}

function providerFields(row: ShownUserRow, details: UserDetails) {
  return {
    credentials: credentialsOf(row.public_id, details),
    complianceCredentials: (JSON.parse(row.compliance_credentials ?? "[]") as string[]).sort(),
    specializations: (details.specializations.get(row.public_id) ?? []).map((link) => ({
      publicId: link.public_id,
      name: link.name,
    })),
    ...placeFields(row, details),
  };
}

function credentialsOf(userId: string, details: UserDetails): Static<typeof ProviderCredential>[] {
  const credentialing = details.credentialing.get(userId) ?? [];
  return (details.credentials.get(userId) ?? []).map((credential) => ({
    credentialType: credential.credential_type,
    practiceArea: credential.practice_area,
    credentialNumber: credential.credential_number,
    expiresAt: credential.expires_at,
    credentialStatus: credential.credential_status,
    payorCredentialing: credentialing
      .filter((entry) => entry.credential_position === credential.position)
      .map((entry) => ({
        publicId: entry.public_id,
        payor: { publicId: entry.payor_id, name: entry.payor_name },
        status: entry.status,
        startDate: entry.start_date,
        endDate: entry.end_date,
        notes: entry.notes,
      })),
  }));
}

function patientFields(row: ShownUserRow, details: UserDetails) {
  const id = row.public_id;
  const authorizations = details.authorizations.get(id) ?? [];
  return {
    internalRecordId: row.internal_record_id,
    payors: payorsOf(id, details),
    authorizations: authorizations
      .filter((authorization) => authorization.authorization_pool_id === null)
      .map((authorization) => ({
        ...authorizationFields(authorization),
        // A standalone authorization always has both; the practice file refuses one without.
        authorizedUnitsQuantity: authorization.authorized_units_quantity ?? 0,
        authorizedUnitFrequency: authorization.authorized_unit_frequency ?? "",
        ...authorizationScope(authorization),
      })),
    authorizationPools: poolsOf(id, details),
    locationIds: (details.locations.get(id) ?? []).map((link) => link.location_id),
    clinicianIds: (details.clinicians.get(id) ?? []).map((link) => link.clinician_id),
    primaryClinicianId: row.primary_clinician_id,
  };
}

type AuthorizationRow = NonNullable<ReturnType<UserDetails["authorizations"]["get"]>>[number];

function authorizationFields(row: AuthorizationRow) {
  return {
    publicId: row.public_id,
    authorizationNumber: row.authorization_number,
    authorizationStatus: row.authorization_status,
  };
}

function authorizationScope(row: AuthorizationRow) {
  return {
    serviceLine: { publicId: row.service_line_id, name: row.service_line_name },
    authorizationDate: row.authorization_date,
    authorizationExpirationDate: row.authorization_expiration_date,
  };
}

function poolsOf(patientId: string, details: UserDetails): Static<typeof AuthorizationPool>[] {
  const authorizations = details.authorizations.get(patientId) ?? [];
  return (details.pools.get(patientId) ?? []).map((pool) => ({
    publicId: pool.public_id,
    totalUnits: pool.total_units,
    unitFrequency: pool.unit_frequency,
    isUnlimited: fromBit(pool.is_unlimited),
    payor: { publicId: pool.payor_id, name: pool.payor_name },
    authorizations: authorizations
      .filter((authorization) => authorization.authorization_pool_id === pool.public_id)
      .map((authorization) => ({
        ...authorizationFields(authorization),
        ...authorizationScope(authorization),
      })),
  }));
}

function payorsOf(patientId: string, details: UserDetails): Static<typeof PatientPayor>[] {
  return (details.payors.get(patientId) ?? []).map((entry) => ({
    payorName: entry.payor_name,
    priority: entry.priority,
    relationshipToPatient: entry.relationship_to_patient,
    insuredBirthDate: entry.insured_birth_date,
    insuredAddress: JSON.parse(entry.insured_address),
    memberId: entry.member_id,
    groupId: entry.group_id,
    planHolder: entry.plan_holder,
    effectiveStartDate: entry.effective_start_date,
    effectiveEndDate: entry.effective_end_date,
  }));
}
