import { signal } from "@preact/signals";
import { type Moment, moment, serverClock, timeBetween } from "../base/server-clock.ts";
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

let lastTouch: Moment = moment();
/** By the server's time. */
let touchedAt = serverClock.now();

export function signIn(key: string | undefined, me: Me): void {
  noteTouch();
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

/**
 * Who somebody is: their practice and themselves as one, `ORG.USER`, since two practices of a server may have equal ids
 * of users. A key without a user is somebody, too.
 */
export function identityOf({ organization, key }: Me): string {
  return `${organization.publicId}.${key.userId ?? key.id}`;
}

/** Who has signed in with a passkey, if anybody has. */
export function passkeyPerson(): string | undefined {
  const caller = signedIn.value;
  return caller !== undefined && caller.key === undefined ? identityOf(caller.me) : undefined;
}

let author: string | undefined;
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
  const mayComeBack = why === "locked" || (why instanceof Failure && passkeyPerson() !== undefined);
  if (why !== undefined && !mayComeBack) forgetAll();
});

signedIn.subscribe((caller) => {
  if (caller === undefined) return;
  const person = identityOf(caller.me);
  if (person !== author) forgetAll();
  author = person;
});

/** Asks the server anything, which tells the time. */
let askTheTime: () => Promise<unknown> = () => Promise.resolve();
let isAsking = false;

/**
 * Where the clocks of the device disagree, it has slept, or its clock was set: only the server knows for how long nobody
 * was there. Until it says so, nothing is shown if it may be too long.
 */
function forgetIfUntouched(): void {
  if (signedIn.value === undefined || isAsking) return;
  const now = moment();
  const untouched = timeBetween(lastTouch, now);
  if (untouched !== undefined) {
    if (untouched >= UNTOUCHED_TIME) forgetSignIn();
    return;
  }
  isAsking = true;
  const mayBeOver = now.device - lastTouch.device >= UNTOUCHED_TIME;
  document.body.hidden = mayBeOver;
  const noteAnswer = (isKnown: boolean): void => {
    isAsking = false;
    const passed = Math.max(0, serverClock.now() - touchedAt);
    if (isKnown ? passed >= UNTOUCHED_TIME : mayBeOver) forgetSignIn();
    const { device, steady } = moment();
    lastTouch = { device: device - passed, steady: steady - passed };
    document.body.hidden = false;
  };
  askTheTime().then(
    () => noteAnswer(true),
    (error: unknown) => noteAnswer(error instanceof Failure && error.status !== undefined),
  );
}

function forgetSignIn(): void {
  if (signedIn.value !== undefined) signOut(passkeyPerson() === undefined ? "untouched" : "locked");
}

/** Notes activity, in this tab or another one of the same sign-in. */
export function touch(): void {
  // The first activity after a long sleep must not extend a key that has expired.
  forgetIfUntouched();
  if (!isAsking) noteTouch();
}

function noteTouch(): void {
  lastTouch = moment();
  touchedAt = serverClock.now();
}

/**
 * Starts to watch for activity.
 *
 * @param onTouch is called with each activity in this tab.
 * @param askServer asks the server anything, of whose answer the time is noted.
 */
export function watchTouches(onTouch: () => void, askServer: () => Promise<unknown>): void {
  askTheTime = askServer;
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
