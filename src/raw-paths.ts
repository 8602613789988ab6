/**
 * Paths as sent by clients. Bun normalizes `request.url` like a browser: `\` in the path becomes `/`, so that a proxy
 * may have seen another path. The parameters of Bun's router keep the `\`.
 */

/** More segments than any path of the service has. */
const SEGMENTS = 8;

/** Routes of `Bun.serve` that match all paths of up to eight segments, with the segments as parameters. */
export function everyPath<Handler>(handler: Handler): Record<string, Handler> {
  const names = Array.from({ length: SEGMENTS }, (_, index) => `/:segment${index + 1}`);
  return Object.fromEntries(names.map((_, index) => [names.slice(0, index + 1).join(""), handler]));
}

/**
 * Whether a request's path was sent with a `\`. Also true for paths with more segments than `everyPath` matches, and
 * with empty segments, since both are unknown even after `.` and `..` are resolved.
 */
export function hasBackslash(request: Request): boolean {
  const { params } = request as { params?: Record<string, string> };
  const path = () => new URL(request.url, "http://localhost").pathname;
  if (params === undefined) return path() !== "/";
  const sent = Object.values(params).join("").split("\\").length - 1;
  // Escaped ones (%5C) do not become `/` in the URL.
  return sent > 0 && sent > (path().match(/%5c/gi)?.length ?? 0);
}
