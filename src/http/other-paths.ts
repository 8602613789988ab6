import { type AnyElysia, Elysia } from "elysia";
import { PlainError } from "./errors.ts";
import { VERSION_BASE } from "./paths.ts";
import { authorized } from "./authorized.ts";

const UNDOCUMENTED = { detail: { hide: true } };

/** 405 for methods that a path of the API does not have; only with a valid key. */
export function otherMethods(api: AnyElysia) {
  const others = new Elysia({ name: "other methods" }).use(authorized);
  for (const [path, routes] of Map.groupBy(api.routes, (route) => route.path)) {
    const methods = routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    const notAllowed = new PlainError(405, "Method not allowed", { allow: methods.join(", ") });
    others.all(path, () => Promise.reject(notAllowed), UNDOCUMENTED);
  }
  return others;
}

function notFound(): never {
  throw new PlainError(404, "Not found");
}

/** 404 for unknown paths; below `/api/v1` only with a valid key. */
export const unknownPaths = new Elysia({ name: "unknown paths" })
  .use(
    new Elysia({ name: "unknown paths of the API" })
      .use(authorized)
      .all(VERSION_BASE, notFound, UNDOCUMENTED)
      .all(`${VERSION_BASE}/*`, notFound, UNDOCUMENTED),
  )
  .all("/*", notFound, UNDOCUMENTED);
