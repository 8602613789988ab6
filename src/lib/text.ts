/** Search terms and case folding, characters that must not be stored, and lists of quoted values. */

const MARKS = /\p{Mark}+/gu;
const WHITE_SPACE = /\p{White_Space}+/u;
/** Joiners, soft hyphens, directions and the like, which come along when a text is copied. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** An acute accent by itself, typed for an apostrophe. Compatibility forms would make a space of it. */
const ACUTE = /[\u00b4\u1ffd]/g;

/**
 * Replacements for lower-case letters that Unicode normalization does not decompose, by what one types for them on an
 * English keyboard; and for typographic apostrophes, the Hawaiian ʻokina, and typographic hyphens, dashes and minus.
 */
const STAND_INS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ı: "i",
  ə: "e",
  ς: "σ",
  "’": "'",
  "‘": "'",
  ʼ: "'",
  ʻ: "'",
  "`": "'",
  "′": "'",
  "‐": "-",
  "‑": "-",
  "‒": "-",
  "–": "-",
  "—": "-",
  "―": "-",
  "−": "-",
};
const STANDING_OUT = new RegExp(`[${Object.keys(STAND_INS).join("")}]`, "g");

/**
 * Folds text for search: removes case, diacritics, variants of letters, and what is invisible. Idempotent. Not for
 * display.
 *
 * Marks are removed in every script, so that `и` also finds `й`: a search may find too much, but must not miss a
 * patient.
 *
 * @example
 * foldForSearch("Muñoz"); // "munoz"
 * foldForSearch("Łukasz O’Brien-STRAẞE"); // "lukasz o'brien-strasse"
 */
export function foldForSearch(text: string): string {
  return text
    .replace(ACUTE, "'")
    .normalize("NFKD")
    .toLowerCase()
    .replace(MARKS, "")
    .replace(INVISIBLE, "")
    .replace(STANDING_OUT, (letter) => STAND_INS[letter] ?? letter);
}

/** A text without what is invisible in it, such as a space of no width that was copied with an address. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/** White space, invisible characters, and two letters without a picture: an empty Braille cell and the Hangul filler. */
const NOTHING_SEEN = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800\u3164]*$/u;

/** Whether nothing of a text can be seen, so that a name of it is none. */
export function isBlank(text: string): boolean {
  return NOTHING_SEEN.test(text);
}

/** Commas and semicolons around a term, as in a list of names. */
const SEPARATORS = /^[,;]+|[,;]+$/g;

/** An area code in brackets and the space after it, which does not end the term: `(802) 658-4000`. */
const AREA_CODE = /(\([0-9]+\))\p{White_Space}+(?=[0-9])/gu;
/** A country code and the space after it, likewise: `+1 415`. */
const COUNTRY_CODE = /(?<!\P{White_Space})(\+1)\p{White_Space}+(?=[(0-9])/gu;
/** All of a number of the United States as a telephone shows it, with the country code but without `+`. */
const NATIONAL_NUMBER =
  /(?<!\P{White_Space})1[\s.-]+\(?([0-9]{3})\)?[\s.-]*([0-9]{3})[\s.-]*([0-9]{4})(?!\P{White_Space})/gu;

/**
 * The distinct, folded terms of a search; a match contains all of them. Empty (no filter) for a text of only white
 * space, commas and semicolons.
 *
 * @example
 * searchTerms("  Muñoz,  ANA munoz "); // ["munoz", "ana"]
 */
export function searchTerms(search: string): string[] {
  const terms = foldForSearch(search)
    .replace(NATIONAL_NUMBER, "1$1$2$3")
    .replace(AREA_CODE, "$1")
    .replace(COUNTRY_CODE, "$1")
    .split(WHITE_SPACE);
  const words = terms.map((term) => term.replace(SEPARATORS, ""));
  return [...new Set(words)].filter((term) => term !== "");
}

/**
 * The digits of a text, each mapped to a control character: nobody types one, and unlike other unused characters it is
 * ASCII, for which SQLite's `like` is faster.
 */
function asMarks(text: string): string {
  const digits = text.replaceAll(/[^0-9]/g, "");
  return digits.replaceAll(/./g, (digit) => String.fromCharCode(0x10 + Number(digit)));
}

/**
 * The digits of a phone number as indexed for search. Control characters keep them apart from other text, so that
 * only terms of `digitsOfTerm` match.
 */
export function digitsOfPhone(phoneNumber: string): string {
  return asMarks(foldForSearch(phoneNumber));
}

/** Shorter runs of digits would match most phone numbers. */
const MIN_DIGITS = 4;

/** A term that begins with the country code of the United States. */
const INTERNATIONAL = /^[^0-9]*\+1|^(?:[^0-9]*[0-9]){11}[^0-9]*$/;
const ONE = asMarks("1");

/**
 * The digits of a folded term in the form of `digitsOfPhone`, without the country code of the United States, which
 * stored numbers may lack. Undefined for a term with letters or with fewer than four digits, which is not searched for
 * in phone numbers.
 */
export function digitsOfTerm(term: string): string | undefined {
  const marks = asMarks(term);
  if (marks.length < MIN_DIGITS || /\p{Letter}/u.test(term)) return undefined;
  return INTERNATIONAL.test(term) && marks.startsWith(ONE) ? marks.slice(1) : marks;
}

/**
 * Whether `text` contains U+0000, which databases refuse or truncate at, or an unpaired surrogate, which UTF-8 cannot
 * encode.
 */
export function hasForbiddenCharacter(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

/** Limit of values in one message; the same as the limit of issues in one response. */
const MAX_QUOTED = 50;

/**
 * Distinct values, quoted and separated by commas; after fifty, the number of the others.
 *
 * @example
 * quoted(["loc_1", "loc_2", "loc_1"]); // "'loc_1', 'loc_2'"
 */
export function quoted(values: readonly string[]): string {
  const distinct = [...new Set(values)];
  const list = distinct.slice(0, MAX_QUOTED).map((value) => `'${value}'`);
  const others = distinct.length - list.length;
  return list.join(", ") + (others > 0 ? ` and ${others} more` : "");
}

/** Texts in order, each once. */
export function sortedSet(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
