/** Cross-origin requests (the Fetch standard's CORS protocol): off unless origins are configured. */

const ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, X-Request-Id";
const EXPOSED_HEADERS = "Allow, Idempotency-Replayed, Retry-After, X-Request-Id";
const ALLOWED_METHODS = "GET, HEAD, POST, PATCH, DELETE";

/** How long a browser may keep the answer to a preflight, in seconds. */
const MAX_AGE = "600";

/** The headers of an answer to a request from another origin; none where the origin is not configured. */
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

/** Whether a browser asks what it may send. It sends no key with that, so none is asked for. */
export function isPreflight(request: Request, origins: readonly string[]): boolean {
  if (request.method !== "OPTIONS" || origins.length === 0) return false;
  return request.headers.has("access-control-request-method");
}

/** What the answer to a preflight request has beside the headers of all answers. */
export function preflightHeaders(): Record<string, string> {
  return {
    "access-control-allow-methods": ALLOWED_METHODS,
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": MAX_AGE,
  };
}
