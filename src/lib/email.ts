import { withoutInvisible } from "./text.ts";

/** Validation and comparison of email addresses. */

/** An SMTP path has at most 256 octets, including two angle brackets (RFC 5321, 4.5.3.1.3). */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** One part of the local part, between dots (`atom` in RFC 5322). */
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const HOST_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** At least two characters, the first a letter: no top-level domain is a number or a single letter. */
const TOP_LEVEL_DOMAIN = "[a-z][a-z0-9-]{0,61}[a-z0-9]";
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${HOST_LABEL}\\.)+${TOP_LEVEL_DOMAIN}$`, "i");

/**
 * Whether `text` is an email address in the syntax of HTML email fields, with a domain of at least two labels and no
 * leading, trailing or double dots.
 * Deliberately refused: quoted local parts, IP addresses as domains, and non-ASCII letters, which many mail servers
 * do not accept before the `@`; internationalized domains are accepted in their `xn--` form.
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
 * The form in which addresses are compared and kept unique: in lower case, without what is invisible. Takes any text,
 * since practice files may contain addresses that `isEmail` refuses.
 *
 * @example
 * emailKey("Ana.Ruiz@Maple.example"); // "ana.ruiz@maple.example"
 */
export function emailKey(text: string): string {
  return withoutInvisible(text).toLowerCase();
}
