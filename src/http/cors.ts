import { AGENTS_PATH } from "./paths.ts";

/** Cross-origin requests (the Fetch standard's CORS protocol): off unless origins are configured. */

const ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, X-Request-Id";
/** Those that clients of the Model Context Protocol send, too. */
const HEADERS_OF_AGENTS =
  "Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id";
const EXPOSED_HEADERS = "Allow, Caseload-Sequence, Idempotency-Replayed, Retry-After, X-Request-Id";
const ALLOWED_METHODS = "GET, HEAD, POST, PATCH, DELETE";

/** How long a browser may cache the response to a preflight request, in seconds. */
const MAX_AGE = "600";

/** The CORS headers of a response; none if the origin is not configured. */
export function corsHeaders(request: Request, origins: readonly string[]): Record<string, string> {
  const origin = origins.length === 0 ? null : request.headers.get("origin");
  if (origin === null) return {};
  const allowed = origins.includes("*") ? "*" : origins.find((candidate) => candidate === origin);
  return {
    vary: "Origin",
    ...(allowed !== undefined && {
      "access-control-allow-origin": allowed,
      "access-control-expose-headers": EXPOSED_HEADERS,
    }),
  };
}

/** Whether this is a preflight request. Browsers send these without a key, so none is required. */
export function isPreflight(request: Request, origins: readonly string[]): boolean {
  if (request.method !== "OPTIONS" || origins.length === 0) return false;
  return request.headers.has("access-control-request-method");
}

/**
 * Headers of the response to a preflight request, in addition to the common ones.
 *
 * @param isForTests whether the server has `/test`, of which some operations are PUT.
 */
export function preflightHeaders(route: string, isForTests: boolean): Record<string, string> {
  const isOfAgents = route === AGENTS_PATH;
  return {
    "access-control-allow-methods": isForTests ? `${ALLOWED_METHODS}, PUT` : ALLOWED_METHODS,
    "access-control-allow-headers": isOfAgents
      ? `${ALLOWED_HEADERS}, ${HEADERS_OF_AGENTS}`
      : ALLOWED_HEADERS,
    "access-control-max-age": MAX_AGE,
  };
}
