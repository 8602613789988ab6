import * as rules from "moment-timezone/data/packed/latest.json";

const { links, version, zones } = rules;
/** Of the page's rules, what many zones have alike. */
const { pieces = [] } = rules as { pieces?: readonly string[] };

/**
 * The rules of the IANA time zone database that come with the program. The runtime's, the machine's and the browser's
 * may be older or newer; with these, all threads, commands and pages of one version agree.
 */

/** The version of the rules: `2026f`. */
export const RULES_VERSION: string = version;

/** Defined in the page, whose rules are cut to fewer years. */
declare const YEARS_OF_ZONES: { first: number; last: number };
const YEARS = typeof YEARS_OF_ZONES === "object" ? YEARS_OF_ZONES : { first: 1, last: 2499 };

/** The first year of which changes of clocks are known. */
export const FIRST_YEAR = YEARS.first;

/** The last year whose changes of clocks are listed. */
export const LAST_YEAR = YEARS.last;

/** When the clocks of a zone change, and to what. */
export interface ZoneRules {
  /** Epoch milliseconds, ascending. */
  changes: readonly number[];
  /** Milliseconds, positive east of Greenwich: that before the first change, then that from each change on. */
  offsets: readonly number[];
}

/**
 * The rules of each name, as the package packs them: `name|abbreviations|offsets|of each stretch the place of its
 * offset|minutes to each change|population`. Numbers are to base 60, and offsets positive west of Greenwich. In the page
 * a zone has all of its names, and the places and all changes but the first may stand in `pieces`, one behind the other:
 * `name name||offsets|minutes to the first change@which.which`.
 */
const packed = new Map(
  zones.flatMap((zone) => {
    const names = zone.slice(0, zone.indexOf("|")).split(" ");
    return names.map((name): [string, string] => [name, zone]);
  }),
);
for (const link of links) {
  const [name = "", ...others] = link.split("|");
  for (const other of others) packed.set(other, packed.get(name) ?? "");
}

/** The names of all zones and links, sorted. */
export const zoneNames: readonly string[] = [...packed.keys()].sort();

export function isZoneName(name: string): boolean {
  return packed.has(name);
}

const unpacked = new Map<string, ZoneRules>();

/**
 * The rules of a zone, unpacked on first use.
 *
 * @throws RangeError for an unknown name.
 */
export function rulesOf(name: string): ZoneRules {
  const known = unpacked.get(name);
  if (known !== undefined) return known;
  const zone = packed.get(name);
  if (zone === undefined) throw new RangeError(`Unknown time zone: ${name}`);
  const rules = unpack(zone);
  unpacked.set(name, rules);
  return rules;
}

/** The offset at a moment, within the listed years or before them. */
export function offsetIn({ changes, offsets }: ZoneRules, moment: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle] ?? 0) <= moment) low = middle + 1;
    else high = middle;
  }
  return offsets[low] ?? 0;
}

/** From a moment until another, in epoch milliseconds; either may be infinite. */
export interface Stretch {
  from: number;
  until: number;
}

/** When two rules have different offsets, in order. */
export function differences(one: ZoneRules, other: ZoneRules): Stretch[] {
  const changes = new Set([...one.changes, ...other.changes]);
  const moments = [Number.NEGATIVE_INFINITY, ...[...changes].sort((a, b) => a - b)];
  const found: Stretch[] = [];
  for (const [index, from] of moments.entries()) {
    if (offsetIn(one, from) === offsetIn(other, from)) continue;
    const until = moments[index + 1] ?? Number.POSITIVE_INFINITY;
    const last = found.at(-1);
    if (last?.until === from) last.until = until;
    else found.push({ from, until });
  }
  return found;
}

export function isWithin(moment: number, stretches: readonly Stretch[]): boolean {
  return stretches.some(({ from, until }) => from <= moment && moment < until);
}

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX";
const SECOND = 1_000;
const MINUTE = 60_000;

/** Unpacks rules in the form of the package. */
export function unpack(zone: string): ZoneRules {
  const whole = zone.replace(/(\w+)@([\d.]+)$/, (_, first: string, which: string) => {
    const parts = which.split(".").map((at) => (pieces[Number(at)] ?? "").split("|"));
    const gaps = [first, ...parts.map(([, some]) => some)].filter(Boolean).join(" ");
    return `${parts.map(([places]) => places).join("")}|${gaps}`;
  });
  const [, , offsets = "", places = "", gaps = ""] = whole.split("|");
  const distinct = offsets.split(" ").map((west) => 0 - toMilliseconds(west));
  let moment = 0;
  return {
    changes: gaps === "" ? [] : gaps.split(" ").map((gap) => (moment += toMilliseconds(gap))),
    offsets: Array.from(places, (place) => distinct[DIGITS.indexOf(place)] ?? 0),
  };
}

/** Packs rules in the same form, without name and abbreviations. */
export function pack({ changes, offsets }: ZoneRules): string {
  const distinct = [...new Set(offsets)];
  const gaps = changes.map((change, index) => change - (changes[index - 1] ?? 0));
  return [
    "|",
    distinct.map((offset) => toText(0 - offset)).join(" "),
    offsets.map((offset) => DIGITS[distinct.indexOf(offset)]).join(""),
    gaps.map(toText).join(" "),
  ].join("|");
}

/** Reads minutes, or minutes with one digit of seconds behind a point. */
function toMilliseconds(text: string): number {
  let value = 0;
  for (const character of text)
    if (character !== "-" && character !== ".") value = value * 60 + DIGITS.indexOf(character);
  return value * (text.includes(".") ? SECOND : MINUTE) * (text.startsWith("-") ? -1 : 1);
}

function toText(milliseconds: number): string {
  const size = Math.abs(milliseconds);
  const seconds = (size % MINUTE) / SECOND;
  let text = seconds === 0 ? "" : `.${DIGITS[seconds]}`;
  let minutes = Math.floor(size / MINUTE);
  do {
    text = `${DIGITS[minutes % 60]}${text}`;
    minutes = Math.floor(minutes / 60);
  } while (minutes > 0);
  return milliseconds < 0 ? `-${text}` : text;
}
