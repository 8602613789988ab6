import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Time zones for oracles, by rules that another compiler made of the same source (`test/programs/time-zones.py`).
 * `Temporal` has those of the runtime, which may be older.
 */

/** From an instant until the next one of a list, clocks show UTC with this offset. All in milliseconds. */
interface Stretch {
  from: number;
  offset: number;
}

interface Vectors {
  /** From 1970 on. */
  stretches: readonly Stretch[];
  /** Of single years long after them. */
  later: readonly (readonly Stretch[])[];
}

const [firstLine = "", ...lines] = readFileSync(join(import.meta.dir, "time-zones.txt"), "utf8")
  .trim()
  .split("\n");

export const VECTORS_VERSION = /version (\w+)/.exec(firstLine)?.[1];

/** The instant at which the list of stretches ends. */
const END = Date.UTC(2046);

const lineOf = new Map(
  lines
    .filter((line) => !line.startsWith("#"))
    .flatMap((line) =>
      line
        .slice(0, line.indexOf("|"))
        .split(" ")
        .map((name) => [name, line]),
    ),
);

const known = new Map<string, Vectors>();

export function vectorsOf(name: string): Vectors {
  const found = known.get(name);
  if (found !== undefined) return found;
  const [, stretches = "", later = ""] = lineOf.get(name)?.split("|") ?? [];
  if (stretches === "") throw new RangeError(`No vectors of ${name}`);
  const vectors = { stretches: parsed(stretches), later: later.split(",").map(parsed) };
  known.set(name, vectors);
  return vectors;
}

function parsed(text: string): Stretch[] {
  const numbers = text.split(" ").map((part) => Number(part) * 1000);
  return Array.from({ length: numbers.length / 2 }, (_, index) => ({
    from: numbers[2 * index]!,
    offset: numbers[2 * index + 1]!,
  }));
}

/** All names of the IANA database, links too. */
export function timeZoneNames(): string[] {
  return [...lineOf.keys()].sort();
}

/** The instants at which the zone's clocks change in a range of years, both included, in epoch milliseconds. */
export function clockChanges(name: string, firstYear: number, lastYear: number): number[] {
  const [start, end] = [Date.UTC(firstYear), Date.UTC(lastYear + 1)];
  return vectorsOf(name)
    .stretches.slice(1)
    .map(({ from }) => from)
    .filter((change) => start <= change && change < end);
}

/** What the clocks show at an instant. */
export function localAt(instant: string | number, name: string): Temporal.PlainDateTime {
  const moment = typeof instant === "number" ? instant : Date.parse(instant);
  const stretch = vectorsOf(name).stretches.findLast(({ from }) => from <= moment);
  if (stretch === undefined || moment >= END) throw new RangeError(`No vectors of ${instant}`);
  return Temporal.Instant.fromEpochMilliseconds(moment + stretch.offset)
    .toZonedDateTimeISO("UTC")
    .toPlainDateTime();
}

/** The first instant of a day: at which the clocks show it or a later one for the first time. In epoch milliseconds. */
export function startOf(day: Temporal.PlainDate, name: string): number {
  return firstShown(day.toPlainDateTime(), name);
}

/**
 * The first instant at which clocks show a time, in epoch milliseconds. Of a time that is skipped, that at which they
 * would show it without the change.
 */
export function momentOf(local: Temporal.PlainDateTime, name: string): number {
  const first = firstShown(local, name);
  const late = Number(local.until(localAt(first, name)).total("milliseconds"));
  if (late === 0) return first;
  const before = localAt(first - 1, name).add({ milliseconds: 1 });
  return first + Number(before.until(local).total("milliseconds"));
}

/** The first instant at which clocks show a time or a later one. */
function firstShown(local: Temporal.PlainDateTime, name: string): number {
  const shown = local.toZonedDateTime("UTC").epochMilliseconds;
  const { stretches } = vectorsOf(name);
  for (const [index, { from, offset }] of stretches.entries()) {
    const moment = Math.max(from, shown - offset);
    if (moment < (stretches[index + 1]?.from ?? END)) return moment;
  }
  throw new RangeError(`No vectors of ${local}`);
}
