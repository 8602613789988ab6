import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/**
 * Encryption of stored responses, with a key derived from the request's body, which is not stored. Only a client that
 * sends the same body again can get the response; to anyone else the stored data is useless. So the data of a deleted
 * goal is gone from the database file, although a retry of its creation still gets its response.
 */

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Derives the key from a body. It cannot be derived from the body's hash, which is stored. */
export function sealingKey(body: Uint8Array): Buffer {
  return createHash("sha256").update("caseload answer\0").update(body).digest();
}

/** Encrypts a text; returns base 64. */
export function seal(text: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const sealed = [cipher.update(text, "utf8"), cipher.final()];
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString("base64");
}

/** Decrypts the result of `seal`. Throws for another key or modified data. */
export function unseal(sealed: string, key: Buffer): string {
  const bytes = Buffer.from(sealed, "base64");
  const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
  cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = [cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()];
  return Buffer.concat(text).toString("utf8");
}
