import { signal } from "@preact/signals";
import { systemClock } from "../../../lib/clock.ts";
import type { Failure } from "./failure.ts";
import type { Me, User } from "./wire.ts";

/**
 * Who is signed in. The key, and whatever the API answered to it, is in the memory of this page alone: it is gone with
 * the page, when one signs out, and when nobody has touched the page for fifteen minutes.
 */

interface SignedIn {
  key: string;
  /** The practice and whose key it is, as the API answered to the key. */
  me: Me;
  /** Answers that hold for as long as one is signed in, such as the names of service lines. */
  remembered: Map<string, Promise<unknown>>;
  /** People whom the API answered, by their ids. */
  people: Map<string, User>;
  /** The patients of authorizations and pools of the overview, by the ids of both. */
  holders: Map<string, string>;
  /** What was last searched for among the people, which is in no URL. */
  search: string;
}

/** Why nobody is signed in any more. */
type Leaving = "signed-out" | "untouched" | Failure;

/** How long a key is kept without a touch, in milliseconds. */
const UNTOUCHED_TIME = 15 * 60 * 1000;

/** How often it is looked whether that has passed. A timer for the whole time would stop while a laptop sleeps. */
const LOOKING_INTERVAL = 5 * 1000;

export const signedIn = signal<SignedIn | undefined>(undefined);
export const leaving = signal<Leaving | undefined>(undefined);

let lastTouch = 0;

export function signIn(key: string, me: Me): void {
  lastTouch = systemClock.now();
  leaving.value = undefined;
  signedIn.value = {
    key,
    me,
    remembered: new Map(),
    people: new Map(),
    holders: new Map(),
    search: "",
  };
}

export function signOut(why: Leaving): void {
  leaving.value = why;
  signedIn.value = undefined;
}

/** Begins to watch whether the page is touched. */
export function watchTouches(): void {
  const forgetIfUntouched = (): void => {
    if (signedIn.value !== undefined && systemClock.now() - lastTouch >= UNTOUCHED_TIME)
      signOut("untouched");
  };
  const touch = (): void => {
    // The first touch after a long sleep must not keep what it should find gone.
    forgetIfUntouched();
    lastTouch = systemClock.now();
  };
  for (const event of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"])
    addEventListener(event, touch, { capture: true, passive: true });
  document.addEventListener("visibilitychange", forgetIfUntouched);
  setInterval(forgetIfUntouched, LOOKING_INTERVAL);
  // A page that the browser keeps for its Back button would keep the key with it.
  addEventListener("pagehide", () => signOut("signed-out"));
}
