/** The cookie that holds the token of a browser's sign-in. */

/** Browsers take a cookie of this prefix only from this host, over HTTPS (or on this machine), for all paths. */
const NAME = "__Host-caseload";
const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

/** Whether a request comes from the page. Browsers set this header, and no script can. */
export function isFromPage(request: Request): boolean {
  return request.headers.get("sec-fetch-site") === "same-origin";
}

/**
 * The token of the request's sign-in; undefined without one. It counts only in requests of our own page (other hosts of
 * the same domain are another site's, for reads too), and without an `Authorization` header, which alone decides.
 */
export function signInToken(request: Request): string | undefined {
  if (!isFromPage(request) || request.headers.has("authorization")) return undefined;
  const cookies = request.headers.get("cookie")?.split(";") ?? [];
  const pair = cookies.map((each) => each.trim()).find((each) => each.startsWith(`${NAME}=`));
  return pair?.slice(NAME.length + 1);
}

/** A `Set-Cookie` header for a new sign-in. */
export function signInCookie(token: string, seconds: number): string {
  return `${NAME}=${token}; Max-Age=${seconds}; ${ATTRIBUTES}`;
}

/** A `Set-Cookie` header that removes the cookie. */
export const REMOVED_COOKIE = `${NAME}=; Max-Age=0; ${ATTRIBUTES}`;
