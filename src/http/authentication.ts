import type { Db } from "../../db/database.ts";
import { authenticate, authenticateTogether, type Caller } from "../access/api-keys.ts";
import { isWellFormedKey } from "../access/key-format.ts";
import { type Permission, denialMessage } from "../access/permissions.ts";
import { setKeyLastUsed } from "../access/repository.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { PlainError } from "./errors.ts";
import type { Dependencies } from "./context.ts";
import { countFailedAuthentication } from "./rate-limits.ts";

const NO_SCHEME = 'Send the key as "Authorization: Bearer …"';

const CHALLENGE = { "www-authenticate": "Bearer" };

/** Precision of a key's recorded last use, in milliseconds. */
const LAST_USE_RESOLUTION = 60_000;

/**
 * Authenticates a request. The key's last use is recorded asynchronously; the request does not wait for it.
 *
 * @throws PlainError 401; 429 over the limit of the address.
 */
export async function identify(
  request: Request,
  dependencies: Dependencies,
  now: Instant,
): Promise<Caller> {
  const caller = await authenticateWithinLimit(request, dependencies, now);
  if (isStale(caller.keyLastUsedAt, now)) storeLastUse(caller, dependencies, now);
  return caller;
}

/** Keys whose last use is being stored: while another program holds the lock, each request would wait to store it. */
const storing = new Set<string>();

/** Stores the time without waiting for it. */
function storeLastUse(
  { organizationId, keyId }: Caller,
  dependencies: Dependencies,
  now: Instant,
): void {
  const { database, log } = dependencies;
  if (storing.has(keyId)) return;
  storing.add(keyId);
  database
    .write((trx) => setKeyLastUsed(trx, organizationId, keyId, now), { organizationId })
    .catch(() => log({ time: now, level: "error", message: "last use of a key was not stored" }))
    .finally(() => storing.delete(keyId));
}

/** @throws PlainError 403 for a key that does not open the API, on every path. */
export function requireApiKey({ kind }: Caller): void {
  if (kind !== "API") throw new PlainError(403, "Access denied");
}

/** @throws PlainError 429 over the limit of the key. */
export function countRequest({ keyId }: Caller, { limits }: Dependencies, now: Instant): void {
  limits.requestsOfKey?.count(keyId, epochMilliseconds(now));
}

/**
 * Authenticates a request again after its body has arrived: that may have taken long, and the key may have been
 * revoked.
 *
 * @throws PlainError 401 if the key is no longer valid, 403 if its role has changed.
 */
export async function requireSameCaller(
  request: Request,
  db: Db,
  { caller, now }: { caller: Caller; now: Instant },
): Promise<void> {
  const { role } = await authenticateRequest(request, (key) => authenticate(db, key, now));
  if (role !== caller.role) throw new PlainError(403, "Access denied");
}

/** @throws PlainError 403 if the role lacks the permission, or a read-only key is used to write. */
export function requirePermission(permission: Permission, caller: Caller): void {
  const denied = denialMessage(permission, caller);
  if (denied !== undefined) throw new PlainError(403, denied);
}

/** Counts failed authentications by address and answers too many with 429. A valid key is never limited by it. */
async function authenticateWithinLimit(
  request: Request,
  { database, limits, addressOf }: Dependencies,
  now: Instant,
): Promise<Caller> {
  try {
    return await authenticateRequest(request, (key) => authenticateTogether(database, key, now));
  } catch (error) {
    if (error instanceof PlainError)
      countFailedAuthentication(limits, addressOf(request), epochMilliseconds(now));
    // Elysia inspects errors and cannot handle `undefined`.
    throw error ?? new Error("Nothing was thrown");
  }
}

function isStale(lastUsedAt: Instant | null, now: Instant): boolean {
  if (lastUsedAt === null) return true;
  return epochMilliseconds(now) - epochMilliseconds(lastUsedAt) >= LAST_USE_RESOLUTION;
}

/** @throws PlainError 401: how to send a key, without one in that form; `Invalid API key` for one that is not valid. */
async function authenticateRequest(
  request: Request,
  callerOf: (key: string) => Promise<Caller | undefined>,
): Promise<Caller> {
  const header = request.headers.get("authorization")?.trim() ?? "";
  const key = bearerToken(header);
  if (key === undefined)
    throw new PlainError(401, isWellFormedKey(header) ? NO_SCHEME : "API key required", CHALLENGE);
  const caller = isWellFormedKey(key) ? await callerOf(key) : undefined;
  if (caller === undefined) throw new PlainError(401, "Invalid API key", CHALLENGE);
  return caller;
}

/** The scheme is case-insensitive (RFC 9110, 11.1). */
function bearerToken(header: string): string | undefined {
  return /^bearer +(.+)$/i.exec(header)?.[1];
}
