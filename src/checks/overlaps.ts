import type { Instant } from "../lib/instant.ts";
import { elapsedMinutes } from "../utilization/units.ts";

/** A finding has the ids of this many overlapped sessions; of the others, only their number is kept. */
const OVERLAPPED_IDS = 20;

/** Sessions that have ended are forgotten when there are so many more than those that go on. */
const MOST_ENDED = 16;

interface Lasting {
  startTime: Instant;
  endTime: Instant;
}

/** The earlier sessions that a session overlaps. */
export interface Overlapped<Session> {
  /** The first ones, in order of start, then id. Call it before another session of the person is added. */
  first(): Session[];
  count: number;
  /** The greatest overlap, in whole minutes. */
  minutes: number;
}

/**
 * Finds sessions of a person that overlap. Sessions must be added in order of start, then id. Sessions of zero length
 * overlap nothing.
 *
 * Any number of sessions can go on at once, so the time to add one grows only with the logarithm of that number.
 */
export class Overlaps<Session extends Lasting> {
  readonly #people = new Map<string, SessionsGoingOn<Session>>();

  /**
   * Adds a session of a person.
   *
   * @param group sessions of the same group do not count as overlapping; null for a session without a group.
   * @returns the person's earlier sessions that it overlaps; undefined if there are none.
   */
  add(personId: string, group: string | null, session: Session): Overlapped<Session> | undefined {
    if (session.startTime === session.endTime) return undefined;
    let goingOn = this.#people.get(personId);
    if (goingOn === undefined) this.#people.set(personId, (goingOn = new SessionsGoingOn()));
    goingOn.endUntil(session.startTime);
    const overlapped = goingOn.others(group, session);
    goingOn.add(group, session);
    return overlapped;
  }
}

/** What a node of the tree knows of the sessions below it that are going on. */
interface Node {
  /** The earliest end. */
  firstEnd: Instant;
  /** The last end, and the group of a session with that end. */
  lastEnd: Instant;
  group: string | null;
  /** The last end of sessions that are not of this group, if it is one; undefined if there are none. */
  lastEndOfOthers: Instant | undefined;
}

/**
 * The sessions of one person, as a binary tree over the order in which they were added: `levels[0]` has a node for each
 * session, and each node of `levels[n + 1]` is the sum of two neighbours of `levels[n]`. Sessions that have ended are
 * undefined, and all are forgotten as soon as none is going on, or when they are most.
 */
class SessionsGoingOn<Session extends Lasting> {
  #sessions: Session[] = [];
  #levels: (Node | undefined)[][] = [[]];
  #count = 0;
  readonly #countByGroup = new Map<string | null, number>();

  add(group: string | null, session: Session): void {
    const { endTime } = session;
    this.#count += 1;
    this.#countByGroup.set(group, (this.#countByGroup.get(group) ?? 0) + 1);
    const node = { firstEnd: endTime, lastEnd: endTime, group, lastEndOfOthers: undefined };
    this.#set(this.#sessions.length, node);
    this.#sessions.push(session);
  }

  /** Ends the sessions that are over at an instant. */
  endUntil(instant: Instant): void {
    let top = this.#top;
    if (top !== undefined && top.lastEnd <= instant) return this.#endAll();
    for (; top !== undefined && top.firstEnd <= instant; top = this.#top)
      this.#end(this.#indexOfEnd(top.firstEnd));
    if (this.#sessions.length > 2 * this.#count + MOST_ENDED) this.#forgetEnded();
  }

  #forgetEnded(): void {
    const sessions = this.#sessions;
    const [nodes = []] = this.#levels;
    this.#endAll();
    for (const [index, session] of sessions.entries()) {
      const node = nodes[index];
      if (node !== undefined) this.add(node.group, session);
    }
  }

  #endAll(): void {
    this.#sessions = [];
    this.#levels = [[]];
    this.#count = 0;
    this.#countByGroup.clear();
  }

  /** The sessions that are going on and not of a group. */
  others(group: string | null, { startTime, endTime }: Lasting): Overlapped<Session> | undefined {
    const lastEnd = this.#top && lastEndOfOthers(this.#top, group);
    if (lastEnd === undefined) return undefined;
    const ofGroup = group === null ? 0 : (this.#countByGroup.get(group) ?? 0);
    const count = this.#count - ofGroup;
    return {
      // The session itself, which is added meanwhile, comes after these.
      first: () => this.#collect(group, Math.min(count, OVERLAPPED_IDS)),
      count,
      minutes: elapsedMinutes(startTime, lastEnd < endTime ? lastEnd : endTime),
    };
  }

  get #top(): Node | undefined {
    return this.#levels.at(-1)?.[0];
  }

  /** The first sessions that are not of a group. */
  #collect(group: string | null, most: number): Session[] {
    const first: Session[] = [];
    const collect = (level: number, index: number): void => {
      const node = this.#levels[level]?.[index];
      if (node === undefined || lastEndOfOthers(node, group) === undefined) return;
      if (first.length === most) return;
      if (level === 0) {
        first.push(this.#sessions[index]!);
        return;
      }
      collect(level - 1, 2 * index);
      collect(level - 1, 2 * index + 1);
    };
    collect(this.#levels.length - 1, 0);
    return first;
  }

  #indexOfEnd(firstEnd: Instant): number {
    let index = 0;
    for (let level = this.#levels.length - 2; level >= 0; level -= 1) {
      index *= 2;
      if (this.#levels[level]?.[index]?.firstEnd !== firstEnd) index += 1;
    }
    return index;
  }

  #end(index: number): void {
    const group = this.#levels[0]?.[index]?.group ?? null;
    const left = (this.#countByGroup.get(group) ?? 0) - 1;
    if (left > 0) this.#countByGroup.set(group, left);
    else this.#countByGroup.delete(group);
    this.#count -= 1;
    this.#set(index, undefined);
  }

  /** Sets the node of a session, and updates those above it. */
  #set(index: number, node: Node | undefined): void {
    for (let level = 0; ; level += 1) {
      const nodes = (this.#levels[level] ??= []);
      nodes[index] = node;
      if (nodes.length === 1) return;
      const left = index - (index % 2);
      node = sumOf(nodes[left], nodes[left + 1]);
      index = left / 2;
    }
  }
}

function sumOf(a: Node | undefined, b: Node | undefined): Node | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const [last, other] = a.lastEnd >= b.lastEnd ? [a, b] : [b, a];
  const { lastEnd, group } = last;
  return {
    firstEnd: a.firstEnd <= b.firstEnd ? a.firstEnd : b.firstEnd,
    lastEnd,
    group,
    lastEndOfOthers: later(last.lastEndOfOthers, lastEndOfOthers(other, group)),
  };
}

/** The last end of sessions below a node that are not of a group. */
function lastEndOfOthers(node: Node, group: string | null): Instant | undefined {
  return group !== null && node.group === group ? node.lastEndOfOthers : node.lastEnd;
}

function later(a: Instant | undefined, b: Instant | undefined): Instant | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a >= b ? a : b;
}
