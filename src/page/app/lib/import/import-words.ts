import { plain } from "../base/plain.ts";

/** The words of an office, and the values that they mean. */

/** A value that a field may have. */
export interface MatchOption {
  value: string;
  name: string;
  /** What else it is called, such as a code. */
  also?: readonly string[];
  /** Whether it is a person, whose name may stand among other words: `BCBA Jane Roe`. */
  isPerson?: boolean;
}

/** The values that a field may have; undefined for one that may have any. */
export type OptionsOf = (field: string) => readonly MatchOption[] | undefined;

/** What is chosen for a word that is to be left out: no value and no id. */
export const LEFT_EMPTY = "-";

/** What offices write for values besides their names. */
const OTHER_WORDS: Record<string, readonly string[]> = {
  ADMIN: ["administrator", "owner", "director"],
  CAREGIVER: ["parent", "guardian", "mother", "father"],
  CLINICIAN: ["bcba", "bcaba", "supervisor"],
  PATIENT: ["client", "child", "learner"],
  TECHNICIAN: ["rbt", "bt", "tech", "therapist"],
  MALE: ["boy", "man"],
  FEMALE: ["girl", "woman"],
  LEAD: ["intake", "inquiry", "prospect"],
  SERVICES_PAUSED: ["onhold", "hold", "paused"],
  WAITLIST: ["waiting", "waitinglist"],
  DECLINED: ["cancelled", "canceled"],
  PATIENT_NO_SHOW: ["noshow", "missed"],
  true: ["y", "yes", "x", "active"],
  false: ["n", "no", "inactive"],
};

/** Fewer letters mean no record: that a name begins with them is chance. */
const SHORTEST_NAME = 3;

/** The value that a word means; undefined if it means none, or may mean several. */
export function matchOf(word: string, options: readonly MatchOption[]): string | undefined {
  const text = plain(word);
  if (text === "") return undefined;
  const only = (found: readonly MatchOption[]): string | undefined =>
    found.length === 1 ? found[0]?.value : undefined;
  const isCalled = ({ value, name, also = [] }: MatchOption): boolean =>
    value === word.trim() ||
    [value, name, ...also].some((each) => plain(each) === text) ||
    OTHER_WORDS[value]?.includes(text) === true;
  const called = options.filter(isCalled);
  if (called.length > 0) return only(called);
  const tokens = tokensOf(word);
  const isNamed = ({ value, name, isPerson }: MatchOption): boolean => {
    if (isPerson === true) return tokensOf(name).every((token) => tokens.includes(token));
    // `M` for `MALE`.
    const isConstant = /^[A-Z_]+$/.test(value);
    return plain(name).startsWith(text) && (isConstant || text.length >= SHORTEST_NAME);
  };
  return only(options.filter(isNamed));
}

function tokensOf(text: string): string[] {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((token) => token.replaceAll(/\p{M}/gu, ""))
    .filter(Boolean);
}

/** The words of a cell, which may have several with semicolons between them. */
export function partsOf(cell: string): string[] {
  return cell
    .split(";")
    .map((part) => part.trim())
    .filter(Boolean);
}

/** A word of a column, how often it occurs, and the value that it means. */
export interface Word {
  word: string;
  count: number;
  value: string | undefined;
}

/** The different words of a column, those without a value first, then the frequent ones. */
export function wordsOf(
  cells: readonly string[],
  options: readonly MatchOption[],
  chosen: Readonly<Record<string, string>> = {},
): Word[] {
  const words = Map.groupBy(cells.flatMap(partsOf), (word) => word);
  return [...words]
    .map(([word, { length: count }]) => ({
      ...{ word, count },
      value: chosen[word] || matchOf(word, options),
    }))
    .sort(
      (a, b) => Number(a.value !== undefined) - Number(b.value !== undefined) || b.count - a.count,
    );
}
