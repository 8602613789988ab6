import { PlainError } from "./errors.ts";
import type { Dependencies } from "./context.ts";

/**
 * The origin at which browsers open the page. It is never taken from a request, so that no client chooses it.
 *
 * @throws PlainError 409 if people cannot sign in at this server's address.
 */
export function requireOrigin({ origin }: Pick<Dependencies, "origin">): string {
  const configured = origin();
  if (configured !== undefined) return configured;
  throw new PlainError(409, 'Passkeys need "caseload serve --origin"');
}
