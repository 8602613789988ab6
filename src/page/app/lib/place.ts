import { signal } from "@preact/signals";
import { type Query, queryText } from "./query.ts";

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
  const text = queryText(query).replaceAll("%2F", "/");
  return `#/${path.map(encodeURIComponent).join("/")}${text}`;
}

/** The same place with changed parameters; undefined, null and empty ones are removed. */
export function addressWith(changes: Query): string {
  const { path = [], query } = place.value;
  return addressOf(path, { ...Object.fromEntries(query), ...changes });
}

/** A parameter of the current place. */
export function parameter(name: string): string | undefined {
  return place.value.query.get(name) ?? undefined;
}

/** Some parameters of the current place, for a request. */
export function parameters<Name extends string>(
  names: readonly Name[],
): Record<Name, string | undefined> {
  const entries = names.map((name) => [name, parameter(name)]);
  return Object.fromEntries(entries) as Record<Name, string | undefined>;
}

/** The first page of the current list with other filters. */
export function addressOfFilter(changes: Query): string {
  return addressWith({ ...changes, page: undefined });
}

export function filterBy(changes: Query): void {
  goTo(addressOfFilter(changes));
}

/** Goes to an address; with `replace`, without a history entry. */
export function goTo(address: string, how: "push" | "replace" = "push"): void {
  if (how === "push") location.hash = address;
  else location.replace(address);
}
