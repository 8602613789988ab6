import type { Db } from "../../../db/database.ts";
import { fromBit, type UserRow } from "../../../db/schema.ts";
import {
  cliniciansOf,
  credentialingOf,
  credentialsOf,
  locationsOf,
  payorsOf,
  specializationsOf,
  techniciansOf,
} from "../../users/details-repository.ts";
import { providerPayorsOf } from "../export-repository.ts";
import { compact, type Fields, optional } from "./compact.ts";

/** Users with what hangs on them: a number of statements that does not depend on how many users there are. */
export async function usersFields(
  db: Db,
  organizationId: string,
  users: UserRow[],
): Promise<Fields[]> {
  const lists = await readLists(db, organizationId, users);
  return users.map((user) => userFields(user, lists));
}

type Lists = Awaited<ReturnType<typeof readLists>>;

async function readLists(db: Db, organizationId: string, users: UserRow[]) {
  const userIds = users.map((user) => user.public_id);
  const these = { organizationId, userIds };
  const ofUser = (row: { user_id: string }) => row.user_id;
  const ofPatient = (row: { patient_id: string }) => row.patient_id;
  return {
    locations: Map.groupBy(await locationsOf(db, these), ofUser),
    payors: Map.groupBy(await payorsOf(db, these), ofPatient),
    clinicians: Map.groupBy(await cliniciansOf(db, these), ofPatient),
    credentials: Map.groupBy(await credentialsOf(db, these), ofUser),
    credentialing: Map.groupBy(await credentialingOf(db, these), ofUser),
    specializations: Map.groupBy(await specializationsOf(db, these), ofUser),
    providerPayors: Map.groupBy(await providerPayorsOf(db, organizationId, userIds), ofUser),
    technicians: Map.groupBy(await techniciansOf(db, these), (link) => link.clinician_id),
  };
}

/** A row has nothing in the columns of other roles, so every role can be written with the same fields. */
function userFields(row: UserRow, lists: Lists): Fields {
  const id = row.public_id;
  return compact({
    type: "user",
    publicId: id,
    role: row.role,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phoneNumber: row.phone_number,
    isActive: fromBit(row.is_active),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    npiNumber: row.npi_number,
    shouldSendSMS: fromBit(row.should_send_sms),
    recertificationDate: row.recertification_date,
    userStatus: row.user_status,
    sex: row.sex,
    birthDate: row.birth_date,
    caregiverId: row.caregiver_id,
    addressLine1: row.address_line1,
    addressLine2: row.address_line2,
    city: row.city,
    state: row.state,
    postalCode: row.postal_code,
    country: row.country,
    timezone: row.time_zone,
    internalRecordId: row.internal_record_id,
    payors: optional(lists.payors.get(id)?.map(payorEntry)),
    credentials: optional(credentialEntries(id, lists)),
    complianceCredentials: optional(JSON.parse(row.compliance_credentials ?? "[]")),
    specializationIds: optional(lists.specializations.get(id)?.map((link) => link.public_id)),
    locationIds: optional(lists.locations.get(id)?.map((link) => link.location_id)),
    primaryLocationId: row.primary_location_id,
    providerPayorIds: optional(lists.providerPayors.get(id)?.map((link) => link.payor_id)),
    clinicianIds: optional(lists.clinicians.get(id)?.map((link) => link.clinician_id)),
    primaryClinicianId: row.primary_clinician_id,
    careTeamTechnicianIds: optional(lists.technicians.get(id)?.map((link) => link.technician_id)),
  });
}

function payorEntry(entry: Awaited<ReturnType<typeof payorsOf>>[number]): Fields {
  return {
    payorId: entry.payor_id,
    priority: entry.priority,
    relationshipToPatient: entry.relationship_to_patient,
    insuredBirthDate: entry.insured_birth_date,
    insuredAddress: JSON.parse(entry.insured_address),
    memberId: entry.member_id,
    groupId: entry.group_id,
    planHolder: entry.plan_holder,
    effectiveStartDate: entry.effective_start_date,
    effectiveEndDate: entry.effective_end_date,
  };
}

function credentialEntries(userId: string, lists: Lists): Fields[] | undefined {
  const credentialing = lists.credentialing.get(userId) ?? [];
  return lists.credentials.get(userId)?.map((credential) => ({
    credentialType: credential.credential_type,
    practiceArea: credential.practice_area,
    credentialNumber: credential.credential_number,
    expiresAt: credential.expires_at,
    credentialStatus: credential.credential_status,
    payorCredentialing: optional(
      credentialing
        .filter((entry) => entry.credential_position === credential.position)
        .map((entry) => ({
          publicId: entry.public_id,
          payorId: entry.payor_id,
          status: entry.status,
          startDate: entry.start_date,
          endDate: entry.end_date,
          notes: entry.notes,
        })),
    ),
  }));
}
