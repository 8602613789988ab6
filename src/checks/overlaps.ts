import type { Instant } from "../lib/instant.ts";
import { elapsedMinutes } from "../utilization/units.ts";

interface Lasting {
  startTime: Instant;
  endTime: Instant;
}

/**
 * Finds sessions of a person that overlap. Sessions must be added in order of start, then id; only those of a person
 * that may still overlap are kept. Sessions of zero length overlap nothing.
 */
export class Overlaps<Session extends Lasting> {
  readonly #lasting = new Map<string, Session[]>();

  /** Adds a session. @returns the person's earlier sessions that it overlaps, in order. */
  add(personId: string, session: Session): Session[] {
    if (session.startTime === session.endTime) return [];
    const earlier = this.#lasting.get(personId) ?? [];
    const goingOn = earlier.filter((one) => one.endTime > session.startTime);
    this.#lasting.set(personId, [...goingOn, session]);
    return goingOn;
  }
}

/** The minutes during which a session overlaps the earlier one that ends last. */
export function overlappingMinutes(session: Lasting, earlier: readonly Lasting[]): number {
  const ends = earlier.map(({ endTime }) => endTime).toSorted();
  const lastEnd = ends.at(-1) ?? session.startTime;
  return elapsedMinutes(session.startTime, lastEnd < session.endTime ? lastEnd : session.endTime);
}
