import { pack, RULES_VERSION, rulesOf, zoneNames } from "../lib/zone-rules.ts";

/**
 * The page knows the rules of these years, a tenth of all. The last 28 have no change of rules but of Gaza and Hebron,
 * so that they go on from there (`inKnownYear` in `lib/time-zone.ts`).
 */
export const PAGE_YEARS = { first: 2007, last: 2059 };

/**
 * The rules of these years in the form of the package, with less of what repeats itself: zones that are alike in them are
 * links, all to one name in one text; the changes behind the first, which many zones have alike, stand once.
 */
export function packedYears() {
  const alike = Map.groupBy(zoneNames, packed);
  const endings = new Map<string, number>();
  const zones = [...alike].map(([rules, [name]]) => {
    const [first = "", ending] = rules.split(" @ ");
    if (ending === undefined) return `${name}${first}`;
    if (!endings.has(ending)) endings.set(ending, endings.size);
    return `${name}${first}@${endings.get(ending)}`;
  });
  const links = [...alike.values()].map((names) => names.join("|"));
  return { version: RULES_VERSION, zones, links, endings: [...endings.keys()] };
}

const START = Date.UTC(PAGE_YEARS.first);
const END = Date.UTC(PAGE_YEARS.last + 1);

/** `||offsets|places|changes`, or `||offsets|first change @ places|other changes`. */
function packed(name: string): string {
  const { changes, offsets } = rulesOf(name);
  const skipped = changes.filter((change) => change < START).length;
  const kept = changes.slice(skipped).filter((change) => change < END);
  const rules = pack({ changes: kept, offsets: offsets.slice(skipped, skipped + kept.length + 1) });
  return rules.replace(/([^|]+\|)(\w+) (.+)$/, "$2 @ $1$3");
}
