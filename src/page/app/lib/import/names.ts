import { folded, plain as plainText } from "../base/plain.ts";

/** Names as offices write them, and when two of them are the same. */

/** Letters and digits in lower case, of every script, without accents; `#` is `number`. So `Rück-Nr.` is `rucknr`. */
export function plain(text: string): string {
  return plainText(text.replaceAll("#", " number "));
}

/** The words of a text in lower case, without accents and punctuation. */
function wordsIn(text: string): string[] {
  // What is within a word, such as the apostrophe of O’Dowd, parts none.
  return folded(text)
    .replaceAll(/['’‘ʼ`´.]/g, "")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);
}

export interface PersonName {
  firstName: string;
  lastName: string;
}

/** Where the last name of three words and more begins. */
const PARTICLES = new Set([
  ...["de", "del", "da", "dos", "das", "di", "la", "le", "van", "von", "der", "den", "ter"],
  ...["bin", "ibn", "al", "el", "st", "st."],
]);
const SUFFIX = /^(?:jr|sr|ii|iii|iv|2nd|3rd)\.?$/i;
/** Those that are no names, however they are written. */
const CREDENTIALS = new Set([
  ...["rbt", "bcba", "bcbad", "bcaba", "lba", "laba", "bcat", "abat", "qba", "qbasp", "msed"],
  ...["lcsw", "lmsw", "lmft", "lmhc", "lcpc", "phd", "psyd", "cccslp", "otrl", "cota"],
]);
/** Those that are names, too: only in capitals, or with points. */
const DEGREES = new Set([
  ...["ba", "bs", "bt", "ma", "ms", "mat", "med", "mha", "msw", "mba", "mph", "edd", "eds"],
  ...["md", "do", "rn", "np", "pa", "lpn", "lpc", "mft", "slp", "ccc", "ot", "otr", "pt", "dpt"],
]);

export function isCredential(word: string): boolean {
  const isAbbreviated = word === word.toUpperCase() || /[a-z][A-Z]|\../.test(word);
  return CREDENTIALS.has(lettersOf(word)) || (DEGREES.has(lettersOf(word)) && isAbbreviated);
}

/** A degree, which is no credential of behavior analysis. */
export function isDegree(word: string): boolean {
  return [...DEGREES, "phd", "psyd", "msed"].includes(lettersOf(word));
}

function lettersOf(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z]/g, "");
}

const TITLE = /^(?:mr|mrs|ms|miss|mx|dr|prof)\.?$/i;

export interface SplitName extends PersonName {
  /** Whether another place to split is as likely. */
  isGuess: boolean;
}

/** What stands aside of a name: a number of theirs, or what somebody is called: `Maria (Mia) Ruiz [1234]`, `Ruiz, Maria - C12`. */
const ASIDE = /\([^()]*\)|\[[^[\]]*\]|["“][^"“”]*["”]|\s(?:[-–]\s|#)\S*\d\S*$|^\d+(?:\s[-–])?\s/g;

/** `Ruiz, Maria`, `Maria Ruiz`, `Dev Raman, BCBA`, `Maria de la Cruz`; undefined for one word or none. */
export function splitName(text: string): SplitName | undefined {
  const whole = text.replaceAll(ASIDE, " ").trim();
  const split = whole === text ? undefined : splitName(whole);
  const asides = text.match(ASIDE)?.map((aside) => aside.replaceAll(/[()[\]]/g, "")) ?? [];
  if (split !== undefined)
    return { ...split, isGuess: split.isGuess || !asides.every(isCredential) };
  const parts = text.split(",").map((part) => part.trim());
  const suffixes = parts.slice(1).filter((part) => SUFFIX.test(part));
  const [first = "", second] = parts.filter(
    (part, index) =>
      part !== "" && !(index > 0 && (isAside(part) || part.split(/\s+/).every(isAside))),
  );
  const suffix = suffixes.length === 0 ? "" : ` ${suffixes[0]}`;
  if (second !== undefined) {
    const own = withoutAsides(second.split(/\s+/));
    const ending = own.length > 1 && SUFFIX.test(own.at(-1) ?? "") ? ` ${own.pop()}` : suffix;
    const last = withoutCredential(first.split(/\s+/));
    if (own.length === 0 || last.length === 0) return undefined;
    return { firstName: own.join(" "), lastName: last.join(" ") + ending, isGuess: false };
  }
  const all = first.split(/\s+/).filter(Boolean);
  const own = withoutAsides(all);
  // All in capitals, the only last name there is may be a degree by its letters: `YO-YO MA`.
  const isName = own.length === 1 && first === first.toUpperCase();
  const words = isName ? all.filter((word) => !CREDENTIALS.has(lettersOf(word))) : own;
  const ending = SUFFIX.test(words.at(-1) ?? "") ? ` ${words.pop()}` : suffix;
  if (words.length < 2) return undefined;
  const particle = words.findIndex(
    (word, at) => at > 0 && at < words.length - 1 && PARTICLES.has(word.toLowerCase()),
  );
  const at = particle > 0 ? particle : words.length - 1;
  return {
    firstName: words.slice(0, at).join(" "),
    lastName: words.slice(at).join(" ") + ending,
    isGuess: words.length > 2,
  };
}

/** The words of a last name without a credential in front of it. The only word is one if it can be none else. */
function withoutCredential(words: readonly string[]): readonly string[] {
  const [first = "", ...others] = words;
  const isOne = others.length > 0 ? isCredential(first) : CREDENTIALS.has(lettersOf(first));
  return isOne ? others : words;
}

function isAside(word: string): boolean {
  return isCredential(word) || SUFFIX.test(word);
}

/** The words of a name without titles in front of it and credentials around it. */
function withoutAsides(words: readonly string[]): string[] {
  const isOwn = (word: string, at: number): boolean =>
    !isCredential(word) && !(at === 0 && TITLE.test(word));
  const own = words.filter(isOwn);
  return own.length === 0 ? [...words] : own;
}

/**
 * What two ways to write a person's name have in common: its words in any order, first all of them, then without titles,
 * credentials, suffixes and initials.
 */
export function nameKeys(text: string): string[] {
  const words = text.split(/[\s,;()]+/).filter(Boolean);
  const keyOf = (some: readonly string[]): string => some.flatMap(wordsIn).toSorted().join(" ");
  const own = withoutAsides(words).filter((word) => !SUFFIX.test(word));
  const long = own.filter((word) => !/^[a-z]\.?$/i.test(word));
  const whole = text.replaceAll(ASIDE, " ");
  const others = whole === text || whole.trim() === "" ? [] : nameKeys(whole);
  return [...new Set([keyOf(words), keyOf(long.length < 2 ? own : long), ...others])];
}

type Named = PersonName | Record<string, unknown>;

/** The words of a person's whole name as one key; empty without a name. */
export function nameKey(person: Named = {}): string {
  return nameKeys(fullNameOf(person))[0] ?? "";
}

export function fullNameOf({ firstName, lastName }: Named): string {
  return `${firstName ?? ""} ${lastName ?? ""}`;
}

const SIMILAR = 6;

/** Whether two words differ by one letter: one more, fewer, other, or two that change places. */
export function isAlmost(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)];
  if (a === b || Math.min(a.length, b.length) < SIMILAR || Math.abs(a.length - b.length) > 1)
    return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}
