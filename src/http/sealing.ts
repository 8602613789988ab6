import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/**
 * Answers that are kept for retries, sealed with a key that only the request's body gives and that is not
 * stored. Whoever sends the same body can be given the answer; to everybody else it is noise. So a goal that was
 * deleted is gone from the file, although a retry of its creation is still answered.
 */

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The key of the answers to a body. The hash of the body, which is stored, tells nothing of it. */
export function sealingKey(body: Uint8Array): Buffer {
  return createHash("sha256").update("caseload answer\0").update(body).digest();
}

/** The text under the key, in base 64. */
export function seal(text: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const sealed = [cipher.update(text, "utf8"), cipher.final()];
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString("base64");
}

/** What `seal` was given. Throws for another key, and for a text that was changed. */
export function unseal(sealed: string, key: Buffer): string {
  const bytes = Buffer.from(sealed, "base64");
  const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
  cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = [cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()];
  return Buffer.concat(text).toString("utf8");
}
