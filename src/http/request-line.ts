import { PlainError } from "./errors.ts";
import type { Dependencies } from "./context.ts";
import { pathAndQuery } from "./paths.ts";

/** Maximum length of a request line, from the method to the version, in bytes. */
const LONGEST = 8 * 1024;

const AROUND_TARGET = "  HTTP/1.1".length;

/** @throws PlainError 414 for a request line over 8 KiB, 404 for a path that was sent with a `\`. */
export function requireUsualRequestLine(
  request: Request,
  { hasBackslash }: Pick<Dependencies, "hasBackslash">,
): void {
  const { method, url } = request;
  if (method.length + pathAndQuery(url).length + AROUND_TARGET > LONGEST)
    throw new PlainError(414, "Request line must not be longer than 8 KiB");
  if (hasBackslash(request)) throw new PlainError(404, "Not found");
}
