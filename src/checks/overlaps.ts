import type { Instant } from "../lib/instant.ts";
import { elapsedMinutes } from "../utilization/units.ts";

interface Lasting {
  startTime: Instant;
  endTime: Instant;
}

/**
 * Finds what goes on when something of the same person begins. Sessions are added in the order of start, then id; only
 * the last ones of each person are kept. One of no length overlaps nothing.
 */
export class Overlaps<Session extends Lasting> {
  readonly #lasting = new Map<string, Session[]>();

  /** Adds a session of a person. @returns those of the person that began before it and go on, in their order. */
  add(personId: string, session: Session): Session[] {
    if (session.startTime === session.endTime) return [];
    const earlier = this.#lasting.get(personId) ?? [];
    const goingOn = earlier.filter((one) => one.endTime > session.startTime);
    this.#lasting.set(personId, [...goingOn, session]);
    return goingOn;
  }
}

/** For how many minutes a session goes on together with others that began before it, at the most. */
export function overlappingMinutes(session: Lasting, earlier: readonly Lasting[]): number {
  const ends = earlier.map(({ endTime }) => endTime).toSorted();
  const lastEnd = ends.at(-1) ?? session.startTime;
  return elapsedMinutes(session.startTime, lastEnd < session.endTime ? lastEnd : session.endTime);
}
