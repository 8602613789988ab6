import type { Db } from "../../db/database.ts";
import { authenticate, type Principal } from "../access/api-keys.ts";
import { isWellFormedKey } from "../access/key-format.ts";
import type { Instant } from "../lib/instant.ts";
import { PlainError } from "./errors.ts";

const CHALLENGE = { "WWW-Authenticate": "Bearer" };

/**
 * Whose key a request carries (specification 5).
 *
 * @throws PlainError 401 `API key required` where there is none, `Invalid API key` for one that does not
 * work.
 */
export async function authenticateRequest(
  request: Request,
  db: Db,
  now: Instant,
): Promise<Principal> {
  const key = bearerToken(request.headers.get("authorization"));
  if (key === undefined) throw new PlainError(401, "API key required", CHALLENGE);
  const principal = isWellFormedKey(key) ? await authenticate(db, key, now) : undefined;
  if (principal === undefined) throw new PlainError(401, "Invalid API key", CHALLENGE);
  return principal;
}

/** The scheme's letter case does not matter (RFC 9110, 11.1). */
function bearerToken(header: string | null): string | undefined {
  const token = /^bearer +(.+)$/i.exec(header?.trim() ?? "")?.[1]?.trim();
  return token === "" ? undefined : token;
}
