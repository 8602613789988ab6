import { signal } from "@preact/signals";
import { postLines } from "./api.ts";
import { Failure } from "./failure.ts";
import { me } from "./me.ts";
import { revision } from "./revision.ts";
import type { Line } from "./session-record.ts";
import { signedIn } from "./signed-in.ts";

/** Writes lines of a practice file, all or none. The last write can be undone. */

export interface Change {
  /** What was done, in a sentence without the name of a patient: `The session is declined.` */
  done: string;
  lines: Line[];
  /** The lines that take it back. */
  undo: Line[];
  /**
   * Asks whether what is written is still as this page knows it.
   *
   * @throws Failure where somebody else has changed it meanwhile.
   */
  check(isUndo: boolean, signal: AbortSignal): Promise<void>;
}

/** What the page says of its last write. */
interface LastWrite {
  said: string;
  /** The change, as long as it can be undone. */
  change: Change | undefined;
}

export const lastWrite = signal<LastWrite | undefined>(undefined);

// It is forgotten with the key.
signedIn.subscribe(() => {
  lastWrite.value = undefined;
});

/** The API writes without a condition, so a write between the look and this one can only be told afterwards. */
const AT_THE_SAME_MOMENT =
  "Somebody else wrote at the same moment. If it was the same session, that is replaced now: look it over.";

/**
 * Writes a change, after a look whether somebody else was faster. Every view then asks the API anew.
 *
 * @throws Failure where it is refused.
 */
export async function write(change: Change): Promise<void> {
  const isAlone = await writeLines(change, false);
  lastWrite.value = {
    said: isAlone ? change.done : `${change.done} ${AT_THE_SAME_MOMENT}`,
    change,
  };
}

/**
 * Takes the last change back.
 *
 * @throws Failure where it is refused, or somebody has changed what was written.
 */
export async function undo(change: Change): Promise<void> {
  const isAlone = await writeLines(change, true);
  lastWrite.value = isAlone
    ? undefined
    : { said: `It is undone. ${AT_THE_SAME_MOMENT}`, change: undefined };
}

/** Returns whether nobody else wrote between the look and the write. */
async function writeLines(change: Change, isUndo: boolean): Promise<boolean> {
  const before = await post([]);
  try {
    await change.check(isUndo, new AbortController().signal);
  } catch (error) {
    // What somebody else has changed is read anew by every view.
    revision.value += 1;
    throw error;
  }
  const after = await post(isUndo ? change.undo : change.lines);
  revision.value += 1;
  return after <= before + 1;
}

/** Writes lines; none only ask for the number of the last write, which a write of any record makes one more. */
async function post(lines: readonly Line[]): Promise<number> {
  const caller = signedIn.value;
  const organization = { type: "organization", publicId: me().organization.publicId };
  const sequence = await postLines([organization, ...lines]);
  // Whoever signed out meanwhile is shown nothing of it.
  if (signedIn.value !== caller) throw new Failure("Nobody is signed in.");
  return sequence;
}
