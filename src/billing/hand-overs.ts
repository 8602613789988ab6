import type { Instant } from "../lib/instant.ts";
import {
  type GivenHandOver,
  type HandedOver,
  type HandedOverField,
  handedOverNames,
  type KnownLine,
  type StoredHandOver,
} from "./line.ts";
import type { LineState } from "./states.ts";

/**
 * What was handed over of an encounter (docs/billing.md): a list of hand-overs, oldest first. One is added when the line is
 * handed over, and marked when it is taken back; none is changed or lost. All else follows from the list.
 */

/** Claims do not change with them: names, zones and addresses, and what a hand-over says of those before it. */
const NOT_COMPARED =
  /^(timezone|.+Name|local(Start|End)|(patient|insured)(AddressLine\d|City|State|PostalCode)|claimFrequencyCode|replaces.+)$/;

export const comparedNames = handedOverNames.filter(
  (name): name is keyof KnownLine => !NOT_COMPARED.test(name),
);

/** Whether a hand-over is not taken back. */
export function isCounting({ takenBackAt }: Pick<StoredHandOver, "takenBackAt">): boolean {
  return takenBackAt === null;
}

/** The last that counts and has a batch: a claim, or what voids it. One without is seen by the biller alone. */
function lastSent<One extends Pick<StoredHandOver, "batch" | "takenBackAt">>(
  billed: readonly One[],
): One | undefined {
  return billed.findLast((one) => isCounting(one) && one.batch !== null);
}

const isVoid = ({ line }: Pick<StoredHandOver, "line">) => line?.units === 0;

/** The batch in which an encounter is billed; undefined if all of it is taken back. */
export function batchOf(billed: readonly StoredHandOver[]): string | undefined {
  return lastSent(billed)?.batch ?? undefined;
}

/** What the hand-overs make of a line. */
export interface Standing {
  state: LineState;
  changed: HandedOverField[];
  /** What a hand-over would be now. */
  next: Omit<HandedOver, keyof KnownLine>;
  /** The hand-over with which the line is compared, and the claim that stands. */
  shown: readonly (StoredHandOver | undefined)[];
}

const ORIGINAL = { claimFrequencyCode: "1", replacesBatch: null, replacesUnits: null };
const NOTHING = { ...ORIGINAL, claimFrequencyCode: null };

/** @param line as it is now, in its own zone. */
export function standingOf(
  billed: readonly StoredHandOver[],
  line: KnownLine,
  hasProblems: boolean,
): Standing {
  const last = billed.findLast(isCounting);
  if (last === undefined) {
    const unbilled = hasProblems ? "PROBLEM" : "READY";
    const state = billed.length > 0 ? "TAKEN_BACK" : unbilled;
    return { state, changed: [], next: ORIGINAL, shown: [] };
  }
  const sent = lastSent(billed);
  const claim = sent && isVoid(sent) ? undefined : sent;
  const shown = [last, claim];
  const isVoided = claim === undefined && line.units === 0;
  const changed = isVoided ? [] : changedFields(last.line, line);
  return changed.length === 0
    ? { state: "BILLED", changed, next: NOTHING, shown }
    : { state: "CHANGED", changed, next: claim ? following(claim, line) : ORIGINAL, shown };
}

/** The fields that are other ones now than in a line that was handed over. Those that it does not have are none. */
function changedFields(before: StoredHandOver["line"], line: KnownLine): HandedOverField[] {
  if (before === null) return [];
  return comparedNames.filter((name) => isOther(before[name], line[name]));
}

function isOther(before: unknown, now: unknown): boolean {
  if (before === undefined || before === now) return false;
  return !Array.isArray(before) || before.join() !== (now as string[]).join();
}

/** A claim at another payor, or of another patient, is voided there before there is one here. */
function following({ batch, line: before }: StoredHandOver, line: KnownLine): Standing["next"] {
  const isElsewhere = (["payorId", "patientId"] as const).some((name) =>
    isOther(before?.[name], line[name]),
  );
  return {
    claimFrequencyCode: line.units === 0 || isElsewhere ? "8" : "7",
    replacesBatch: batch,
    replacesUnits: before?.units ?? null,
  };
}

const LINE = ',"line":';
/** The end of an original, the only hand-over of its encounter. */
const END_OF_ORIGINAL = `,${JSON.stringify(ORIGINAL).slice(1)}}]`;

/**
 * The hand-overs, as stored. Their lines are parsed only if there are several, or the one is another than today's original:
 * it is a kilobyte, and most are the same.
 */
export function storedHandOvers(text: string | null, today: KnownLine): StoredHandOver[] {
  if (text === null) return [];
  // Within texts, quotation marks are escaped.
  const place = text.indexOf(LINE);
  const original = JSON.stringify(today).slice(0, -1) + END_OF_ORIGINAL;
  if (text.slice(place + LINE.length) !== original) return JSON.parse(text);
  const [only] = JSON.parse(`${text.slice(0, place)}}]`);
  return [{ ...only, line: { ...today, ...ORIGINAL } }];
}

/** Completes the hand-overs of a file: what is left out is as stored at its place. */
export function completed(
  given: readonly GivenHandOver[],
  stored: readonly StoredHandOver[],
  now: Instant,
): StoredHandOver[] {
  return merged(given, stored).map(({ batch, at = now, takenBackAt, line }) => ({
    ...{ batch, at, takenBackAt, line },
  }));
}

function merged(given: readonly GivenHandOver[], stored: readonly StoredHandOver[]) {
  return given.map((one, index) => ({ takenBackAt: null, line: null, ...stored[index], ...one }));
}

/** Why the hand-overs of a file cannot take the place of the stored ones: what was handed over stays. */
export function refusalOf(
  given: readonly GivenHandOver[],
  stored: readonly StoredHandOver[],
): { path: (string | number)[]; message: string } | undefined {
  const billed = merged(given, stored);
  for (const [index, before] of stored.entries()) {
    const after = billed[index];
    const isLast = !billed.slice(index + 1).some(isCounting);
    const kept = { ...before, ...(isLast && after && { takenBackAt: after.takenBackAt }) };
    if (!Bun.deepEquals(after, kept))
      return { path: ["billed"], message: "must stay as it was handed over" };
  }
  const first = billed.findIndex(isCounting);
  return billed[first]?.batch === null
    ? { path: ["billed", first, "batch"], message: "is needed for the first that counts" }
    : undefined;
}

/** The hand-overs as the API shows them: lines of those alone that decide; a file may leave out the others. */
export function presentHandOvers(
  billed: readonly StoredHandOver[],
  shown: Standing["shown"],
): (Omit<StoredHandOver, "line"> & Pick<GivenHandOver, "line">)[] {
  return billed.map((one) => {
    const { batch, at, takenBackAt } = one;
    return shown.includes(one) ? one : { batch, at, takenBackAt };
  });
}
