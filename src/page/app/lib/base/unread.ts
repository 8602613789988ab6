import { type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext, useEffect } from "preact/hooks";
import type { Failure } from "./failure.ts";

/**
 * What could not be read for a part of the page. Whoever asks may show the failure itself; what nobody shows stands at the
 * part that it belongs to, so that nothing that is missing looks like nothing.
 */

/** How each failure can be asked for again. */
type Unread = ReadonlyMap<Failure, ReadonlySet<() => void>>;

/** Of the nearest part. */
export const UnreadOfPart = createContext<Signal<Unread>>(signal(new Map()));

/** The failures that something shows. */
const shown = signal<ReadonlySet<Failure>>(new Set());

/** The failures of a part that nothing shows. */
export function unreadOf(part: Signal<Unread>): [failure: Failure, again: () => void][] {
  return [...part.value]
    .filter(([failure]) => !shown.value.has(failure))
    .map(([failure, agains]) => [failure, () => agains.forEach((again) => again())]);
}

/** What a role may not see is not offered to it, and not missed. */
const FORBIDDEN = 403;

/** Notes a failure at the part that asked, for as long as it is one. */
export function useUnread(failure: Failure | undefined, again: () => void): void {
  const part = useContext(UnreadOfPart);
  useEffect(() => {
    if (failure === undefined || failure.status === FORBIDDEN) return;
    const change = (of: (agains: Set<() => void>) => void): void => {
      const agains = new Set(part.peek().get(failure));
      of(agains);
      const changed = new Map(part.peek());
      if (agains.size > 0) changed.set(failure, agains);
      else changed.delete(failure);
      part.value = changed;
    };
    change((agains) => agains.add(again));
    return () => change((agains) => agains.delete(again));
  }, [failure]);
}

/** For whoever shows a failure. */
export function useShown(failure: Failure | undefined): void {
  useEffect(() => {
    if (failure === undefined) return;
    shown.value = new Set(shown.peek()).add(failure);
    return () => {
      const others = new Set(shown.peek());
      others.delete(failure);
      shown.value = others;
    };
  }, [failure]);
}
