import { signal } from "@preact/signals";
import { postLines } from "./api.ts";
import { Failure } from "./failure.ts";
import { me } from "./me.ts";
import { revision } from "./revision.ts";
import type { Line } from "./session-record.ts";
import { signedIn } from "./signed-in.ts";

/** Writes lines of a practice file in one transaction. The last write can be undone. */

export interface Change {
  /** A sentence about the change, without the name of a patient: `The session was declined.` */
  done: string;
  lines: Line[];
  /** The lines that undo it. */
  undo: Line[];
  /**
   * Checks that the records are still as this page knows them.
   *
   * @throws Failure if somebody else has changed them in the meantime.
   */
  check(isUndo: boolean, signal: AbortSignal): Promise<void>;
}

/** The notice about the last write. */
interface LastWrite {
  said: string;
  /** The change, while it can be undone. */
  change: Change | undefined;
}

export const lastWrite = signal<LastWrite | undefined>(undefined);

// Forgotten with the key.
signedIn.subscribe(() => {
  lastWrite.value = undefined;
});

/** The API has no conditional writes, so a write between the check and this one can only be noticed afterwards. */
const AT_THE_SAME_MOMENT =
  "Somebody else wrote at the same moment. If it was the same session, their change may be overwritten: please check.";

/**
 * Writes a change, after checking that nobody else has changed the records. Then all views reload.
 *
 * @throws Failure if it is refused.
 */
export async function write(change: Change): Promise<void> {
  const isAlone = await writeLines(change, false);
  lastWrite.value = {
    said: isAlone ? change.done : `${change.done} ${AT_THE_SAME_MOMENT}`,
    change,
  };
}

/**
 * Undoes the last change.
 *
 * @throws Failure if it is refused, or somebody has changed the records since.
 */
export async function undo(change: Change): Promise<void> {
  const isAlone = await writeLines(change, true);
  lastWrite.value = isAlone
    ? undefined
    : { said: `Undone. ${AT_THE_SAME_MOMENT}`, change: undefined };
}

/** Returns whether nobody else wrote between the check and the write. */
async function writeLines(change: Change, isUndo: boolean): Promise<boolean> {
  const before = await post([]);
  try {
    await change.check(isUndo, new AbortController().signal);
  } catch (error) {
    // All views reload what somebody else has changed.
    revision.value += 1;
    throw error;
  }
  const after = await post(isUndo ? change.undo : change.lines);
  revision.value += 1;
  return after <= before + 1;
}

/** Writes lines; without lines, it only reads the sequence, which every write increases by one. */
async function post(lines: readonly Line[]): Promise<number> {
  const caller = signedIn.value;
  const organization = { type: "organization", publicId: me().organization.publicId };
  const sequence = await postLines([organization, ...lines]);
  // After signing out in the meantime, nothing is shown.
  if (signedIn.value !== caller) throw new Failure("Nobody is signed in.");
  return sequence;
}
