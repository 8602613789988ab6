/** Generation of public ids. Ids in an imported practice file are kept as they are. */

/** Prefixes by type of record: first those of the API specification, then (from `key_`) those it does not define. */
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
  | "passkey_"
  | "signin_" // sign-in
  | "enc_" // encounter
  | "hook_" // webhook
  | "lead_" // intake lead
  | "stage_" // intake stage
  | "behavior_" // behavior instance
  | "trial_" // skill trial
  | "rating_" // rating instance
  | "interval_" // interval set
  | "rec_"; // recorded entry

/** Crockford's base 32 omits i, l, o and u, which are easily misread. In ASCII order, so that ids sort. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A new id: the prefix and a UUIDv7 in the 26 characters of TypeID. Ids sort by `now`, and within one millisecond by
 * order of creation in this process. 62 bits are cryptographically random.
 *
 * @param now epoch milliseconds; throws unless it is an integer.
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

/** Encodes 16 bytes as one number of 26 digits. */
function base32(bytes: Uint8Array): string {
  let digits = "";
  let pending = 0;
  // 26 digits hold 130 bits, and a UUID has 128: two zero bits come first.
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
