import type { Db } from "../../db/database.ts";
import { fromBit } from "../../db/schema.ts";
import type { Caller } from "../callers/api-keys.ts";
import { maySignIn } from "../callers/sign-ins.ts";
import { newToken } from "../callers/tokens.ts";
import { DomainError } from "../lib/errors.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import type { PageSlice } from "../lib/page.ts";
import type { PersonAccess } from "./model.ts";
import { presentPasskey } from "../sign-in/present.ts";
import {
  deleteInvitation,
  deletePasskeys,
  findPerson,
  listInvitations,
  listKeysOf,
  listPasskeys,
  listSignIns,
  listStaff,
  replaceInvitation,
  revokeKeysOf,
} from "../sign-in/repository.ts";

/** Who may sign in: invitations, the list of who has access, and its end. */

/** How long an invitation is valid, in milliseconds. */
const INVITATION_TIME = 7 * 24 * 60 * 60_000;

/** A user of an organization. */
export interface UserKey {
  organizationId: string;
  userId: string;
}

/**
 * Invites a person to register a passkey. The invitation replaces an earlier one.
 *
 * @param origin where browsers open the page; "" for a link without it.
 * @throws DomainError for an unknown user, or one who may not sign in.
 */
export async function invite(
  trx: Db,
  { organizationId, userId, origin }: UserKey & { origin: string },
  now: Instant,
): Promise<{ url: string; expiresAt: Instant }> {
  const person = await findPerson(trx, organizationId, userId);
  if (person === undefined) throw unknownUser();
  if (!maySignIn(person)) throw new DomainError("notStaff", "Only active staff can sign in");
  const { token, hash } = newToken(organizationId);
  const expiresAt = toInstant(epochMilliseconds(now) + INVITATION_TIME);
  await replaceInvitation(trx, {
    organization_id: organizationId,
    user_id: userId,
    hash,
    created_at: now,
    expires_at: expiresAt,
  });
  // Browsers send fragments to no server, so the token is in no log.
  return { url: `${origin}/#/invitation/${token}`, expiresAt };
}

/**
 * Takes all access from a user at once: invitation, passkeys, sign-ins and keys.
 *
 * @throws DomainError for an unknown user.
 */
export async function revokeAccess(
  trx: Db,
  { organizationId, userId }: UserKey,
  now: Instant,
): Promise<void> {
  if ((await findPerson(trx, organizationId, userId)) === undefined) throw unknownUser();
  await deleteInvitation(trx, organizationId, userId);
  await deletePasskeys(trx, organizationId, { userIds: [userId] });
  await revokeKeysOf(trx, organizationId, userId, now);
}

/**
 * Removes a passkey and ends its sign-ins.
 *
 * @throws DomainError for an unknown passkey, and for another person's unless the caller is an administrator.
 */
export async function removePasskey(
  trx: Db,
  { organizationId, userId, role }: Caller,
  id: string,
): Promise<void> {
  const selection = role === "ADMIN" ? { id } : { id, userId: userId ?? "" };
  if ((await deletePasskeys(trx, organizationId, selection)) === 0)
    throw new DomainError("notFound", "Passkey not found");
}

/** One page of the people who work for the practice, with all that gives them access now. */
export async function listAccess(
  db: Db,
  organizationId: string,
  page: PageSlice,
  now: Instant,
): Promise<PersonAccess[]> {
  const staff = await listStaff(db, organizationId, page);
  // Whoever may not sign in has nothing that is valid.
  const of = { userIds: staff.filter(maySignIn).map(({ public_id }) => public_id), now };
  const invitations = await listInvitations(db, organizationId, of);
  const passkeys = await listPasskeys(db, organizationId, of.userIds);
  const signIns = await listSignIns(db, organizationId, of);
  const keys = await listKeysOf(db, organizationId, of);
  return staff.map(({ public_id, role, ...person }) => {
    const isTheirs = ({ user_id }: { user_id: string | null }) => user_id === public_id;
    const invitation = invitations.find(isTheirs);
    return {
      userId: public_id,
      firstName: person.first_name,
      lastName: person.last_name,
      role,
      isActive: fromBit(person.is_active),
      invitation: invitation
        ? { createdAt: invitation.created_at, expiresAt: invitation.expires_at }
        : null,
      passkeys: passkeys.filter(isTheirs).map(presentPasskey),
      signIns: signIns.filter(isTheirs).map((row) => ({
        id: row.id,
        passkeyId: row.passkey_id,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        expiresAt: row.expires_at,
      })),
      keys: keys.filter(isTheirs).map((row) => ({
        id: row.id,
        name: row.name,
        lastUsedAt: row.last_used_at,
        expiresAt: row.expires_at,
      })),
    };
  });
}

function unknownUser(): DomainError {
  return new DomainError("notFound", "User not found");
}
