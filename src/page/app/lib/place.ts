import { signal } from "@preact/signals";
import type { Query } from "./api.ts";

/**
 * The current place in the page. It is in the fragment of the URL, which browsers do not send to servers:
 * `#/utilization/auth_1?timezone=America/New_York`. It holds ids, dates and the like, and never a name.
 */
export interface Place {
  /** Its parts; undefined if the fragment is malformed. */
  path: string[] | undefined;
  query: URLSearchParams;
}

export const place = signal(placeOf(location.hash));

/** Follows the URL from now on. */
export function watchPlace(): void {
  const follow = (): void => {
    place.value = placeOf(location.hash);
  };
  follow();
  addEventListener("hashchange", follow);
}

function placeOf(fragment: string): Place {
  const [path = "", query = ""] = fragment.replace(/^#?\/?/, "").split(/\?(.*)/s);
  return { path: decoded(path), query: new URLSearchParams(query) };
}

function decoded(path: string): string[] | undefined {
  try {
    return path.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** The URL of a place, for links. */
export function addressOf(path: string[], query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  const text = parameters.toString().replaceAll("%2F", "/");
  return `#/${path.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
}

/** The same place with changed parameters; undefined and empty ones are removed. */
export function addressWith(changes: Query): string {
  const { path = [], query } = place.value;
  return addressOf(path, { ...Object.fromEntries(query), ...changes });
}

/** Goes to an address; with `replace`, without a history entry. */
export function goTo(address: string, how: "push" | "replace" = "push"): void {
  if (how === "push") location.hash = address;
  else location.replace(address);
}
