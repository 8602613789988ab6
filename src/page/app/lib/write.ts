import { signal } from "@preact/signals";
import { postOnce, withQuery } from "./api.ts";
import { Failure } from "./failure.ts";
import type { Line } from "./lines.ts";
import { me } from "./me.ts";
import { revision } from "./revision.ts";
import { signedIn } from "./signed-in.ts";
import type { Session } from "./wire.ts";

/** Writes lines of a practice file in one transaction. The last write can be undone. */

export interface Change {
  /** A sentence about the change, without the name of a patient: `The session was declined.` */
  done: string;
  lines: Line[];
  /** The lines that undo it; undefined if it cannot be undone. */
  undo?: Line[] | undefined;
  /** The sequence of the response that the change is based on: it is refused if a record has changed since. */
  since: number | undefined;
  /** The session that it changes, as it was on the screen. */
  session?: Session;
}

/** The notice about the last write. */
interface LastWrite {
  said: string;
  /** What undoes it, while it can be undone. */
  undo: Change | undefined;
}

export const lastWrite = signal<LastWrite | undefined>(undefined);

// Forgotten with the key.
signedIn.subscribe(() => {
  lastWrite.value = undefined;
});

/** The status of a write that is refused because a record has changed. */
const HAS_CHANGED = 412;

/** Whether a write was refused because somebody else has changed a record since. */
export function hasChanged(error: unknown): error is Failure {
  return error instanceof Failure && error.status === HAS_CHANGED;
}

/**
 * Writes a change. Then all views reload.
 *
 * @throws Failure if it is refused; with the status 412 if somebody else has changed a record since.
 */
export async function write(change: Change): Promise<void> {
  const { done: said, undo: lines, session } = change;
  const since = await send(change);
  tell(said, lines && { done: "Undone.", lines, since, ...(session && { session }) });
}

/** Says what was written, with what undoes it. */
export function tell(said: string, undo?: Change): void {
  lastWrite.value = { said, undo };
}

/**
 * Undoes the last change.
 *
 * @throws Failure if it is refused, as `write`.
 */
export async function undo(change: Change): Promise<void> {
  await send(change);
  lastWrite.value = undefined;
}

/** Sends the lines of a change, and returns the sequence after it. */
async function send({ lines, since, session }: Change): Promise<number> {
  const caller = signedIn.value;
  const organization = { type: "organization", publicId: me().organization.publicId };
  const body = [organization, ...lines].map((line) => JSON.stringify(line)).join("\n");
  try {
    const { sequence } = await postOnce<{ sequence: number }>(
      withQuery("practice-file", { unchangedSince: since }),
      body,
      "application/x-ndjson",
    );
    // After signing out in the meantime, nothing is shown.
    if (signedIn.value !== caller) throw new Failure("Nobody is signed in.");
    revision.value += 1;
    return sequence;
  } catch (error) {
    if (!hasChanged(error)) throw error;
    // All views show what somebody else has changed.
    revision.value += 1;
    const { requestId, issues } = error;
    const what = session === undefined ? "record" : "session";
    const isGone = issues.some(({ message }) => message.startsWith("Has been deleted"));
    const sentence = `Somebody else has ${isGone ? "deleted" : "changed"} this ${what} meanwhile.`;
    throw new Failure(`${sentence} Nothing was written.`, HAS_CHANGED, { requestId, issues });
  }
}
