/**
 * Requests of the API that the service makes itself, on behalf of a request to its tools for agents. They are known by
 * identity, so that no client can make one.
 */
const outerRequests = new WeakMap<Request, Request>();

/** A request of the API with the key and the id of another request. */
export function innerRequest(
  path: string,
  outer: Request,
  { requestId, body }: { requestId: string; body?: unknown },
): Request {
  const inner = new Request(`http://localhost${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      Authorization: outer.headers.get("authorization") ?? "",
      "X-Request-Id": requestId,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: outer.signal,
  });
  outerRequests.set(inner, outer);
  return inner;
}

export function isInner(request: Request): boolean {
  return outerRequests.has(request);
}

/** The request that arrived over the network. */
export function outermost(request: Request): Request {
  return outerRequests.get(request) ?? request;
}
