import { setImmediate as endOfTurn } from "node:timers/promises";
import { PlainError } from "./errors.ts";

/** How long requests run before disconnected clients are looked for, in milliseconds. */
const CHECK_INTERVAL = 20;

/** Never received by a client; recorded in the log and the audit trail, following the convention of proxies. */
const CLIENT_GONE = 499;

export const clientGone = () => new PlainError(CLIENT_GONE, "The client has gone");

/** When this turn of the event loop began. */
let begun: number | undefined;

/**
 * Whether requests have kept the event loop busy for too long. The server learns of disconnected clients only when the
 * event loop turns, and requests that arrive together are all processed before it does.
 */
function isTurnDue(): boolean {
  if (begun !== undefined) return performance.now() - begun > CHECK_INTERVAL;
  begun = performance.now();
  setImmediate(() => {
    begun = undefined;
  });
  return false;
}

/**
 * Lets the event loop turn if that is due, then checks the client.
 *
 * @throws PlainError 499 if the client has disconnected in the meantime.
 */
export async function requireClientInTurn(request: Request): Promise<void> {
  while (isTurnDue()) await nextTurn();
  requireClient(request);
}

/** @throws PlainError 499 if the client has disconnected. */
export function requireClient(request: Request): void {
  if (request.signal.aborted) throw clientGone();
}

/** Lets the event loop turn: it processes events of connections between two immediates. */
export async function nextTurn(): Promise<void> {
  await endOfTurn();
  await endOfTurn();
}
