/** Email addresses: what looks like one, and when two are the same. */

/** The longest path of SMTP is 256 octets, of which two are its angle brackets (RFC 5321, 4.5.3.1.3). */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** What stands between the dots before the `@` (the atom of RFC 5322). */
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const HOST_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** Begins with a letter and has at least two: no top-level domain is a number or a single letter. */
const TOP_LEVEL_DOMAIN = "[a-z][a-z0-9-]{0,61}[a-z0-9]";
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${HOST_LABEL}\\.)+${TOP_LEVEL_DOMAIN}$`, "i");

/**
 * Whether `text` looks like an email address that mail can be sent to.
 * This is the rule of an HTML email field, with a domain of at least two labels and no stray dots.
 * Refused on purpose: quoted local parts, addresses at an IP number, and letters beyond ASCII, which
 * many mail servers do not take before the `@`; a domain in such letters is given in its `xn--` form.
 *
 * @example
 * isEmail("ana.ruiz+intake@maple.example"); // true
 * isEmail("ana@localhost"); // false: no top-level domain
 * isEmail(""); // false
 */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && text.indexOf("@") <= MAX_LOCAL_LENGTH && EMAIL.test(text);
}

/**
 * The form under which addresses are compared and kept unique, so that letter case makes no
 * difference. Takes any text, as a practice file may hold addresses that
 * `isEmail` would refuse.
 *
 * @example
 * emailKey("Ana.Ruiz@Maple.example"); // "ana.ruiz@maple.example"
 */
export function emailKey(text: string): string {
  return text.toLowerCase();
}
