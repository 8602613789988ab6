import { readFileSync } from "node:fs";
import { join } from "node:path";

const names = readFileSync(join(import.meta.dir, "time-zone-names.txt"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** All names of the IANA database, including links. */
export function timeZoneNames(): readonly string[] {
  return names.filter((name) => name !== "Factory");
}

/**
 * The instants at which the zone's clocks change in a range of years (both included), in epoch
 * milliseconds.
 */
export function clockChanges(name: string, firstYear: number, lastYear: number): number[] {
  const changes: number[] = [];
  const end = Date.UTC(lastYear + 1);
  let at = Temporal.Instant.fromEpochMilliseconds(Date.UTC(firstYear) - 1).toZonedDateTimeISO(name);
  for (;;) {
    const change = at.getTimeZoneTransition("next");
    if (change === null || change.epochMilliseconds >= end) return changes;
    changes.push(change.epochMilliseconds);
    at = change;
  }
}
