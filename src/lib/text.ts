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

/**
 * The terms of a search, folded and each once, all of which must occur. Empty for a
 * text of nothing but white space, which is then no filter.
 *
 * @example
 * searchTerms("  Muñoz  ANA munoz "); // ["munoz", "ana"]
 */
export function searchTerms(search: string): string[] {
  const terms = foldForSearch(search).split(WHITE_SPACE);
  return [...new Set(terms)].filter((term) => term !== "");
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
