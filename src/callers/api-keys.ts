import type { Db } from "../../db/database.ts";
import { type ApiKeyRow, fromBit, toBit } from "../../db/schema.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { CommandError } from "../lib/command-error.ts";
import { hashKey, type KeyKind, newKey } from "./key-format.ts";
import {
  findKeyByHash,
  findKeyById,
  findKeyHolder,
  insertKey,
  isLimitedKey,
  type KeyRow,
  setKeyRevoked,
  setKeySuccessor,
} from "./repository.ts";
import { requireOrganization } from "../organizations/repository.ts";
import { isRole, type Role } from "./roles.ts";

/** The authenticated caller of a request: a key, or somebody's sign-in, of which all that is said of keys holds. */
export interface Caller {
  organizationId: string;
  keyId: string;
  /** Of keys, only those of the kind `API` are accepted by the API. */
  kind: KeyKind | "SIGN_IN";
  role: Role;
  /** The user to whom it belongs, if any. */
  userId: string | null;
  keyName: string;
  keyExpiresAt: Instant | null;
  /** Whether the key may only read, regardless of its role's permissions. */
  isReadOnly: boolean;
  /** Whether the caller sees own patients only. */
  ownPatientsOnly: boolean;
  keyLastUsedAt: Instant | null;
}

/** The holder of a new key: a role, or a user, whose current role the key has. */
export type KeyHolder = { role: Role } | { userId: string };

export interface NewKey {
  organizationId: string;
  holder: KeyHolder;
  name: string;
  expiresAt: Instant | null;
  /** Whether the key may only read. Default: false, and true for kinds that cannot write. */
  isReadOnly?: boolean;
  /** Default: `API`. */
  kind?: KeyKind;
}

/** A new key, with its text, which is not stored. */
export interface IssuedKey {
  organizationId: string;
  id: string;
  key: string;
  isReadOnly: boolean;
  kind: KeyKind;
}

/** The caller with a key. Undefined if the key is unknown, revoked or expired, or its user is inactive. */
export async function authenticate(db: Db, key: string, now: Instant): Promise<Caller | undefined> {
  return callerOf(await findKeyByHash(db, hashKey(key)), now);
}

function callerOf(row: KeyRow | undefined, now: Instant): Caller | undefined {
  if (row === undefined || !isActive(row, now)) return undefined;
  const role = row.user_role ?? row.role;
  if (!isRole(role)) return undefined;
  return {
    organizationId: row.organization_id,
    keyId: row.id,
    kind: row.kind,
    role,
    userId: row.user_id,
    keyName: row.name,
    keyExpiresAt: row.expires_at,
    isReadOnly: fromBit(row.is_read_only),
    ownPatientsOnly: isLimitedKey(row),
    keyLastUsedAt: row.last_used_at,
  };
}

/** Whether a key is valid now. */
export function isActive(row: KeyRow, now: Instant): boolean {
  if (row.revoked_at !== null) return false;
  if (row.expires_at !== null && row.expires_at <= now) return false;
  return row.user_id === null || row.user_is_active === 1;
}

/**
 * Creates a key.
 *
 * @throws CommandError if the organization or the user does not exist, or the user is inactive.
 */
export async function createKey(trx: Db, key: NewKey, now: Instant): Promise<IssuedKey> {
  const { organizationId, holder } = key;
  await requireOrganization(trx, organizationId);
  const userId = "userId" in holder ? holder.userId : null;
  const role = "role" in holder ? holder.role : await roleOfUser(trx, key, holder.userId);
  return issue(trx, key, { role, user_id: userId }, now);
}

async function roleOfUser(trx: Db, key: NewKey, userId: string): Promise<string> {
  const user = await findKeyHolder(trx, key.organizationId, userId);
  if (user === undefined)
    throw new CommandError(`The organization ${key.organizationId} has no user ${userId}.`);
  if (user.is_active === 0)
    throw new CommandError(`The user ${userId} is inactive, so a key of theirs would not work.`);
  return user.role;
}

/**
 * Creates the successor of a key, with the same holder, kind and expiry. The old key remains valid until `now` plus the
 * overlap (milliseconds), or until its own expiry if earlier. A key has only one successor: a second one would inherit
 * the shortened expiry of the old key.
 *
 * @throws CommandError if the key does not exist, is no longer valid, or already has a successor.
 */
export async function rotateKey(
  trx: Db,
  id: string,
  overlap: number,
  now: Instant,
): Promise<IssuedKey & { oldWorksUntil: Instant }> {
  const old = await existingKey(trx, id);
  if (!isActive(old, now))
    throw new CommandError(
      `The key ${id} is no longer valid; create a new one with "keys create".`,
    );
  if (old.successor_id !== null)
    throw new CommandError(
      `The key ${id} has a successor, ${old.successor_id}; rotate that one, or create a new one with "keys create".`,
    );
  const end = toInstant(epochMilliseconds(now) + overlap);
  const successor = await issue(
    trx,
    {
      organizationId: old.organization_id,
      name: old.name,
      expiresAt: old.expires_at,
      isReadOnly: fromBit(old.is_read_only),
      kind: old.kind,
    },
    { role: old.role, user_id: old.user_id },
    now,
  );
  const oldWorksUntil = old.expires_at !== null && old.expires_at < end ? old.expires_at : end;
  await setKeySuccessor(trx, old, { successorId: successor.id, expiresAt: oldWorksUntil });
  return { ...successor, oldWorksUntil };
}

/**
 * Revokes a key immediately. Idempotent.
 *
 * @throws CommandError if there is no such key.
 */
export async function revokeKey(trx: Db, id: string, now: Instant): Promise<void> {
  const key = await existingKey(trx, id);
  if (key.revoked_at === null) await setKeyRevoked(trx, key, now);
}

/**
 * The organization of a key.
 *
 * @throws CommandError if there is no such key.
 */
export async function organizationOfKey(db: Db, id: string): Promise<string> {
  return (await existingKey(db, id)).organization_id;
}

async function existingKey(db: Db, id: string): Promise<KeyRow> {
  const key = await findKeyById(db, id);
  if (key === undefined)
    throw new CommandError(`There is no key ${id}; "caseload keys list" shows the ids.`);
  return key;
}

async function issue(
  trx: Db,
  key: Omit<NewKey, "holder">,
  holder: Pick<ApiKeyRow, "role" | "user_id">,
  now: Instant,
): Promise<IssuedKey> {
  const id = newPublicId("key_", epochMilliseconds(now));
  const { organizationId, kind = "API", isReadOnly = kind !== "API" } = key;
  const text = newKey(kind);
  await insertKey(trx, {
    organization_id: organizationId,
    id,
    hash: hashKey(text),
    name: key.name,
    ...holder,
    created_at: now,
    last_used_at: null,
    expires_at: key.expiresAt,
    revoked_at: null,
    successor_id: null,
    is_read_only: toBit(isReadOnly),
    kind,
  });
  return { organizationId, id, key: text, isReadOnly, kind };
}
