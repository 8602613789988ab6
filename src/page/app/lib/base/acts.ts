import { signal } from "@preact/signals";
import { serverClock } from "./server-clock.ts";
import { type Instant, toInstant } from "./dates.ts";
import { keptForPerson, signedIn } from "../sign-in/signed-in.ts";

/** What was done in this sign-in. It is in the memory of the page alone: nothing of patients is kept in a browser. */

export interface Act {
  said: string;
  /** What is wrong with it, and did not prevent it. */
  warnings: readonly string[];
  at: Instant;
  /** Undoes it, unless somebody has changed it since. Undefined if it cannot be undone. */
  undo: (() => Promise<unknown>) | undefined;
}

/** How many are remembered. */
const MOST = 50;

/** The last acts that were not undone, the latest first. */
export const acts = signal<readonly Act[]>([]);

/** The one that the bar tells. */
export const told = signal<Act | undefined>(undefined);

keptForPerson(() => {
  acts.value = [];
});

signedIn.subscribe(() => {
  told.value = undefined;
});

interface Said {
  said: string;
  warnings?: Act["warnings"] | undefined;
  undo?: Act["undo"];
}

function actOf({ said, warnings = [], undo }: Said): Act {
  return { said, warnings, undo, at: toInstant(serverClock.now()) };
}

/** Remembers what was done. The bar tells it, unless the view shows it. */
export function noteAct(done: Said, isShown = false): Act {
  const act = actOf(done);
  acts.value = [act, ...acts.value].slice(0, MOST);
  if (!isShown) told.value = act;
  return act;
}

/** Has the bar say something. */
export function say(said: string): void {
  told.value = actOf({ said });
}

/** @throws Failure if it cannot be undone any more. */
export async function undoAct(act: Act): Promise<void> {
  await act.undo?.();
  acts.value = acts.value.filter((each) => each !== act);
  if (told.value === act) told.value = undefined;
}
