/** Text as people type and search it, and the characters that no text of ours may hold. */

const MARKS = /\p{Mark}+/gu;
const WHITE_SPACE = /\p{White_Space}+/u;

/**
 * Small letters that Unicode regards as letters of their own, with no accent to take off, and
 * what an English keyboard types for them; and the apostrophes that telephones and Hawaiian write
 * for its `'`.
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
 * The form in which text is searched: without case, diacritics or variants of one letter.
 * Folding what is folded changes nothing. Not for display.
 *
 * Marks are taken off in every script, so `й` is found by `и`: in a search, finding a little
 * too much is better than missing a patient.
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

/** Commas and semicolons at the ends of a term, as in a list of names. */
const SEPARATORS = /^[,;]+|[,;]+$/g;

/** An area code in brackets, which belongs to the number behind it: `(802) 658-4000`. */
const AREA_CODE = /(\([0-9]+\))\p{White_Space}+(?=[0-9])/gu;

/**
 * The terms of a search, folded and each once, all of which must occur. Empty for a
 * text of nothing but white space, commas and semicolons, which is then no filter.
 *
 * @example
 * searchTerms("  Muñoz,  ANA munoz "); // ["munoz", "ana"]
 */
export function searchTerms(search: string): string[] {
  const terms = foldForSearch(search).replace(AREA_CODE, "$1").split(WHITE_SPACE);
  const named = terms.map((term) => term.replace(SEPARATORS, ""));
  return [...new Set(named)].filter((term) => term !== "");
}

/** The digits of a text, as characters of Unicode's private use. */
function asMarks(text: string): string {
  const digits = text.replaceAll(/[^0-9]/g, "");
  return digits.replaceAll(/./g, (digit) => String.fromCharCode(0xe000 + Number(digit)));
}

/**
 * The digits of a phone number in a form that `digitsOfTerm` finds in a text that is searched, and that no other term
 * does: nobody types its characters.
 */
export function digitsOfPhone(phoneNumber: string): string {
  return asMarks(foldForSearch(phoneNumber));
}

/** With fewer digits, a term would be found in most phone numbers. */
const FEWEST_DIGITS = 4;

/**
 * The digits of a folded term in the same form; undefined for a term with letters, or with fewer than four digits,
 * which is not looked for among the digits of phone numbers.
 */
export function digitsOfTerm(term: string): string | undefined {
  const marks = asMarks(term);
  return marks.length < FEWEST_DIGITS || /\p{Letter}/u.test(term) ? undefined : marks;
}

/**
 * Whether `text` holds U+0000, which databases cut off or refuse, or half of a surrogate pair, which no
 * UTF-8 can carry.
 */
export function hasForbiddenCharacter(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

/** Values that a sentence names before it counts the others: as many as issues in a list of them. */
const MOST_QUOTED = 50;

/**
 * Values as a sentence names them, each once; beyond fifty it says how many more there are.
 *
 * @example
 * quoted(["loc_1", "loc_2", "loc_1"]); // "'loc_1', 'loc_2'"
 */
export function quoted(values: readonly string[]): string {
  const distinct = [...new Set(values)];
  const named = distinct.slice(0, MOST_QUOTED).map((value) => `'${value}'`);
  const others = distinct.length - named.length;
  return named.join(", ") + (others > 0 ? ` and ${others} more` : "");
}

/** Texts in order, each once. */
export function sortedSet(texts: readonly string[] = []): string[] {
  return [...new Set(texts)].sort();
}
