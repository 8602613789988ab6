import { signal } from "@preact/signals";
import { postLines } from "./api.ts";
import { Failure } from "./failure.ts";
import { me } from "./me.ts";
import { revision } from "./revision.ts";
import type { Line } from "./session-record.ts";
import { signedIn } from "./signed-in.ts";

/** What the page writes: lines of a practice file, all or none, each of which can be undone right after it. */

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

/** The last change, as long as it can be undone. */
export const lastChange = signal<Change | undefined>(undefined);

// It is forgotten with the key.
signedIn.subscribe(() => {
  lastChange.value = undefined;
});

/**
 * Writes a change, after a look whether somebody else was faster. Every view then asks the API anew.
 *
 * @throws Failure where it is refused.
 */
export async function write(change: Change): Promise<void> {
  const { signal } = new AbortController();
  await checked(change, false, signal);
  await send(change.lines, signal);
  lastChange.value = change;
}

/**
 * Takes the last change back.
 *
 * @throws Failure where it is refused, or somebody has changed what was written.
 */
export async function undo(change: Change): Promise<void> {
  const { signal } = new AbortController();
  await checked(change, true, signal);
  await send(change.undo, signal);
  lastChange.value = undefined;
}

/** What somebody else has changed is read anew by every view. */
async function checked(change: Change, isUndo: boolean, signal: AbortSignal): Promise<void> {
  try {
    await change.check(isUndo, signal);
  } catch (error) {
    revision.value += 1;
    throw error;
  }
}

async function send(lines: Line[], signal: AbortSignal): Promise<void> {
  const caller = signedIn.value;
  const organization = { type: "organization", publicId: me().organization.publicId };
  await postLines("practice-file", [organization, ...lines], signal);
  // Whoever signed out meanwhile is shown nothing of it.
  if (signedIn.value !== caller) throw new Failure("Nobody is signed in.");
  revision.value += 1;
}
