import type { CredentialEntry, PayorEntry } from "../model.ts";
import type { ImportStatements } from "../repository.ts";
import type { UserFields } from "./users.ts";

/** What hangs on a user: links, payors and credentials. An import replaces all of it. */

export async function deleteUserLists(statements: ImportStatements, id: string): Promise<void> {
  await statements.deleteOwned("user_locations", "user_id", id);
  await statements.deleteOwned("provider_specializations", "user_id", id);
  await statements.deleteOwned("provider_payors", "user_id", id);
  await statements.deleteOwned("patient_clinicians", "patient_id", id);
  await statements.deleteOwned("care_team_links", "clinician_id", id);
  await statements.deleteOwned("patient_payors", "patient_id", id);
  // The table deletes the payor credentialing along with it.
  await statements.deleteOwned("provider_credentials", "user_id", id);
}

export async function insertUserLists(
  statements: ImportStatements,
  user: UserFields,
): Promise<void> {
  const id = user.publicId;
  for (const location_id of new Set(user.locationIds))
    await statements.insert("user_locations", { user_id: id, location_id });
  for (const specialization_id of new Set(user.specializationIds))
    await statements.insert("provider_specializations", { user_id: id, specialization_id });
  for (const payor_id of new Set(user.providerPayorIds))
    await statements.insert("provider_payors", { user_id: id, payor_id });
  for (const clinician_id of new Set(user.clinicianIds))
    await statements.insert("patient_clinicians", { patient_id: id, clinician_id });
  for (const technician_id of new Set(user.careTeamTechnicianIds))
    await statements.insert("care_team_links", { clinician_id: id, technician_id });
  for (const [position, entry] of (user.payors ?? []).entries())
    await insertPayorEntry(statements, id, position, entry);
  for (const [position, credential] of (user.credentials ?? []).entries())
    await insertCredential(statements, id, position, credential);
}

async function insertPayorEntry(
  statements: ImportStatements,
  patientId: string,
  position: number,
  entry: PayorEntry,
): Promise<void> {
  const { addressLine1, addressLine2, city, state, postalCode } = entry.insuredAddress;
  await statements.insert("patient_payors", {
    patient_id: patientId,
    position,
    payor_id: entry.payorId,
    priority: entry.priority,
    relationship_to_patient: entry.relationshipToPatient,
    insured_birth_date: entry.insuredBirthDate,
    // All five keys, as the API answers them.
    insured_address: JSON.stringify({
      addressLine1: addressLine1 ?? null,
      addressLine2: addressLine2 ?? null,
      city: city ?? null,
      state: state ?? null,
      postalCode: postalCode ?? null,
    }),
    member_id: entry.memberId,
    group_id: entry.groupId,
    plan_holder: entry.planHolder,
    effective_start_date: entry.effectiveStartDate,
    effective_end_date: entry.effectiveEndDate ?? null,
  });
}

async function insertCredential(
  statements: ImportStatements,
  userId: string,
  credentialPosition: number,
  credential: CredentialEntry,
): Promise<void> {
  await statements.insert("provider_credentials", {
    user_id: userId,
    position: credentialPosition,
    credential_type: credential.credentialType,
    practice_area: credential.practiceArea,
    credential_number: credential.credentialNumber,
    expires_at: credential.expiresAt,
    credential_status: credential.credentialStatus,
  });
  for (const [position, entry] of (credential.payorCredentialing ?? []).entries())
    await statements.insert("payor_credentialing", {
      user_id: userId,
      credential_position: credentialPosition,
      position,
      public_id: entry.publicId,
      payor_id: entry.payorId,
      status: entry.status,
      start_date: entry.startDate,
      end_date: entry.endDate ?? null,
      notes: entry.notes ?? null,
    });
}
