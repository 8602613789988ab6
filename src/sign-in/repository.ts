import type { Db } from "../../db/database.ts";
import { isOneOf } from "../../db/engine.ts";
import { countRows } from "../../db/page.ts";
import type { InvitationRow, PasskeyRow, SignInRow } from "../../db/schema.ts";
import { hashKey } from "../callers/key-format.ts";
import { isLive } from "../callers/repository.ts";
import { type Role, staffRoles } from "../callers/roles.ts";
import type { StoredToken } from "../callers/tokens.ts";
import type { Instant } from "../lib/instant.ts";
import type { PageSlice } from "../lib/page.ts";

/** A secret of the database; undefined until it is stored. */
export async function findSecret(db: Db, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("secrets")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirst();
  return row?.value;
}

/** Stores a secret, unless another node has just stored one. */
export async function insertSecret(trx: Db, name: string, value: string): Promise<void> {
  await trx
    .insertInto("secrets")
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The columns of a person that decide whether they may sign in, and their name. */
export async function findPerson(db: Db, organizationId: string, userId: string) {
  return db
    .selectFrom("users")
    .select(["public_id", "role", "is_active", "first_name", "last_name"])
    .where("organization_id", "=", organizationId)
    .where("public_id", "=", userId)
    .executeTakeFirst();
}

export type PersonRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>;

/** The passkey of a credential id, in whatever organization. */
export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  const place = await db
    .selectFrom("key_organizations")
    .select("organization_id")
    .where("hash", "=", hashKey(credentialId))
    .executeTakeFirst();
  if (place === undefined) return undefined;
  return db
    .selectFrom("passkeys")
    .selectAll()
    .where("organization_id", "=", place.organization_id)
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
}

/** The passkeys of some people, oldest first. */
export function listPasskeys(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<PasskeyRow[]> {
  return db
    .selectFrom("passkeys")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(isOneOf("user_id", userIds))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Stores a passkey. @returns false if the credential id is known already, in whatever organization. */
export async function insertPasskey(trx: Db, row: PasskeyRow): Promise<boolean> {
  const { organization_id, id: key_id } = row;
  const added = await trx
    .insertInto("key_organizations")
    .values({ hash: hashKey(row.credential_id), key_id, organization_id })
    .onConflict((conflict) => conflict.doNothing())
    .returning("key_id")
    .execute();
  if (added.length === 0) return false;
  await trx.insertInto("passkeys").values(row).execute();
  return true;
}

/** Stores what a use of a passkey changes. */
export async function setPasskeyUsed(
  trx: Db,
  { organization_id, id }: PasskeyRow,
  { signatureCount, usedAt }: { signatureCount: number; usedAt: Instant },
): Promise<void> {
  await trx
    .updateTable("passkeys")
    .set({ signature_count: signatureCount, last_used_at: usedAt })
    .where("organization_id", "=", organization_id)
    .where("id", "=", id)
    .execute();
}

/** Which passkeys to delete: one, or all of some people. */
export type PasskeySelection = { id: string; userId?: string } | { userIds: readonly string[] };

/** Deletes passkeys, with their sign-ins. @returns how many. */
export async function deletePasskeys(
  trx: Db,
  organizationId: string,
  selection: PasskeySelection,
): Promise<number> {
  let query = trx.deleteFrom("passkeys").where("organization_id", "=", organizationId);
  if ("userIds" in selection) query = query.where(isOneOf("user_id", selection.userIds));
  else {
    query = query.where("id", "=", selection.id);
    if (selection.userId !== undefined) query = query.where("user_id", "=", selection.userId);
  }
  const ids = (await query.returning("id").execute()).map(({ id }) => id);
  await trx
    .deleteFrom("key_organizations")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("key_id", ids))
    .execute();
  return ids.length;
}

/** The invitation of a token, expired or not. */
export function findInvitation(
  db: Db,
  { organizationId, hash }: StoredToken,
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom("invitations")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("hash", "=", hash)
    .executeTakeFirst();
}

/** Stores an invitation, which replaces an earlier one of the same person. */
export async function replaceInvitation(trx: Db, row: InvitationRow): Promise<void> {
  const { hash, created_at, expires_at } = row;
  await trx
    .insertInto("invitations")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "user_id"])
        .doUpdateSet({ hash, created_at, expires_at }),
    )
    .execute();
}

export async function deleteInvitation(
  trx: Db,
  organizationId: string,
  userId: string,
): Promise<void> {
  await trx
    .deleteFrom("invitations")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
}

