import type { Db } from "../../db/connect.ts";
import { toBit } from "../../db/schema.ts";
import { type AssignableRole, isClinician, isProvider } from "../access/roles.ts";
import { DomainError, invalid } from "../lib/errors.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { quoted } from "../lib/text.ts";
import { getOrganization } from "../organizations/repository.ts";
import { findActiveSpecializations } from "../specializations/repository.ts";
import {
  insertUsers,
  isEmailTaken,
  linkLeads,
  linkTechnicians,
  linkUser,
  type NewUserRow,
} from "./creation-repository.ts";
import { type CreatedUser, DEFAULT_ROLE, NEW_PATIENT_STATUS, type NewUser } from "./new-user.ts";

/**
 * Creates a user in an organization, with what the role has of specializations, payors and a care team
 * (specification 4.6). What belongs to other roles is ignored.
 *
 * The transaction excludes every other writer from its start, so an email address that is free here stays so.
 *
 * @throws InvalidInput for an email address that a user of the organization has, in any letter case.
 * @throws DomainError that names specializations which are unknown or inactive.
 */
export async function createUser(
  trx: Db,
  organizationId: string,
  user: NewUser,
  now: Instant,
): Promise<CreatedUser> {
  if (user.email !== undefined && (await isEmailTaken(trx, organizationId, user.email)))
    throw invalid(["email"], "A user with this email already exists");
  const role = user.role ?? DEFAULT_ROLE;
  const specializations = isProvider(role)
    ? await requireSpecializations(trx, organizationId, user.specializations ?? [])
    : [];
  const row = newRow(organizationId, role, user, now);
  await insertUsers(trx, [row]);
  await linkToOthers(trx, row, role, user);
  const { name } = await getOrganization(trx, organizationId);
  return {
    publicId: row.public_id,
    role,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email ?? "",
    phoneNumber: user.phoneNumber ?? "",
    npiNumber: user.npiNumber ?? null,
    shouldSendSMS: user.shouldSendSMS ?? false,
    createdAt: now,
    specializations,
    organization: { name, publicId: organizationId },
  };
}

async function requireSpecializations(
  db: Db,
  organizationId: string,
  ids: string[],
): Promise<CreatedUser["specializations"]> {
  if (ids.length === 0) return [];
  const rows = await findActiveSpecializations(db, organizationId, ids);
  const found = new Set(rows.map((row) => row.public_id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0)
    throw new DomainError(
      "unknownReference",
      `Unknown or inactive specializations: ${quoted(missing)}`,
    );
  return rows.map((row) => ({ publicId: row.public_id, name: row.name }));
}

function newRow(
  organizationId: string,
  role: AssignableRole,
  user: NewUser,
  now: Instant,
): NewUserRow {
  return {
    organization_id: organizationId,
    public_id: newPublicId("usr_", epochMilliseconds(now)),
    role,
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email ?? null,
    phone_number: user.phoneNumber ?? null,
    user_status: role === "PATIENT" ? NEW_PATIENT_STATUS : null,
    npi_number: user.npiNumber ?? null,
    should_send_sms: toBit(user.shouldSendSMS ?? false),
    recertification_date: user.recertificationDate ?? null,
    created_at: now,
  };
}

/** Ids that name nobody and nothing suitable are skipped; specializations have been required before. */
async function linkToOthers(
  trx: Db,
  row: NewUserRow,
  role: AssignableRole,
  user: NewUser,
): Promise<void> {
  const {
    providerPayors = [],
    specializations = [],
    careTeamTechnicianIds = [],
    careTeamLeadIds = [],
  } = user;
  if (isProvider(role) && providerPayors.length > 0)
    await linkUser(trx, row, "payors", providerPayors);
  if (isProvider(role) && specializations.length > 0)
    await linkUser(trx, row, "specializations", specializations);
  if (isClinician(role) && careTeamTechnicianIds.length > 0)
    await linkTechnicians(trx, row, careTeamTechnicianIds);
  if (role === "TECHNICIAN" && careTeamLeadIds.length > 0)
    await linkLeads(trx, row, careTeamLeadIds);
}
