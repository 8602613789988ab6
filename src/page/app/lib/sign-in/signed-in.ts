import { signal } from "@preact/signals";
import { systemClock } from "../../../../lib/clock.ts";
import { Failure } from "../base/failure.ts";
import type { Me } from "../base/wire.ts";

/**
 * The signed-in person. The key, if they use one, and all responses, are only in the memory of this page. They are
 * removed with the page, on signing out, and after fifteen minutes without activity. Then a sign-in with a passkey is
 * locked: the place stays.
 */

interface SignedIn {
  /** Undefined for a person who has signed in with a passkey: their credential is a cookie, which scripts cannot read. */
  key: string | undefined;
  /** The practice and the key, as the API describes them. */
  me: Me;
  /** The last search for people, which is not in the URL. */
  search: string;
}

/** Why the person was signed out. */
type Leaving = "signed-out" | "untouched" | "locked" | "somebody-else" | Failure;

/** How long somebody is signed in without activity, in milliseconds. */
const UNTOUCHED_TIME = 15 * 60 * 1000;

/** Interval of checking that. A single timer would stop while a laptop sleeps. */
const LOOKING_INTERVAL = 5 * 1000;

export const signedIn = signal<SignedIn | undefined>(undefined);
export const leaving = signal<Leaving | undefined>(undefined);

let lastTouch = 0;

export function signIn(key: string | undefined, me: Me): void {
  lastTouch = systemClock.now();
  leaving.value = undefined;
  const shown = signal(me);
  signedIn.value = {
    key,
    search: "",
    // What shows it follows when the practice is changed.
    get me() {
      return shown.value;
    },
    set me(changed) {
      shown.value = changed;
    },
  };
}

export function signOut(why: Leaving): void {
  leaving.value = why;
  signedIn.value = undefined;
}

/** The id of the person who has signed in with a passkey, if anybody has. */
export function passkeyUser(): string | undefined {
  const caller = signedIn.value;
  return caller?.key === undefined ? (caller?.me.key.userId ?? undefined) : undefined;
}

let author: string | null | undefined;
const forgetters: (() => void)[] = [];

/**
 * What is kept for the same person alone: over a lock, and the end of a sign-in after twelve hours, for whoever comes
 * back by their passkey. It is forgotten on signing out, and when somebody else signs in.
 */
export function keptForPerson(forget: () => void): void {
  forgetters.push(forget);
}

function forgetAll(): void {
  for (const forget of forgetters) forget();
}

leaving.subscribe((why) => {
  const mayComeBack = why === "locked" || (why instanceof Failure && passkeyUser() !== undefined);
  if (why !== undefined && !mayComeBack) forgetAll();
});

signedIn.subscribe((caller) => {
  if (caller === undefined) return;
  const { userId } = caller.me.key;
  if (userId !== author) forgetAll();
  author = userId;
});

function forgetIfUntouched(): void {
  if (signedIn.value !== undefined && systemClock.now() - lastTouch >= UNTOUCHED_TIME)
    signOut(passkeyUser() === undefined ? "untouched" : "locked");
}

/** Notes activity, in this tab or another one of the same sign-in. */
export function touch(): void {
  // The first activity after a long sleep must not extend a key that has expired.
  forgetIfUntouched();
  lastTouch = systemClock.now();
}

/**
 * Starts to watch for activity.
 *
 * @param onTouch is called with each activity in this tab.
 */
export function watchTouches(onTouch: () => void): void {
  const touched = (): void => {
    touch();
    onTouch();
  };
  for (const event of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"])
    addEventListener(event, touched, { capture: true, passive: true });
  document.addEventListener("visibilitychange", forgetIfUntouched);
  setInterval(forgetIfUntouched, LOOKING_INTERVAL);
  // A page in the browser's back-forward cache would keep the key, and all data.
  addEventListener("pagehide", () => signOut("signed-out"));
}
