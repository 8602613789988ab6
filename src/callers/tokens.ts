import { randomBytes } from "node:crypto";
import { hashKey } from "./key-format.ts";

/**
 * Tokens of invitations and sign-ins: `ORG.TOKEN`, the organization and 160 random bits in base64url. Only the hash of
 * the random part is stored.
 */

const RANDOM_BYTES = 20;
const FORM = /^([A-Za-z0-9_-]{1,128})\.([A-Za-z0-9_-]{27})$/;

/** Where a token is found: its organization, and the hash under which it is stored. */
export interface StoredToken {
  organizationId: string;
  hash: string;
}

/** Creates a token. Give it out once; store only its hash. */
export function newToken(organizationId: string): { token: string; hash: string } {
  const random = randomBytes(RANDOM_BYTES).toString("base64url");
  return { token: `${organizationId}.${random}`, hash: hashKey(random) };
}

/** Reads a token. Undefined for a text of another form. */
export function readToken(text: string): StoredToken | undefined {
  const [, organizationId, random] = FORM.exec(text) ?? [];
  if (organizationId === undefined || random === undefined) return undefined;
  return { organizationId, hash: hashKey(random) };
}
