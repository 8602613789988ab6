import type { Database, Db } from "../../db/database.ts";
import { type ApiKeyRow, fromBit, toBit } from "../../db/schema.ts";
import { newPublicId } from "../lib/ids.ts";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { noSuchOrganization, Refused } from "../lib/refused.ts";
import { hashKey, newKey } from "./key-format.ts";
import {
  findKeyByHash,
  findKeyById,
  findKeyHolder,
  insertKey,
  type KeyRow,
  organizationExists,
  setKeyRevoked,
  setKeySuccessor,
} from "./repository.ts";
import { isRole, type Role } from "./roles.ts";

/** Who a request comes from. */
export interface Caller {
  organizationId: string;
  keyId: string;
  role: Role;
  /** The user that the key is tied to. */
  userId: string | null;
  keyName: string;
  keyExpiresAt: Instant | null;
  /** Whether the key may write nothing, whatever its role may. */
  isReadOnly: boolean;
  keyLastUsedAt: Instant | null;
}

/** Who a new key is for: a role, or a user whose role it then has. */
export type KeyHolder = { role: Role } | { userId: string };

export interface NewKey {
  organizationId: string;
  holder: KeyHolder;
  name: string;
  expiresAt: Instant | null;
  /** Whether it may write nothing, whatever its role may; false unless given. */
  isReadOnly?: boolean;
}

/** A key with the only copy of its text. */
export interface IssuedKey {
  organizationId: string;
  id: string;
  key: string;
  isReadOnly: boolean;
}

/**
 * Whose key a text is, or undefined for a key that is unknown, revoked or expired, or whose user is
 * inactive.
 */
export async function authenticate(db: Db, key: string, now: Instant): Promise<Caller | undefined> {
  return callerOf(await findKeyByHash(db, hashKey(key)), now);
}

/** The same on a snapshot that begins later. Who asks for the same key before it has begun asks with it. */
export async function authenticateTogether(
  database: Database,
  key: string,
  now: Instant,
): Promise<Caller | undefined> {
  const hash = hashKey(key);
  const waiting = waitingOf(database);
  let found = waiting.get(hash);
  if (found === undefined) {
    found = database.read((db) => {
      waiting.delete(hash);
      return findKeyByHash(db, hash);
    });
    waiting.set(hash, found);
    // Where no snapshot could begin, the next asks again.
    found.catch(() => waiting.delete(hash));
  }
  return callerOf(await found, now);
}

/** The keys that are asked for on snapshots that have not begun, by their hashes. */
const waitingKeys = new WeakMap<Database, Map<string, Promise<KeyRow | undefined>>>();

function waitingOf(database: Database): Map<string, Promise<KeyRow | undefined>> {
  const known = waitingKeys.get(database);
  if (known !== undefined) return known;
  const waiting = new Map<string, Promise<KeyRow | undefined>>();
  waitingKeys.set(database, waiting);
  return waiting;
}

function callerOf(row: KeyRow | undefined, now: Instant): Caller | undefined {
  if (row === undefined || !isLive(row, now)) return undefined;
  const role = row.user_role ?? row.role;
  if (!isRole(role)) return undefined;
  return {
    organizationId: row.organization_id,
    keyId: row.id,
    role,
    userId: row.user_id,
    keyName: row.name,
    keyExpiresAt: row.expires_at,
    isReadOnly: fromBit(row.is_read_only),
    keyLastUsedAt: row.last_used_at,
  };
}

/** Whether a key works. */
export function isLive(row: KeyRow, now: Instant): boolean {
  if (row.revoked_at !== null) return false;
  if (row.expires_at !== null && row.expires_at <= now) return false;
  return row.user_id === null || row.user_is_active === 1;
}

/**
 * Makes a key.
 *
 * @throws Refused when the organization or its user does not exist, or the user is inactive.
 */
export async function createKey(trx: Db, key: NewKey, now: Instant): Promise<IssuedKey> {
  const { organizationId, holder } = key;
  if (!(await organizationExists(trx, organizationId))) throw noSuchOrganization(organizationId);
  const userId = "userId" in holder ? holder.userId : null;
  const role = "role" in holder ? holder.role : await roleOfUser(trx, key, holder.userId);
  return issue(trx, key, { role, user_id: userId }, now);
}

async function roleOfUser(trx: Db, key: NewKey, userId: string): Promise<string> {
  const user = await findKeyHolder(trx, key.organizationId, userId);
  if (user === undefined)
    throw new Refused(`The organization ${key.organizationId} has no user ${userId}.`);
  if (user.is_active === 0)
    throw new Refused(`The user ${userId} is inactive, so a key of theirs would not work.`);
  return user.role;
}

/**
 * Makes a successor of a key, for the same holder and with the same expiry, and lets the old one work until
 * `now` plus the overlap, in milliseconds, unless it expires before. A second successor would expire with the
 * overlap, as the old key does then, so there is one only.
 *
 * @throws Refused when there is no such key, it does not work any more, or it has a successor.
 */
export async function rotateKey(
  trx: Db,
  id: string,
  overlap: number,
  now: Instant,
): Promise<IssuedKey & { oldWorksUntil: Instant }> {
  const old = await existingKey(trx, id);
  if (!isLive(old, now))
    throw new Refused(`The key ${id} does not work any more; make a new one with "keys create".`);
  if (old.successor_id !== null)
    throw new Refused(
      `The key ${id} has a successor, ${old.successor_id}; rotate that one, or make a new one with "keys create".`,
    );
  const end = toInstant(epochMilliseconds(now) + overlap);
  const successor = await issue(
    trx,
    {
      organizationId: old.organization_id,
      name: old.name,
      expiresAt: old.expires_at,
      isReadOnly: fromBit(old.is_read_only),
    },
    { role: old.role, user_id: old.user_id },
    now,
  );
  const oldWorksUntil = old.expires_at !== null && old.expires_at < end ? old.expires_at : end;
  await setKeySuccessor(trx, old, { successorId: successor.id, expiresAt: oldWorksUntil });
  return { ...successor, oldWorksUntil };
}

/**
 * Ends a key at once; a key that is revoked already stays as it is.
 *
 * @throws Refused when there is no such key.
 */
export async function revokeKey(trx: Db, id: string, now: Instant): Promise<void> {
  const key = await existingKey(trx, id);
  if (key.revoked_at === null) await setKeyRevoked(trx, key, now);
}

/**
 * Whose key it is.
 *
 * @throws Refused when there is no such key.
 */
export async function organizationOfKey(db: Db, id: string): Promise<string> {
  return (await existingKey(db, id)).organization_id;
}

async function existingKey(db: Db, id: string): Promise<KeyRow> {
  const key = await findKeyById(db, id);
  if (key === undefined)
    throw new Refused(`There is no key ${id}; "caseload keys list" shows the ids.`);
  return key;
}

async function issue(
  trx: Db,
  key: Omit<NewKey, "holder">,
  holder: Pick<ApiKeyRow, "role" | "user_id">,
  now: Instant,
): Promise<IssuedKey> {
  const id = newPublicId("key_", epochMilliseconds(now));
  const text = newKey();
  const { organizationId, isReadOnly = false } = key;
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
  });
  return { organizationId, id, key: text, isReadOnly };
}
