import { toBit, type UserRow } from "../../../db/schema.ts";
import type { Role } from "../../access/roles.ts";
import { derivedColumns } from "../../users/rows.ts";
import { NEW_PATIENT_STATUS } from "../../users/new-user.ts";
import { earlierVersion, type ImportContext } from "../import-context.ts";
import type { CaregiverRecord, ClinicianRecord, PatientRecord, UserRecord } from "../model.ts";
import type { RecordLine } from "../record-line.ts";
import type { RowOf } from "../repository.ts";
import { deleteUserLists, insertUserLists } from "./user-lists.ts";

/**
 * A user with what a user of any role may have. The schema of the role has already refused the fields of
 * other roles, so they are absent here.
 */
export type UserFields = Omit<CaregiverRecord, "role"> & { role: Role } & Partial<
    Omit<PatientRecord, keyof CaregiverRecord> & Omit<ClinicianRecord, keyof CaregiverRecord>
  >;

/** Writes a user with all lists. Users whom it names may stand further down, so they are checked at the end. */
export async function importUser(
  record: UserRecord,
  line: RecordLine,
  context: ImportContext,
): Promise<void> {
  const user: UserFields = record;
  const { statements, known, rechecks, now } = context;
  await checkReferences(user, line);
  const earlier = await earlierVersion(context, "user", user.publicId);
  const row = userRow(user, { created_at: earlier?.created_at ?? now, updated_at: now });
  await claimEmail(row, line, context);
  if (!line.isSound) return;

  if (earlier !== undefined) await deleteUserLists(statements, user.publicId);
  await statements.upsert("users", row);
  await insertUserLists(statements, user);
  if (earlier !== undefined && earlier.role !== user.role)
    rechecks.roleChanged(user.publicId, line.number);
  known.remember("user", user.publicId, row);
}

async function checkReferences(user: UserFields, line: RecordLine): Promise<void> {
  for (const [index, entry] of (user.payors ?? []).entries())
    await line.refer(["payors", index, "payorId"], "payor", entry.payorId);
  for (const [index, credential] of (user.credentials ?? []).entries())
    for (const [entryIndex, entry] of (credential.payorCredentialing ?? []).entries()) {
      const path = ["credentials", index, "payorCredentialing", entryIndex, "payorId"];
      await line.refer(path, "payor", entry.payorId);
    }
  await line.referToEach("specializationIds", "specialization", user.specializationIds);
  await line.referToEach("locationIds", "location", user.locationIds);
  await line.refer("primaryLocationId", "location", user.primaryLocationId);
  await line.referToEach("providerPayorIds", "payor", user.providerPayorIds);
}

/**
 * Sees to it that the email address is free. The user who has it may stand further down in the file with
 * another one, as when two users swap theirs: the address is taken away for now, and asked after at the end.
 */
async function claimEmail(
  { public_id, email_key }: Pick<UserRow, "public_id" | "email_key">,
  line: RecordLine,
  { statements, known, rechecks }: ImportContext,
): Promise<void> {
  if (email_key === null) return;
  const holder = await statements.findEmailHolder(email_key);
  if (holder === undefined || holder === public_id) return;
  const holderLine = await statements.lineInFile("user", holder);
  if (holderLine !== undefined && !known.isUnwritten("user", holder))
    return line.refuse("email", `Is also the email of ${holder} on line ${holderLine}`);
  await statements.releaseEmail(holder);
  if (holderLine === undefined) rechecks.emailTaken(holder, { line: line.number, by: public_id });
}

/** The row of a user; `times` hold where the record does not give them. */
function userRow(
  user: UserFields,
  times: Pick<UserRow, "created_at" | "updated_at">,
): RowOf<"users"> {
  const searched = {
    first_name: user.firstName,
    last_name: user.lastName,
    // The API answers an empty text for none, so a file may hold it, too.
    email: user.email || null,
    phone_number: user.phoneNumber || null,
    internal_record_id: user.internalRecordId ?? null,
  };
  return {
    public_id: user.publicId,
    role: user.role,
    ...searched,
    ...derivedColumns(searched),
    is_active: toBit(user.isActive ?? true),
    user_status: user.role === "PATIENT" ? (user.userStatus ?? NEW_PATIENT_STATUS) : null,
    sex: user.sex ?? null,
    birth_date: user.birthDate ?? null,
    caregiver_id: user.caregiverId ?? null,
    address_line1: user.addressLine1 ?? null,
    address_line2: user.addressLine2 ?? null,
    city: user.city ?? null,
    state: user.state ?? null,
    postal_code: user.postalCode ?? null,
    country: user.country ?? null,
    time_zone: user.timezone ?? null,
    primary_clinician_id: user.primaryClinicianId ?? null,
    primary_location_id: user.primaryLocationId ?? null,
    npi_number: user.npiNumber ?? null,
    should_send_sms: toBit(user.shouldSendSMS ?? false),
    recertification_date: user.recertificationDate ?? null,
    compliance_credentials: sortedList(user.complianceCredentials),
    created_at: user.createdAt ?? times.created_at,
    updated_at: user.updatedAt ?? times.updated_at,
  };
}

/** Sorted and without repetition, as the API answers it (decisions 4); none is null. */
function sortedList(texts: readonly string[] = []): string | null {
  return texts.length === 0 ? null : JSON.stringify([...new Set(texts)].sort());
}
