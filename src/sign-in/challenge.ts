import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * Challenges of passkey ceremonies: 16 random bytes, the time, and an HMAC-SHA-256 over both with a secret of the
 * database. Nobody stores one that is only asked for, and every node of a database recognizes those of the others.
 */

const RANDOM_BYTES = 16;
/** Milliseconds since 1970, as a number of 48 bits. */
const TIME_BYTES = 6;
const SIGNED_BYTES = RANDOM_BYTES + TIME_BYTES;
const HMAC_BYTES = 32;

/** How long a challenge is valid, in milliseconds. */
export const CHALLENGE_TIME = 5 * 60_000;

/** Tolerated difference between the clocks of two nodes, in milliseconds. */
const CLOCK_TOLERANCE = 60_000;

/**
 * Creates a challenge, in base64url.
 *
 * @param now epoch milliseconds.
 */
export function newChallenge(secret: string, now: number): string {
  const signed = Buffer.alloc(SIGNED_BYTES);
  randomBytes(RANDOM_BYTES).copy(signed);
  signed.writeUIntBE(now, RANDOM_BYTES, TIME_BYTES);
  return Buffer.concat([signed, hmacOf(signed, secret)]).toString("base64url");
}

/**
 * Whether a text is a challenge that was created with the secret, and is still valid.
 *
 * @param now epoch milliseconds.
 */
export function isValidChallenge(text: string, secret: string, now: number): boolean {
  const bytes = Buffer.from(text, "base64url");
  // Each challenge has only one spelling, so that none counts twice.
  if (bytes.length !== SIGNED_BYTES + HMAC_BYTES || bytes.toString("base64url") !== text)
    return false;
  const signed = bytes.subarray(0, SIGNED_BYTES);
  if (!timingSafeEqual(bytes.subarray(SIGNED_BYTES), hmacOf(signed, secret))) return false;
  const age = now - signed.readUIntBE(RANDOM_BYTES, TIME_BYTES);
  return age >= -CLOCK_TOLERANCE && age <= CHALLENGE_TIME;
}

function hmacOf(signed: Uint8Array, secret: string): Buffer {
  return createHmac("sha256", secret).update(signed).digest();
}
