import { randomBytes } from "node:crypto";

/**
 * The text of an API key: `caseload_`, 160 random bits and a checksum, in Crockford's base 32. The fixed
 * form lets scanners recognize a leaked key, and a mistyped one is refused without asking the database.
 */

const PREFIX = "caseload_";
const RANDOM_BYTES = 20;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const RANDOM_LENGTH = (RANDOM_BYTES * 8) / 5;
const CHECKSUM_LENGTH = 7;
const FORM = new RegExp(`^${PREFIX}[${ALPHABET}]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key. It is shown once and never stored; keep `hashKey` of it. */
export function newKey(): string {
  const body = PREFIX + base32(randomBytes(RANDOM_BYTES));
  return body + checksum(body);
}

/** Whether a text has the form of a key and its checksum is right. It may still be nobody's key. */
export function isWellFormedKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  return text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH));
}

/** The SHA-256 of a key in hex, which is all that is stored: 160 random bits need no slower hash. */
export function hashKey(key: string): string {
  return Bun.CryptoHasher.hash("sha256", key, "hex");
}

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text);
  let digits = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = ALPHABET.charAt(rest % 32) + digits;
    rest = Math.floor(rest / 32);
  }
  return digits;
}

function base32(bytes: Uint8Array): string {
  let digits = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) digits += ALPHABET.charAt((value >>> (bits - 5)) & 31);
    value &= 31;
  }
  return digits;
}
