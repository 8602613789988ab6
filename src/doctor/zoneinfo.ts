import { readFileSync } from "node:fs";
import { join } from "node:path";
import { epochMilliseconds, type Instant, toInstant } from "../lib/instant.ts";
import { localDate, type TimeZone } from "../lib/time-zone.ts";
import { differences, RULES_VERSION, rulesOf, type ZoneRules } from "../lib/zone-rules.ts";
import type { SessionsByOlderRules } from "../organizations/zone-changes.ts";
import { type Check, failed, passed } from "./check.ts";

/** Compares the program's rules of time zones with the database of the machine, which its system keeps up to date. */

const NAME = "time zones";
const DATABASE = "/usr/share/zoneinfo";
const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

/** Compares rules only if the machine has newer ones, from a year ago to in two years. */
export function checkZones(zones: readonly TimeZone[], now: Instant, database = DATABASE): Check {
  const own = `rules of ${RULES_VERSION}`;
  const version = versionIn(database);
  if (version === undefined) return passed(NAME, `${own}; this machine has none to compare`);
  // Versions are a year and a letter.
  if (version <= RULES_VERSION) return passed(NAME, `${own}, this machine's are of ${version}`);
  const differing: string[] = [];
  const missing: string[] = [];
  const [from, until] = [epochMilliseconds(now) - YEAR, epochMilliseconds(now) + 2 * YEAR];
  for (const zone of zones) {
    const rules = rulesAt(join(database, zone), new Date(until).getUTCFullYear());
    if (rules === undefined) missing.push(zone);
    else {
      const stretch = differences(rulesOf(zone), rules).find((each) => each.until > from);
      if (stretch !== undefined && stretch.from <= until) {
        const since = localDate(toInstant(Math.max(stretch.from, from)), zone);
        differing.push(`${zone} from ${since}`);
      }
    }
  }
  if (differing.length > 0) {
    const found = `this machine's of ${version} differ for ${differing.join(", ")}`;
    return failed(NAME, `${own}, ${found}: upgrade Caseload`);
  }
  const lacks = missing.length === 0 ? "" : `; it does not have ${missing.join(", ")}`;
  const same = `this machine's of ${version} are the same for the zones in use`;
  return passed(NAME, `${own}, ${same}${lacks}`);
}

/** Sessions that were written by older rules than the program's, which nobody has mended. */
export function checkOlderRules(found: readonly SessionsByOlderRules[], now: Instant): Check[] {
  return found.map(({ organizationId, zone, version, since, sessions }) => {
    const from = since <= localDate(now, zone) ? "today" : since;
    const written = `sessions of ${organizationId} from ${from} on were written before, by ${version}`;
    return failed(NAME, `${zone} changed from ${since}: ${sessions} ${written}`);
  });
}

function versionIn(database: string): string | undefined {
  const text = read(join(database, "tzdata.zi")) ?? read(join(database, "+VERSION"));
  return text?.toString("latin1", 0, 40).match(/\b20\d\d[a-z]+/)?.[0];
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Undefined without such a file, or if it is of another form. */
function rulesAt(path: string, lastYear: number): ZoneRules | undefined {
  try {
    return rulesIn(readFileSync(path), lastYear);
  } catch {
    return undefined;
  }
}

/**
 * Reads a file of the form TZif (RFC 9636, version 2 or later), and writes its last rule out to the end of a year.
 *
 * @throws RangeError for another form.
 */
export function rulesIn(file: Buffer, lastYear: number): ZoneRules {
  if (file.toString("latin1", 0, 4) !== "TZif" || file.readUInt8(4) === 0)
    throw new RangeError("Not TZif of version 2");
  // The first block has times of 32 bits, for old readers.
  const header = HEADER + sizeOf(countsAt(file, 0), 4);
  const counts = countsAt(file, header);
  const times = header + HEADER;
  const types = times + counts.times * 9;
  const offsetOf = (type: number) => file.readInt32BE(types + type * TYPE) * 1000;
  const changes: number[] = [];
  const offsets = [offsetOf(0)];
  for (let index = 0; index < counts.times; index++) {
    changes.push(Number(file.readBigInt64BE(times + index * 8)) * 1000);
    offsets.push(offsetOf(file.readUInt8(times + counts.times * 8 + index)));
  }
  const rule = file.toString("latin1", times + sizeOf(counts, 8)).trim();
  const last = changes.at(-1) ?? Date.UTC(1970);
  for (let year = new Date(last).getUTCFullYear(); year <= lastYear; year++)
    for (const { change, offset } of changesBy(rule, year))
      if (change > last) {
        changes.push(change);
        offsets.push(offset);
      }
  return { changes, offsets };
}

const HEADER = 44;
/** The size of a type: its offset, whether it is daylight saving time, and where its letters begin. */
const TYPE = 6;

function countsAt(file: Buffer, header: number) {
  const [utc, standard, leaps, times, types, letters] = [20, 24, 28, 32, 36, 40].map((place) =>
    file.readUInt32BE(header + place),
  ) as [number, number, number, number, number, number];
  return { utc, standard, leaps, times, types, letters };
}

/** The size of the data behind a header, if a time has so many bytes. */
function sizeOf(counts: ReturnType<typeof countsAt>, time: number): number {
  const { utc, standard, leaps, times, types, letters } = counts;
  return times * (time + 1) + types * TYPE + letters + leaps * (time + 4) + standard + utc;
}

const LETTERS = "(?:<[^>]+>|[A-Za-z]+)";
const DATE = "M(\\d+)\\.(\\d)\\.(\\d)(?:/([-+\\d:]+))?";
const RULE = new RegExp(`^${LETTERS}([-+\\d:]+)${LETTERS}([-+\\d:]*),${DATE},${DATE}$`);

/** The changes of a year by a rule of POSIX, such as `PST8PDT,M3.2.0,M11.1.0`, in their order; none by one without. */
function changesBy(rule: string, year: number): { change: number; offset: number }[] {
  const parts = RULE.exec(rule);
  if (parts === null) return [];
  const [, west = "", summerWest, ...dates] = parts;
  const standard = -duration(west);
  const summer = summerWest ? -duration(summerWest) : standard + HOUR;
  return [
    // Each in the local time before it.
    { change: localChange(year, dates.slice(0, 4)) - standard, offset: summer },
    { change: localChange(year, dates.slice(4)) - summer, offset: standard },
  ].sort((a, b) => a.change - b.change);
}

/** When a weekday comes the n-th time in a month, the fifth being the last, in milliseconds as if the time were UTC. */
function localChange(year: number, date: (string | undefined)[]): number {
  const [month, week, day] = date.slice(0, 3).map(Number) as [number, number, number];
  const first = new Date(Date.UTC(year, month - 1)).getUTCDay();
  const sameWeekday = 1 + ((day - first + 7) % 7) + (week - 1) * 7;
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const found = sameWeekday > days ? sameWeekday - 7 : sameWeekday;
  return Date.UTC(year, month - 1, found) + duration(date[3] ?? "2");
}

/** Reads `2`, `-1` or `9:30`, in hours, minutes and seconds. */
function duration(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[-+]/, "").split(":").map(Number);
  return (text.startsWith("-") ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
