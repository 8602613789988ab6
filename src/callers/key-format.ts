import { randomBytes } from "node:crypto";

/**
 * The format of keys: a prefix, 160 random bits and a checksum, in Crockford's base 32. Secret scanners can recognize
 * leaked keys by it, and mistyped keys are refused without a database query.
 */

/** What a key opens: the API; the tools for agents; or the calendar feed of its user. */
export type KeyKind = "API" | "AGENT" | "CALENDAR";

const PREFIX = "caseload_";
/** Of its own, since the address of a calendar is seen by more programs than a key. */
const CALENDAR_PREFIX = "caseloadcal_";
const RANDOM_BYTES = 20;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const RANDOM_LENGTH = (RANDOM_BYTES * 8) / 5;
const CHECKSUM_LENGTH = 7;
const FORM = new RegExp(
  `^(${PREFIX}|${CALENDAR_PREFIX})[${ALPHABET}]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`,
);

/** Generates a key. Show it once; store only its `hashKey`. */
export function newKey(kind: KeyKind = "API"): string {
  const prefix = kind === "CALENDAR" ? CALENDAR_PREFIX : PREFIX;
  const body = prefix + base32(randomBytes(RANDOM_BYTES));
  return body + checksum(body);
}

/** Whether a text has the format of a key and a correct checksum. The key need not exist. */
export function isWellFormedKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  return text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH));
}

/** The stored form of a key: its SHA-256 in hex. 160 random bits need no slow password hash. */
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