/** Whether a challenge has made a sign-in. */
export async function isChallengeUsed(
  db: Db,
  organizationId: string,
  challenge: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("sign_ins")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("challenge", "=", challenge)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a sign-in. @returns false if its challenge has made one before. */
export async function insertSignIn(trx: Db, row: SignInRow): Promise<boolean> {
  const added = await trx
    .insertInto("sign_ins")
    .values(row)
    .onConflict((conflict) => conflict.columns(["organization_id", "challenge"]).doNothing())
    .returning("id")
    .execute();
  return added.length > 0;
}

/** Ends some sign-ins. Their rows stay, so that their challenges do not count again. */
export async function endSignIns(
  trx: Db,
  organizationId: string,
  ids: readonly string[],
  now: Instant,
): Promise<void> {
  await trx
    .updateTable("sign_ins")
    .set({ ended_at: now })
    .where("organization_id", "=", organizationId)
    .where(isOneOf("id", ids))
    .execute();
}

/** Deletes a person's sign-ins that have ended and were made before a time. */
export async function deleteEndedSignIns(
  trx: Db,
  organizationId: string,
  { userId, createdBefore }: { userId: string; createdBefore: Instant },
): Promise<void> {
  await trx
    .deleteFrom("sign_ins")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("created_at", "<", createdBefore)
    .where("ended_at", "is not", null)
    .execute();
}

/** Revokes the keys of a user that are not revoked yet. */
export async function revokeKeysOf(
  trx: Db,
  organizationId: string,
  userId: string,
  now: Instant,
): Promise<void> {
  await trx
    .updateTable("api_keys")
    .set({ revoked_at: now })
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
}

/** Deletes an organization's invitations and sign-ins that have expired. */
export async function deleteExpiredAccess(
  trx: Db,
  organizationId: string,
  now: Instant,
): Promise<void> {
  for (const table of ["invitations", "sign_ins"] as const)
    await trx
      .deleteFrom(table)
      .where("organization_id", "=", organizationId)
      .where("expires_at", "<=", now)
      .execute();
}

/** A page of the people who work for the practice, by name. */
export function listStaff(db: Db, organizationId: string, { pageSize, offset }: PageSlice) {
  return selectStaff(db, organizationId)
    .select(["public_id", "role", "is_active", "first_name", "last_name"])
    .$narrowType<{ role: Role }>()
    .orderBy("last_name_key")
    .orderBy("first_name_key")
    .orderBy("public_id")
    .limit(pageSize)
    .offset(offset)
    .execute();
}

export function countStaff(db: Db, organizationId: string): Promise<number> {
  return countRows(selectStaff(db, organizationId));
}

function selectStaff(db: Db, organizationId: string) {
  return db
    .selectFrom("users")
    .where("organization_id", "=", organizationId)
    .where(isOneOf("role", staffRoles));
}

/** The valid invitations of some people. */
export function listInvitations(db: Db, organizationId: string, { userIds, now }: OfPeople) {
  return db
    .selectFrom("invitations")
    .select(["user_id", "created_at", "expires_at"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("user_id", userIds))
    .where("expires_at", ">", now)
    .execute();
}

/** The valid sign-ins of some people, locked ones included, oldest first. */
export function listSignIns(db: Db, organizationId: string, { userIds, now }: OfPeople) {
  return db
    .selectFrom("sign_ins")
    .select(["user_id", "id", "passkey_id", "created_at", "last_used_at", "expires_at"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("user_id", userIds))
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** The valid keys of some people, oldest first. */
export function listKeysOf(db: Db, organizationId: string, { userIds, now }: OfPeople) {
  return db
    .selectFrom("api_keys")
    .select(["user_id", "id", "name", "last_used_at", "expires_at"])
    .where("organization_id", "=", organizationId)
    .where(isOneOf("user_id", userIds))
    .where(isLive(now))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

interface OfPeople {
  userIds: readonly string[];
  now: Instant;
}

/** The number of passkeys of each host. */
export async function countPasskeysByHost(db: Db): Promise<{ host: string; passkeys: number }[]> {
  return db
    .selectFrom("passkeys")
    .select((select) => ["host", select.fn.countAll<number>().as("passkeys")])
    .groupBy("host")
    .orderBy("host")
    .execute();
}

/** The ids of all passkeys, and of all keys that are neither revoked nor expired. */
export async function listValidIds(
  db: Db,
  now: Instant,
): Promise<{ passkeys: string[]; keys: string[] }> {
  const passkeys = await db.selectFrom("passkeys").select("id").execute();
  const keys = await db.selectFrom("api_keys").select("id").where(isLive(now)).execute();
  return { passkeys: passkeys.map(({ id }) => id), keys: keys.map(({ id }) => id) };
}

/** Deletes all that a backup could bring back although it was used or ended since: invitations, sign-ins, challenges. */
export async function deleteSpentAccess(trx: Db): Promise<void> {
  for (const table of ["invitations", "sign_ins", "secrets"] as const)
    await trx.deleteFrom(table).execute();
}
