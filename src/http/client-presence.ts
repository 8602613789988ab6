import { setImmediate as endOfTurn } from "node:timers/promises";
import { PlainError } from "./errors.ts";

/** How long requests may be worked on without a look at whose client has gone, in milliseconds. */
const LOOKING_INTERVAL = 20;

/** Nobody is answered it; the log and the trail say it, as proxies do. */
const CLIENT_GONE = 499;

/** When the work of this turn of the event loop began. */
let begun: number | undefined;

/**
 * Whether requests have been worked on for so long that others wait. That a client goes away is only heard of when the
 * event loop turns, and all requests that arrive together are worked on before it does.
 */
export function isTurnDue(): boolean {
  if (begun !== undefined) return performance.now() - begun > LOOKING_INTERVAL;
  begun = performance.now();
  setImmediate(() => {
    begun = undefined;
  });
  return false;
}

/**
 * Lets the event loop turn until it is this request's time.
 *
 * @throws PlainError 499 where the client has gone meanwhile.
 */
export async function waitForTurn(request: Request): Promise<void> {
  while (isTurnDue()) await nextTurn();
  requireClient(request);
}

/** @throws PlainError 499 where nobody waits for the answer any more. */
export function requireClient(request: Request): void {
  if (request.signal.aborted) throw new PlainError(CLIENT_GONE, "The client has gone");
}

/** Lets the event loop turn: what happened on connections is heard of between two immediates. */
export async function nextTurn(): Promise<void> {
  await endOfTurn();
  await endOfTurn();
}
