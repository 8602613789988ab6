import type { Db } from "../../db/database.ts";
import { authenticate, type Caller } from "../callers/api-keys.ts";
import { isWellFormedKey } from "../callers/key-format.ts";
import { type Permission, denialMessage } from "../callers/permissions.ts";
import { LAST_USE_RESOLUTION, setLastUsed } from "../callers/last-use-repository.ts";
import { findSignIn, type SignIn } from "../callers/sign-ins.ts";
import { epochMilliseconds, type Instant } from "../lib/instant.ts";
import { PlainError } from "./errors.ts";
import { isInner } from "./inner-requests.ts";
import type { Dependencies } from "./context.ts";
import { countFailedAuthentication } from "./limits/rate-limits.ts";
import { signInToken } from "./sign-in-cookie.ts";

const NO_SCHEME = 'Send the key as "Authorization: Bearer …"';

/** A 401, with the header that HTTP prescribes for it. */
export class Unauthenticated extends PlainError {
  constructor(message: string, reason?: string) {
    super(401, message, { "www-authenticate": "Bearer" }, reason);
  }
}

/** The sign-in is valid, but was not used for a while. This is no failed authentication. */
class Locked extends Unauthenticated {
  constructor() {
    super("Sign-in is locked");
  }
}

/**
 * Authenticates a request: by its key, or by the cookie of a sign-in. The last use is recorded asynchronously; the
 * request does not wait for it.
 *
 * @throws PlainError 401; 429 over the limit of the address.
 */
export async function identify(
  request: Request,
  dependencies: Dependencies,
  now: Instant,
): Promise<Caller> {
  const { database, limits, addressOf } = dependencies;
  try {
    const caller = await authenticateRequest(request, {
      withKey: (key) => database.read((db) => authenticate(db, key, now)),
      signedIn: async (token) => unlocked(await database.read((db) => findSignIn(db, token, now))),
    });
    noteUse(caller, dependencies, now);
    return caller;
  } catch (error) {
    // A valid key is never limited. People of one office share its address, and a locked sign-in is no guess.
    if (error instanceof PlainError && !(error instanceof Locked))
      countFailedAuthentication(limits, addressOf(request), epochMilliseconds(now));
    // Elysia inspects errors and cannot handle `undefined`.
    throw error ?? new Error("Nothing was thrown");
  }
}

/** Keys whose last use is being stored: while another program holds the lock, each request would wait to store it. */
const storing = new Set<string>();

/** Records the last use of a key, at most once a minute, without waiting for it. */
export function noteUse(
  { kind, organizationId, keyId, keyLastUsedAt }: Caller,
  { database, log }: Dependencies,
  now: Instant,
): void {
  if (!isStale(keyLastUsedAt, now) || storing.has(keyId)) return;
  storing.add(keyId);
  const table = kind === "SIGN_IN" ? "sign_ins" : "api_keys";
  database
    .write((trx) => setLastUsed(trx, table, { organizationId, id: keyId }, now), { organizationId })
    .catch(() => log({ time: now, level: "error", message: "last use of a key was not stored" }))
    .finally(() => storing.delete(keyId));
}

/**
 * Keys of agents open the API only to the requests of their tools.
 *
 * @throws PlainError 403 for a key that does not open the API, on every path.
 */
export function requireApiKey(request: Request, { kind }: Caller): void {
  const isOpen = kind === "AGENT" ? isInner(request) : kind !== "CALENDAR";
  if (!isOpen) throw new PlainError(403, "Access denied");
}

/** @throws PlainError 429 over the limit of the key. */
export function countRequest({ keyId }: Caller, { limits }: Dependencies, now: Instant): void {
  limits.requestsOfKey?.count(keyId, epochMilliseconds(now));
}

/**
 * Authenticates a request again after its body has arrived: that may have taken long, and the key may have been
 * revoked. A sign-in may have been locked meanwhile: what somebody typed for long is not refused at its end.
 *
 * @throws PlainError 401 if the key is no longer valid, 403 if its role has changed.
 */
export async function requireSameCaller(
  request: Request,
  db: Db,
  { caller, now }: { caller: Caller; now: Instant },
): Promise<void> {
  const { role } = await authenticateRequest(request, {
    withKey: (key) => authenticate(db, key, now),
    signedIn: async (token) => (await findSignIn(db, token, now))?.caller,
  });
  if (role !== caller.role) throw new PlainError(403, "Access denied");
}

/** @throws PlainError 403 if the role lacks the permission, or a read-only key is used to write. */
export function requirePermission(permission: Permission, caller: Caller): void {
  const denied = denialMessage(permission, caller);
  if (denied !== undefined) throw new PlainError(403, denied);
}

/** Whether a last use is to be stored anew. It may lie in the future, if the clock was wrong. */
function isStale(lastUsedAt: Instant | null, now: Instant): boolean {
  if (lastUsedAt === null) return true;
  return Math.abs(epochMilliseconds(now) - epochMilliseconds(lastUsedAt)) >= LAST_USE_RESOLUTION;
}

/** Finds the caller of a credential; undefined if it is not valid. */
interface Finders {
  withKey(key: string): Promise<Caller | undefined>;
  signedIn(token: string): Promise<Caller | undefined>;
}

/**
 * The caller of a request: of a sign-in, or of a key.
 *
 * @throws PlainError 401: how to send a key, without one in that form; `Invalid API key` for one that is not valid,
 * `Sign-in has ended` for the cookie of a sign-in that is not valid.
 */
async function authenticateRequest(request: Request, find: Finders): Promise<Caller> {
  const token = signInToken(request);
  if (token !== undefined) return requireSignedIn(request, await find.signedIn(token));
  const header = request.headers.get("authorization")?.trim() ?? "";
  const key = bearerToken(header);
  if (key === undefined)
    throw new Unauthenticated(isWellFormedKey(header) ? NO_SCHEME : "API key required");
  const caller = isWellFormedKey(key) ? await find.withKey(key) : undefined;
  if (caller === undefined) throw new Unauthenticated("Invalid API key");
  return caller;
}

/**
 * The caller, if they are signed in, and are whom the page thinks they are: on a shared computer, somebody else may have
 * signed in in another tab. The page names the practice, too (`ORG.USER`): two practices may have equal ids of users.
 *
 * @throws PlainError 401
 */
export function requireSignedIn<Who extends Caller>(
  request: Request,
  caller: Who | undefined,
): Who {
  const expected = request.headers.get("caseload-user");
  if (caller !== undefined && (expected === null || isNamedBy(expected, caller))) return caller;
  throw new Unauthenticated("Sign-in has ended");
}

/** Whether a `Caseload-User` names a caller; without a full stop, which no id has, it is a user alone. */
function isNamedBy(expected: string, { organizationId, userId }: Caller): boolean {
  return expected === (expected.includes(".") ? `${organizationId}.${userId}` : userId);
}

function unlocked(signIn: SignIn | undefined): Caller | undefined {
  if (signIn?.isLocked === true) throw new Locked();
  return signIn?.caller;
}

/** The scheme is case-insensitive (RFC 9110, 11.1). */
function bearerToken(header: string): string | undefined {
  return /^bearer +(.+)$/i.exec(header)?.[1];
}
