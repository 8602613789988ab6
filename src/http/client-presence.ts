import { PlainError } from "./errors.ts";

/** Never received by a client; recorded in the log and the audit trail, following the convention of proxies. */
const CLIENT_GONE = 499;

export const clientGone = () => new PlainError(CLIENT_GONE, "The client has gone");

/** @throws PlainError 499 if the client has disconnected. */
export function requireClient(request: Request): void {
  if (request.signal.aborted) throw clientGone();
}
