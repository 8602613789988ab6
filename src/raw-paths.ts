/**
 * Paths as clients send them. Bun gives `request.url` as a browser would write it: every `\` of the path is a `/` by
 * then, so that a proxy in front may have taken the path for another one. The parameters of its router still have the
 * `\`.
 */

/** More segments than any path of ours has. */
const SEGMENTS = 8;

/** The routes of `Bun.serve` that hand every path of up to eight segments to one function, as parameters. */
export function everyPath<Handler>(handler: Handler): Record<string, Handler> {
  const names = Array.from({ length: SEGMENTS }, (_, index) => `/:segment${index + 1}`);
  return Object.fromEntries(names.map((_, index) => [names.slice(0, index + 1).join(""), handler]));
}

/**
 * Whether the path of a request was sent with a `\`. Also true of a path of more segments than `everyPath` takes, and
 * of one with empty segments, for both are unknown, whatever `.` and `..` make of them.
 */
export function hasBackslash(request: Request): boolean {
  const { params } = request as { params?: Record<string, string> };
  const path = () => new URL(request.url, "http://localhost").pathname;
  if (params === undefined) return path() !== "/";
  const sent = Object.values(params).join("").split("\\").length - 1;
  // Those that were sent as escapes are no `/` in the URL.
  return sent > 0 && sent > (path().match(/%5c/gi)?.length ?? 0);
}
