import { signal } from "@preact/signals";
import { say } from "../base/acts.ts";
import { askWho, get } from "../base/api.ts";
import { Failure } from "../base/failure.ts";
import { homeAddress } from "../base/home.ts";
import { invitation } from "./invitation.ts";
import {
  askOptions,
  endSignIn,
  hasPasskeys,
  keepsSignIn,
  type SignInOptions,
  useOwnPasskey,
} from "./passkeys.ts";
import { goTo, place } from "../base/place.ts";
import { isSame } from "../base/same.ts";
import type { Me } from "../base/wire.ts";
import { leaving, passkeyPerson, signedIn, signIn, signOut, touch } from "./signed-in.ts";
import { isSigningOut, markSigningOut } from "./signing-out.ts";
import { tellInput, tellTabs, watchTabs } from "./tabs.ts";

/** How a visit begins: by the state of the browser's sign-in, and what the person can do about it. */

export type Start =
  | { state: "asking" }
  /** People sign in with passkeys. */
  | { state: "passkeys" }
  /** The server has no passkeys at this address. */
  | { state: "keys" }
  | { state: "locked" }
  /** The server has not heard yet that somebody signs out; why, if that is known. */
  | { state: "signing-out"; failure: Failure | undefined; again: () => Promise<void> }
  | { state: "invited"; create: NonNullable<SignInOptions["create"]> }
  | { state: "failed"; failure: Failure };

export const start = signal<Start>({ state: "asking" });

const CONFLICT = 409;
const UNAUTHENTICATED = 401;

/** Whether the page is at an address of numbers, at which browsers have no passkeys. */
export function isAtNumbers(): boolean {
  return /^\[|^[0-9.]+$/.test(location.hostname);
}

/** This page at `localhost`, with the invitation. */
export function addressAtLocalhost(): string {
  const { protocol, port, hash } = location;
  const at = invitation.value === undefined ? hash : `#/invitation/${invitation.value}`;
  return `${protocol}//localhost${port === "" ? "" : `:${port}`}/${at}`;
}

/**
 * How often the server is asked who is signed in, while the person is there: reading must not lock, and what has become
 * of the practice meanwhile counts, such as its time zone; in milliseconds.
 */
const ASKING_INTERVAL = 4 * 60_000;

let askedAt = Number.NEGATIVE_INFINITY;

/** Asks who is signed in, and takes what the server says. */
export async function askAgain(): Promise<void> {
  const caller = signedIn.value;
  if (caller === undefined) return;
  askedAt = performance.now();
  const now = await get<Me>("me");
  if (signedIn.value === caller && !isSame(now, caller.me)) caller.me = now;
}

/** Tells the other tabs and the server that the person is there. */
export function noteInput(): void {
  if (signedIn.value === undefined) return;
  const person = passkeyPerson();
  if (person !== undefined) tellInput(person, performance.now());
  // A failure shows itself with the next request that matters.
  if (performance.now() - askedAt >= ASKING_INTERVAL) askAgain().catch(() => {});
}

/** Follows what other tabs of this browser do with the sign-in that they share. */
export function watchSharedSignIn(): void {
  watchTabs(({ type, person }) => {
    const own = passkeyPerson();
    if (type === "input") return own === person ? touch() : undefined;
    if (own === person && type === "out") signOut("signed-out");
    else if (own !== undefined && own !== person) signOut("somebody-else");
    // A page that waits for somebody to sign in, or to unlock, has nothing to lose.
    else if (signedIn.value === undefined && invitation.value === undefined) void begin();
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) void begin();
  });
}

/** Asks once whether somebody is signed in on this browser, and shows their place, or what to do. */
export async function begin(): Promise<void> {
  if (isAtNumbers() || !hasPasskeys() || !keepsSignIn()) {
    start.value = { state: "keys" };
    return;
  }
  if (isSigningOut()) return signOutOfBrowser(begin);
  start.value = { state: "asking" };
  leaving.value = undefined;
  signedIn.value = undefined;
  try {
    const options = await askOptions({ invitation: invitation.value });
    if (invitation.value !== undefined && options.create !== undefined)
      start.value = { state: "invited", create: options.create };
    else if (options.signIn === "ACTIVE") await enter();
    else start.value = { state: options.signIn === "LOCKED" ? "locked" : "passkeys" };
  } catch (error) {
    await explain(error);
  }
}

async function explain(error: unknown): Promise<void> {
  if (!(error instanceof Failure)) throw error;
  if (error.status === CONFLICT) start.value = { state: "keys" };
  else if (error.status === UNAUTHENTICATED && invitation.value !== undefined) {
    invitation.value = undefined;
    await begin();
    if (signedIn.value === undefined) leaving.value = error;
    else say(error.message);
  } else start.value = { state: "failed", failure: error };
}

/** Shows the page to whoever has just signed in, or is. */
export async function enter(): Promise<void> {
  const me = await askWho();
  markSigningOut(false);
  invitation.value = undefined;
  start.value = { state: "passkeys" };
  signIn(undefined, me);
  askedAt = performance.now();
  if (place.value.path?.length === 0) goTo(homeAddress(), "replace");
}

/** Signs in, or unlocks, with a passkey. @throws Failure */
export async function enterWithPasskey(): Promise<void> {
  const { get } = await askOptions();
  await useOwnPasskey(get);
  await enter();
  tellSignIn();
}

/** Tells the other tabs who has signed in on this browser. */
export function tellSignIn(): void {
  const person = passkeyPerson();
  if (person !== undefined) tellTabs({ type: "in", person });
}

/** Signs out: of a key this tab, of a passkey all tabs of the browser. */
export async function leave(): Promise<void> {
  const isByPasskey = signedIn.value?.key === undefined;
  const person = passkeyPerson() ?? "";
  if (!isByPasskey) return signOut("signed-out");
  markSigningOut(true);
  signOut("signed-out");
  tellTabs({ type: "out", person });
  await signOutOfBrowser(() => {
    start.value = { state: "passkeys" };
  });
}

/** Delay before the server is told again, in milliseconds. */
const RETRY_INTERVAL = 3_000;

let retry: ReturnType<typeof setTimeout> | undefined;

/** Tells the server that somebody signs out, until it has heard; nothing is shown meanwhile. */
async function signOutOfBrowser(next: () => unknown): Promise<void> {
  clearTimeout(retry);
  // Somebody may have signed in in another tab.
  if (!isSigningOut()) return void next();
  const again = (): Promise<void> => signOutOfBrowser(next);
  start.value = { state: "signing-out", failure: undefined, again };
  try {
    await endSignIn();
    markSigningOut(false);
    next();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    start.value = { state: "signing-out", failure: error, again };
    retry = setTimeout(again, RETRY_INTERVAL);
  }
}
