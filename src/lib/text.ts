/** Search terms and case folding, characters that must not be stored, and lists of quoted values. */

const MARKS = /\p{Mark}+/gu;
const WHITE_SPACE = /\p{White_Space}+/u;

/**
 * Replacements for lower-case letters that Unicode normalization does not decompose, by what one types for them on an
 * English keyboard; and for typographic apostrophes and the Hawaiian ʻokina.
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
};
const STANDING_OUT = new RegExp(`[${Object.keys(STAND_INS).join("")}]`, "g");

/**
 * Folds text for search: removes case, diacritics and variants of letters. Idempotent. Not for display.
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
    .normalize("NFKD")
    .toLowerCase()
    .replace(MARKS, "")
    .replace(STANDING_OUT, (letter) => STAND_INS[letter] ?? letter);
}

/** Commas and semicolons around a term, as in a list of names. */
const SEPARATORS = /^[,;]+|[,;]+$/g;

/** An area code in brackets and the space after it, which does not end the term: `(802) 658-4000`. */
const AREA_CODE = /(\([0-9]+\))\p{White_Space}+(?=[0-9])/gu;

/**
 * The distinct, folded terms of a search; a match contains all of them. Empty (no filter) for a text of only white
 * space, commas and semicolons.
 *
 * @example
 * searchTerms("  Muñoz,  ANA munoz "); // ["munoz", "ana"]
 */
export function searchTerms(search: string): string[] {
  const terms = foldForSearch(search).replace(AREA_CODE, "$1").split(WHITE_SPACE);
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

/**
 * The digits of a folded term in the form of `digitsOfPhone`. Undefined for a term with letters or with fewer than
 * four digits, which is not searched for in phone numbers.
 */
export function digitsOfTerm(term: string): string | undefined {
  const marks = asMarks(term);
  return marks.length < MIN_DIGITS || /\p{Letter}/u.test(term) ? undefined : marks;
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
