/** New public ids. Those that a practice brings along in its file are kept as they are. */

/** What an id is of: the prefixes of the API's own description, then those of records for which it names none. */
export type PublicIdPrefix =
  | "usr_"
  | "apt_"
  | "loc_"
  | "svc_"
  | "svl_"
  | "nbc_"
  | "auth_"
  | "apool_"
  | "aup_"
  | "pay_"
  | "pcpay_"
  | "spec_"
  | "org_"
  | "goal_"
  | "metric_"
  | "tp_"
  | "lbl_"
  | "key_" // API key
  | "enc_" // encounter
  | "lead_" // intake lead
  | "stage_" // intake stage
  | "behavior_" // behavior instance
  | "trial_" // skill trial
  | "rating_" // rating instance
  | "interval_"; // interval set

/** Crockford's base 32, without i, l, o and u, which are misread. In the order of ASCII, so that ids sort. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A new id: the prefix and a UUIDv7 in 26 characters, as TypeID writes it. Ids sort by the time given,
 * and those of one millisecond in the order in which they were made (by this process). 62 bits are
 * random, from the runtime's source for cryptography.
 *
 * @param now epoch milliseconds, a whole number; anything else throws.
 *
 * @example
 * newPublicId("usr_", Date.parse("2026-01-08T14:00:00Z")); // "usr_01keeygdr0fkw8q9bh2c7sxq6e"
 */
export function newPublicId<Prefix extends PublicIdPrefix>(
  prefix: Prefix,
  now: number,
): `${Prefix}${string}` {
  return `${prefix}${base32(Bun.randomUUIDv7("buffer", now))}`;
}

/** The 16 bytes as one number in 26 digits. */
function base32(bytes: Uint8Array): string {
  let digits = "";
  let pending = 0;
  // 26 digits hold 130 bits, two more than there are: the number begins with two zeros.
  let pendingBits = 2;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      digits += DIGITS.charAt((pending >> pendingBits) & 31);
    }
    pending &= (1 << pendingBits) - 1;
  }
  return digits;
}
