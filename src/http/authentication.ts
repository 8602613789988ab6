import type { Db } from "../../db/database.ts";
import { authenticate, authenticateTogether, type Caller } from "../access/api-keys.ts";
import { isWellFormedKey } from "../access/key-format.ts";
import { type Permission, refusal } from "../access/permissions.ts";
import { setKeyLastUsed } from "../access/repository.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { PlainError } from "./errors.ts";
import type { Service } from "./context.ts";
import { countFailedAuthentication } from "./rate-limits.ts";

const CHALLENGE = { "www-authenticate": "Bearer" };

/** A key's last use is kept to the minute, in milliseconds. */
const LAST_USE_RESOLUTION = 60_000;

/**
 * Whose request it is; the use of the key is noted beside the request, which does not wait for it.
 *
 * @throws PlainError 401, and 429 beyond the limit of the address.
 */
export async function identify(request: Request, service: Service, now: Instant): Promise<Caller> {
  const { database, log } = service;
  const caller = await authenticateWithinLimit(request, service, now);
  if (isStale(caller.keyLastUsedAt, now))
    database
      .write((trx) => setKeyLastUsed(trx, caller.organizationId, caller.keyId, now), {
        organizationId: caller.organizationId,
      })
      .catch(() => log({ time: now, level: "error", message: "last use of a key was not kept" }));
  return caller;
}

/** @throws PlainError 429 beyond the limit of the key. */
export function countRequest({ keyId }: Caller, { limits }: Service, now: Instant): void {
  limits.requestsOfKey?.count(keyId, epochMilliseconds(now));
}

/**
 * Asks once more whose request it is: its body may have taken long to come, and the key been revoked meanwhile.
 *
 * @throws PlainError 401 where the key does not work any more, 403 where its role is another one.
 */
export async function requireSameCaller(
  request: Request,
  db: Db,
  { caller, now }: { caller: Caller; now: Instant },
): Promise<void> {
  const { role } = await authenticateRequest(request, (key) => authenticate(db, key, now));
  if (role !== caller.role) throw new PlainError(403, "Access denied");
}

/** @throws PlainError 403 where the role may not, or the key only reads. */
export function requirePermission(permission: Permission, { role, isReadOnly }: Caller): void {
  const denied = refusal(permission, role, isReadOnly);
  if (denied !== undefined) throw new PlainError(403, denied);
}

/** Every failure counts for its address, and too many of them are answered 429; a good key always works. */
async function authenticateWithinLimit(
  request: Request,
  { database, limits, addressOf }: Service,
  now: Instant,
): Promise<Caller> {
  try {
    return await authenticateRequest(request, (key) => authenticateTogether(database, key, now));
  } catch (error) {
    if (error instanceof PlainError)
      countFailedAuthentication(limits, addressOf(request), epochMilliseconds(now));
    // Elysia looks into what is thrown, which must be something.
    throw error ?? new Error("Nothing was thrown");
  }
}

function isStale(lastUsedAt: Instant | null, now: Instant): boolean {
  if (lastUsedAt === null) return true;
  return epochMilliseconds(now) - epochMilliseconds(lastUsedAt) >= LAST_USE_RESOLUTION;
}

/** @throws PlainError 401 `API key required` where there is none, `Invalid API key` for one that does not work. */
async function authenticateRequest(
  request: Request,
  callerOf: (key: string) => Promise<Caller | undefined>,
): Promise<Caller> {
  const key = bearerToken(request.headers.get("authorization"));
  if (key === undefined) throw new PlainError(401, "API key required", CHALLENGE);
  const caller = isWellFormedKey(key) ? await callerOf(key) : undefined;
  if (caller === undefined) throw new PlainError(401, "Invalid API key", CHALLENGE);
  return caller;
}

/** The scheme's letter case does not matter (RFC 9110, 11.1). */
function bearerToken(header: string | null): string | undefined {
  const token = /^bearer +(.+)$/i.exec(header?.trim() ?? "")?.[1]?.trim();
  return token === "" ? undefined : token;
}
