import { remembered } from "../lib/remembered.ts";
import { pack, RULES_VERSION, rulesOf, zoneNames } from "../lib/zone-rules.ts";

/**
 * The page knows the rules of these years, a tenth of all. The last 28 have no change of rules but of Gaza and Hebron,
 * so that they go on from there (`inListedYear` in `lib/time-zone.ts`).
 */
export const PAGE_YEARS = { first: 2007, last: 2059 };

/**
 * The rules of these years in the form of the package, with less of what repeats itself: names with equal rules stand
 * together; the changes behind the first, up to now and from now on, stand once where zones have them alike.
 */
export function packedYears() {
  const pieces = new Map<string, number>();
  const alike = Map.groupBy(zoneNames, (name) => packed(name, pieces));
  const zones = [...alike].map(([rules, names]) => `${names.join(" ")}||${rules}`);
  return { version: RULES_VERSION, zones, links: [], pieces: [...pieces.keys()] };
}

const START = Date.UTC(PAGE_YEARS.first);
/** From here on, rules go on as they are: none is announced for later. */
const GOING_ON = Date.UTC(Number(RULES_VERSION.slice(0, 4)) + 1);
const END = Date.UTC(PAGE_YEARS.last + 1);

/** `offsets|places|`, or `offsets|first change@piece.piece`. */
function packed(name: string, pieces: Map<string, number>): string {
  const { changes, offsets } = rulesOf(name);
  const skipped = changes.filter((change) => change < START).length;
  const kept = changes.slice(skipped).filter((change) => change < END);
  const rules = pack({ changes: kept, offsets: offsets.slice(skipped, skipped + kept.length + 1) });
  const [, , west = "", given = "", gaps = ""] = rules.split("|");
  // In the order of the last stretches, so that what ends alike has equal places.
  const order = [...new Set([...given].reverse())];
  const inOrder = order.map((place) => west.split(" ")[Number(place)]).join(" ");
  const places = given.replaceAll(/./g, (place) => String(order.indexOf(place)));
  if (kept.length === 0) return `${inOrder}|${places}|`;
  const [first, ...others] = gaps.split(" ");
  const past = Math.max(1, kept.filter((change) => change < GOING_ON).length);
  const parts = [
    `${places.slice(0, past + 1)}|${others.slice(0, past - 1).join(" ")}`,
    `${places.slice(past + 1)}|${others.slice(past - 1).join(" ")}`,
  ];
  const which = parts
    .filter((part) => part !== "|")
    .map((part) => remembered(pieces, part, () => pieces.size));
  return `${inOrder}|${first}@${which.join(".")}`;
}
