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
    Vary: "Origin",
    ...(allowed !== undefined && {
      "Access-Control-Allow-Origin": allowed,
      "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    }),
  };
}

/**
 * The answer to a preflight request, or undefined for any other. A browser sends no key with it, so it is
 * answered before the key is asked for.
 */
export function preflightAnswer(
  request: Request,
  origins: readonly string[],
): Response | undefined {
  if (request.method !== "OPTIONS" || origins.length === 0) return undefined;
  if (!request.headers.has("access-control-request-method")) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(request, origins),
      "Access-Control-Allow-Methods": ALLOWED_METHODS,
      "Access-Control-Allow-Headers": ALLOWED_HEADERS,
      "Access-Control-Max-Age": MAX_AGE,
    },
  });
}
