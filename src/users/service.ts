import type { Db } from "../../db/database.ts";
import type { UserRow } from "../../db/schema.ts";
import { type AssignableRole, isClinician, isProvider } from "../callers/roles.ts";
import { DomainError, invalid } from "../lib/errors.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { patientsOf } from "../lib/patients.ts";
import { quoted } from "../lib/text.ts";
import { getOrganization, nextSequence } from "../organizations/repository.ts";
import { presenter } from "../schema/record-map.ts";
import { userMap } from "../schema/users.ts";
import { findActiveSpecializations } from "../specializations/repository.ts";
import {
  findUsersWithLinks,
  findUserWithEmail,
  insertUser,
  linkUser,
  touchLeads,
} from "./creation-repository.ts";
import { mostOfUser } from "./limits.ts";
import { CreatedUser, DEFAULT_ROLE, type NewUser } from "./model.ts";
import { userRow } from "./rows.ts";

/**
 * Creates a user with the specializations, payors and care team of its role. Fields of other roles are ignored.
 *
 * The transaction excludes other writers of the organization from its start, so the check of the email address holds
 * until the commit.
 *
 * @throws InvalidInput if a user of the organization has the email address, in any letter case, and for more links than
 * a user may have.
 * @throws DomainError that names unknown or inactive specializations.
 */
export async function createUser(
  trx: Db,
  organizationId: string,
  user: NewUser,
  now: Instant,
): Promise<CreatedUser> {
  const holder =
    user.email === undefined ? undefined : await findUserWithEmail(trx, organizationId, user.email);
  if (holder !== undefined)
    throw invalid(["email"], "A user with this email already exists").withPatientIds(
      patientsOf(holder),
    );
  const role = user.role ?? DEFAULT_ROLE;
  const specializations = isProvider(role)
    ? await requireSpecializations(trx, organizationId, user.specializations ?? [])
    : [];
  const sequence = await nextSequence(trx, organizationId);
  const row = {
    ...userRow(organizationId, {
      ...user,
      publicId: newPublicId("usr_", epochMilliseconds(now)),
      role,
      createdAt: now,
      updatedAt: now,
    }),
    sequence,
    first_sequence: sequence,
  };
  await insertUser(trx, row);
  await linkToOthers(trx, row, role, user);
  const { name } = await getOrganization(trx, organizationId);
  return presentCreated(row, { specializations, organization: { name, publicId: organizationId } });
}

const presentCreated = presenter(userMap, CreatedUser);

async function requireSpecializations(
  db: Db,
  organizationId: string,
  ids: string[],
): Promise<CreatedUser["specializations"]> {
  if (ids.length === 0) return [];
  const rows = await findActiveSpecializations(db, organizationId, ids);
  if (rows.length > mostOfUser.specializationIds)
    throw invalid(
      ["specializations"],
      `A provider has at most ${mostOfUser.specializationIds} specializations`,
    );
  const existing = new Set(rows.map((row) => row.public_id));
  const missing = ids.filter((id) => !existing.has(id));
  if (missing.length > 0)
    throw new DomainError(
      "unknownReference",
      `Unknown or inactive specializations: ${quoted(missing)}`,
    );
  return rows.map((row) => ({ publicId: row.public_id, name: row.name }));
}

/** Writes the links of a new user. Unknown ids are skipped, except specializations, which were checked before. */
async function linkToOthers(
  trx: Db,
  row: UserRow & { sequence: number },
  role: AssignableRole,
  user: NewUser,
): Promise<void> {
  if (isProvider(role)) {
    await linkUser(trx, row, "payors", user.providerPayors);
    await requireFewPayors(trx, row, user.providerPayors);
    await linkUser(trx, row, "specializations", user.specializations);
  }
  if (isClinician(role)) {
    await linkUser(trx, row, "technicians", user.careTeamTechnicianIds);
    await requireFewLeads(trx, row.organization_id, user.careTeamTechnicianIds);
  }
  const { careTeamLeadIds: leadIds = [] } = user;
  if (role === "TECHNICIAN" && leadIds.length > 0) {
    await touchLeads(trx, row, leadIds);
    await linkUser(trx, row, "leads", leadIds);
  }
}

/** @throws InvalidInput at a technician with more clinicians than can be shown. */
async function requireFewLeads(
  trx: Db,
  organizationId: string,
  technicianIds: readonly string[] = [],
): Promise<void> {
  if (technicianIds.length === 0) return;
  const most = mostOfUser.careTeamLeadIds;
  const links = { table: "care_team_links", column: "technician_id", most } as const;
  const [full] = await findUsersWithLinks(trx, organizationId, {
    ...links,
    userIds: technicianIds,
  });
  if (full !== undefined)
    throw invalid(
      ["careTeamTechnicianIds", technicianIds.indexOf(full)],
      `This technician has ${most} clinicians already`,
    );
}

/** @throws InvalidInput for more payors than a practice file has of a provider. */
async function requireFewPayors(
  trx: Db,
  { organization_id, public_id }: UserRow,
  payorIds: readonly string[] = [],
): Promise<void> {
  const most = mostOfUser.providerPayorIds;
  if (payorIds.length === 0) return;
  const links = { table: "provider_payors", column: "user_id", most } as const;
  const full = await findUsersWithLinks(trx, organization_id, { ...links, userIds: [public_id] });
  if (full.length > 0) throw invalid(["providerPayors"], `A provider has at most ${most} payors`);
}
