import { pack, RULES_VERSION, rulesOf, zoneNames } from "../lib/zone-rules.ts";

/**
 * The page knows the rules of these years, a tenth of all. The last 28 have no change of rules but of Gaza and Hebron,
 * so that they go on from there (`inKnownYear` in `lib/time-zone.ts`).
 */
export const PAGE_YEARS = { first: 2007, last: 2059 };

/** The rules of these years in the form of the package; zones that are alike in them are links. */
export function packedYears() {
  const alike = Map.groupBy(zoneNames, packed);
  return {
    version: RULES_VERSION,
    zones: [...alike].map(([rules, [name]]) => `${name}${rules}`),
    links: [...alike.values()].flatMap(([name, ...others]) =>
      others.map((other) => `${name}|${other}`),
    ),
  };
}

const START = Date.UTC(PAGE_YEARS.first);
const END = Date.UTC(PAGE_YEARS.last + 1);

function packed(name: string): string {
  const { changes, offsets } = rulesOf(name);
  const skipped = changes.filter((change) => change < START).length;
  const kept = changes.slice(skipped).filter((change) => change < END);
  return pack({ changes: kept, offsets: offsets.slice(skipped, skipped + kept.length + 1) });
}
