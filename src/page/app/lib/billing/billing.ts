import {
  addDays,
  type CalendarDate,
  type DateRange,
  daysBetween,
  earlier,
  type Instant,
  startOfWeek,
} from "../base/dates.ts";
import { timesText } from "../base/format.ts";
import type { Line } from "../base/lines.ts";
import type { BillingLine } from "../base/wire.ts";
import { type HandOvers, isCounting, lastCounting } from "./hand-overs.ts";

/** Lines that are handed over for billing: their states, where problems are mended, and files of them. */

export type LineState = BillingLine["state"];

export const STATES: Record<LineState, string> = {
  READY: "Ready",
  PROBLEM: "With problems",
  BILLED: "Billed",
  CHANGED: "Changed",
  TAKEN_BACK: "Taken back",
};

/** Whether handing over is what is expected of a state: not of lines with problems, nor of those taken back. */
export const isFilled = (state: LineState): boolean => state === "READY" || state === "CHANGED";

/** When a line was delivered, in its own zone. */
export function timesOf({ startTime, endTime, timezone }: BillingLine): string {
  return startTime === null || endTime === null
    ? "no session"
    : timesText({ startTime, endTime }, timezone);
}

/** What is handed over of a line: of a void the claim that stands, so that it names whose it is and what, with 0 units. */
export function handedOver(line: BillingLine): object {
  const { claimFrequencyCode, replacesBatch, replacesUnits, billed } = line;
  const now = { claimFrequencyCode, replacesBatch, replacesUnits };
  if (claimFrequencyCode !== "8") return { ...knownOf(line), ...now };
  const claim = billed.findLast((one) => isCounting(one) && one.batch !== null);
  return { ...claim?.line, units: 0, ...now };
}

/** What is left as billed: the line as it is now, which is no claim. */
export function leftAsBilled(line: BillingLine): HandOvers {
  const nothing = { claimFrequencyCode: null, replacesBatch: null, replacesUnits: null };
  return [...line.billed, { batch: null, line: { ...knownOf(line), ...nothing } as never }];
}

/** The hand-overs of a line without its last that counts. */
export function takenBack({ billed }: BillingLine, takenBackAt: Instant): HandOvers {
  const last = lastCounting(billed);
  return billed.map((one) => (one === last ? { ...one, takenBackAt } : one));
}

/** The lines that are taken back with a batch, and how many others stay, since something later counts. */
export function linesOfBatch(batch: string, lines: readonly BillingLine[]) {
  const counting = lines.filter(({ billed }) =>
    billed.some((one) => one.batch === batch && isCounting(one)),
  );
  const own = counting.filter(({ billed }) => lastCounting(billed)?.batch === batch);
  return { own, later: counting.length - own.length };
}

function knownOf(line: BillingLine): object {
  const {
    encounterId: _,
    problems: __,
    state: ___,
    changedFields: ____,
    billed: _____,
    ...rest
  } = line;
  return rest;
}

/**
 * A window in parts of as many days as have about so many lines. To answer a page, the API looks at all lines of its
 * window: page by page, many lines would cost their square.
 */
export function inParts(
  { startDate, endDate }: DateRange,
  lines: number,
  most: number,
): DateRange[] {
  const days = daysBetween(startDate, endDate) + 1;
  const each = Math.max(1, Math.floor((days * most) / Math.max(lines, most)));
  const parts: DateRange[] = [];
  for (let first = startDate; first <= endDate; first = addDays(first, each))
    parts.push({ startDate: first, endDate: earlier(addDays(first, each - 1), endDate) });
  return parts;
}

/** Less than the API takes, so that a file does not keep others waiting for long. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Lines of a practice file in files of at most so many bytes. */
export function inFiles(lines: readonly Line[], maxBytes = MAX_BYTES): Line[][] {
  const encoder = new TextEncoder();
  const files: Line[][] = [];
  let size = Infinity;
  for (const line of lines) {
    const length = encoder.encode(JSON.stringify(line)).length + 1;
    size += length;
    if (size > maxBytes) {
      files.push([]);
      size = length;
    }
    files.at(-1)?.push(line);
  }
  return files;
}

/** A name of a batch that is none yet. */
export function offeredBatch(
  words: readonly (string | null | undefined | false)[],
  known: readonly string[],
): string {
  const name = words.filter(Boolean).join(" ").slice(0, 90);
  for (let number = 2; ; number += 1) {
    const offered = number === 2 ? name : `${name} ${number - 1}`;
    if (!known.includes(offered)) return offered;
  }
}

/** The week of a day by ISO 8601: `2026-W47`. Its year is that of its Thursday. */
export function isoWeekOf(date: CalendarDate): string {
  const thursday = addDays(startOfWeek(date, "MONDAY"), 3);
  const year = thursday.slice(0, 4);
  const number = Math.floor(daysBetween(`${year}-01-01`, thursday) / 7) + 1;
  return `${year}-W${String(number).padStart(2, "0")}`;
}
