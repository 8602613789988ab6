import { links, version, zones } from "moment-timezone/data/packed/latest.json";

/**
 * The rules of the IANA time zone database that come with the program. The runtime's, the machine's and the browser's
 * may be older or newer; with these, all threads, commands and pages of one version agree.
 */

/** The version of the rules: `2026f`. */
export const RULES_VERSION: string = version;

/** Defined in the page, whose rules are cut to fewer years. */
declare const LAST_YEAR_OF_ZONES: number;

/** The last year whose changes of clocks are listed. */
export const LAST_YEAR = typeof LAST_YEAR_OF_ZONES === "number" ? LAST_YEAR_OF_ZONES : 2499;

/** When the clocks of a zone change, and to what. */
export interface ZoneRules {
  /** Epoch milliseconds, ascending. */
  changes: readonly number[];
  /** Milliseconds, positive east of Greenwich: that before the first change, then that from each change on. */
  offsets: readonly number[];
}

/**
 * The rules of each name, as the package packs them: `name|abbreviations|offsets|of each stretch the place of its
 * offset|minutes to each change|population`. Numbers are to base 60, and offsets positive west of Greenwich.
 */
const packed = new Map(zones.map((zone) => [zone.slice(0, zone.indexOf("|")), zone]));
for (const link of links) {
  const [name = "", other = ""] = link.split("|");
  packed.set(other, packed.get(name) ?? "");
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

/** The first moment from `from` to `until` at which two rules have different offsets; undefined without one. */
export function firstDifference(
  one: ZoneRules,
  other: ZoneRules,
  from: number,
  until: number,
): number | undefined {
  const changes = [...one.changes, ...other.changes].sort((a, b) => a - b);
  return [from, ...changes.filter((change) => from < change && change <= until)].find(
    (moment) => offsetIn(one, moment) !== offsetIn(other, moment),
  );
}

function unpack(zone: string): ZoneRules {
  const [, , offsets = "", places = "", gaps = ""] = zone.split("|");
  const distinct = offsets.split(" ").map((west) => 0 - toMilliseconds(west));
  let moment = 0;
  return {
    changes: gaps === "" ? [] : gaps.split(" ").map((gap) => (moment += toMilliseconds(gap))),
    offsets: Array.from(places, (place) => distinct[DIGITS.indexOf(place)] ?? 0),
  };
}

/** Reads minutes, or minutes with one digit of seconds behind a point. */
function toMilliseconds(text: string): number {
  let value = 0;
  for (const character of text)
    if (character !== "-" && character !== ".") value = value * 60 + DIGITS.indexOf(character);
  return value * (text.includes(".") ? 1_000 : 60_000) * (text.startsWith("-") ? -1 : 1);
}

export const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX";
