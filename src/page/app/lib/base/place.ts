import { signal } from "@preact/signals";
import { type Query, queryText } from "./query.ts";

/**
 * The current place in the page. It is in the fragment of the URL, which browsers do not send to servers:
 * `#/utilization/auth_1?timezone=America/New_York`. It holds ids, dates and the like, and never a name. What is open
 * above the view is part of it, so that *Back* closes that first: `session=apt_1`, or a dialog with what it is about,
 * `open=renew&open.id=auth_1`.
 */
export interface Place {
  /** Its parts; undefined if the fragment is malformed. */
  path: string[] | undefined;
  query: URLSearchParams;
}

export const place = signal(placeOf(location.hash));

const DIALOG = "open";

/** Kept by the browser with each entry of its history. */
interface Entry {
  /** The address that led to it, if it was one of the page. */
  from: string | undefined;
  index: number;
}

/** The index of the current entry. */
let current = 0;

/** How a view was left: how far it was scrolled, and which of its parts were open. */
interface Left {
  scroll: number;
  opened: Set<string>;
}

/** By the index of the entry; entries that differ in what is open above the view, or in its filters, share it. */
const left = new Map<number, Left>();
let here: Left = newLeft();

function newLeft(): Left {
  return { scroll: 0, opened: new Set() };
}

/** Scrolls to where the current entry was left; a new one begins at its head. */
export function scrollBack(): void {
  scrollTo(0, here.scroll);
}

/** Whether a part of the view, by its key, was open when it was left. */
export function wasOpen(key: string): boolean {
  return here.opened.has(key);
}

export function noteOpen(key: string, isOpen: boolean): void {
  if (isOpen) here.opened.add(key);
  else here.opened.delete(key);
}

/** What goes with another place. */
export interface Going {
  view: boolean;
  dialog: boolean;
  session: boolean;
}

/**
 * Follows the URL from now on.
 *
 * @param mayGo is asked before something goes because of a link, *Back* or *Forward*.
 */
export function watchPlace(mayGo: (going: Going) => boolean): void {
  follow();
  current = noteEntry(undefined);
  left.set(current, here);
  history.scrollRestoration = "manual";
  addEventListener("scroll", () => (here.scroll = scrollY), { passive: true });
  addEventListener("hashchange", ({ oldURL }) => {
    const index = noteEntry(new URL(oldURL).hash);
    const going = goingTo(placeOf(location.hash));
    if (mayGo(going)) {
      current = index;
      if (going.view) here = left.get(index) ?? newLeft();
      left.set(index, here);
      follow();
    } else history.go(current - index);
  });
}

function follow(): void {
  place.value = placeOf(location.hash);
}

/** The index of the entry. Only a new one has no state yet. */
function noteEntry(from: string | undefined): number {
  if (history.state === null) {
    left.delete(current + 1);
    history.replaceState({ from, index: current + 1 } satisfies Entry, "");
  }
  return (history.state as Entry).index;
}

function goingTo(next: Place): Going {
  const now = place.value;
  const view = now.path?.join("/") !== next.path?.join("/");
  const closes = (name: string): boolean =>
    now.query.has(name) && (view || now.query.get(name) !== next.query.get(name));
  return { view, dialog: closes(DIALOG), session: closes("session") };
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

/** The address of a fragment, as `addressOf` writes it. */
function sameAddress(fragment: string): string {
  const { path = [], query } = placeOf(fragment);
  return addressOf(path, Object.fromEntries(query));
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

/** Another page of the current list. */
export function addressOfPage(page: number): string {
  return addressWith({ page: page === 1 ? undefined : page });
}

export function filterBy(changes: Query): void {
  goTo(addressOfFilter(changes));
}

/** Goes to an address; with `replace`, without a history entry. */
export function goTo(address: string, how: "push" | "replace" = "push"): void {
  if (how === "push") location.hash = address;
  else {
    history.replaceState(history.state, "", address);
    follow();
  }
}

/** The current place with a session's dialog. */
export function addressOfSession(id: string): string {
  return addressWith({ session: id });
}

/** What says where a record is shown. */
interface Shown {
  type: string;
  publicId: string;
  /** Of an encounter. */
  sessionId?: unknown;
  authorizationId?: unknown;
  /** Of a lead, if it is known. */
  clientId?: unknown;
}

/** The place that shows a record; undefined for types that no view shows. */
export function addressOfRecord(record: Shown): string | undefined {
  const { type, publicId, sessionId, authorizationId, clientId } = record;
  if (type === "user") return addressOf(["people", publicId]);
  if (type === "authorization" || type === "authorizationPool")
    return addressOf(["utilization", publicId]);
  if (type === "session") return addressOfSession(publicId);
  if (type === "encounter")
    return typeof sessionId === "string"
      ? addressOfSession(sessionId)
      : addressOf(["utilization", String(authorizationId)]);
  if (type !== "intakeLead") return undefined;
  return addressOf(typeof clientId === "string" ? ["people", clientId] : ["leads"]);
}

/** Opens a dialog above the current view, with what it is about. */
export function openDialog(name: string, about: Query = {}): void {
  const prefixed = Object.entries(about).map(([key, value]) => [`${DIALOG}.${key}`, value]);
  goTo(addressWith({ ...closed(), [DIALOG]: name, ...Object.fromEntries(prefixed) }));
}

/** What the dialog with a name is about; undefined unless it is open. */
export function openedDialog(name: string): Record<string, string | undefined> | undefined {
  if (parameter(DIALOG) !== name) return undefined;
  const about = [...place.value.query].filter(([key]) => key.startsWith(`${DIALOG}.`));
  return Object.fromEntries(about.map(([key, value]) => [key.slice(DIALOG.length + 1), value]));
}

/** Closes the dialog that is open above the view, if there is one. */
export function closeDialog(): void {
  close(closed());
}

/** Closes the dialog of a session. */
export function closeSession(): void {
  close({ session: undefined });
}

/** The parameters of an open dialog, to be removed. */
function closed(): Query {
  const names = [...place.value.query.keys()].filter(
    (name) => name === DIALOG || name.startsWith(`${DIALOG}.`),
  );
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** Removes parameters: goes back to where they were added, so that *Back* then leads to the view before. */
function close(parametersOfIt: Query): void {
  if (Object.keys(parametersOfIt).every((name) => !place.value.query.has(name))) return;
  const address = addressWith(parametersOfIt);
  // On the way to another place, which has no state until the browser tells of it.
  if (history.state === null) return;
  const { from } = history.state as Entry;
  if (from === undefined || sameAddress(from) !== address) return goTo(address, "replace");
  // The browser goes back later; a second press must not go back further.
  place.value = placeOf(address);
  history.back();
}
