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

/** A kind of what sessions have in common, and which: `client usr_leo`. */
export type Tag = `${Kind} ${string}`;
type Kind = keyof typeof MOST_BESIDES;

/** The time grows with the logarithm for a session that may stand beside others by so many tags of each kind. */
const MOST_BESIDES = { client: 1, member: 2, supervision: 1 };

/** What ties a session to others of a person. */
export interface Ties {
  /** By what it is known. */
  own: readonly Tag[];
  /** Sessions with any of these do not count as overlapping. */
  besides: readonly Tag[];
  /** Whether sessions with the same text are among the overlapped ones, is told. */
  alike?: string | undefined;
}

/** The earlier sessions that a session overlaps. */
export interface Overlapped<Session> {
  /** The first ones, in order of start, then id. Call it before another session of the person is added. */
  first(): Session[];
  count: number;
  /** Whether any of them is alike. */
  hasAlike: boolean;
  /** The greatest overlap, in whole minutes. */
  minutes: number;
}

/**
 * Finds sessions of a person that overlap. Sessions must be added in order of start, then id. Sessions of zero length
 * overlap nothing.
 *
 * Any number of sessions can go on at once, so the time to add one grows only with the logarithm of that number, unless it
 * stands beside others by more than `MOST_BESIDES`.
 */
export class Overlaps<Session extends Lasting> {
  readonly #people = new Map<string, SessionsGoingOn<Session>>();

  /**
   * Adds a session of a person.
   *
   * @returns the person's earlier sessions that it overlaps; undefined if there are none.
   */
  add(personId: string, ties: Ties, session: Session): Overlapped<Session> | undefined {
    if (session.startTime === session.endTime) return undefined;
    let goingOn = this.#people.get(personId);
    if (goingOn === undefined) this.#people.set(personId, (goingOn = new SessionsGoingOn()));
    goingOn.endUntil(session.startTime);
    const overlapped = goingOn.others(ties, session);
    goingOn.add(ties, session);
    return overlapped;
  }

  /** Gives another tag to those of a person's sessions that are meant and go on. */
  tie(personId: string, isMeant: (session: Session) => boolean, tag: Tag): void {
    this.#people.get(personId)?.tie(isMeant, tag);
  }
}

/** The end of a session that is going on, and its tags. */
interface End {
  endTime: Instant;
  tags: readonly Tag[];
  alike: string | undefined;
}

/** What a node of the tree knows of the sessions below it that are going on. */
interface Node {
  /** The earliest end. */
  firstEnd: Instant;
  /** The last end, then so many more that the last one without any of some tags is among them. */
  lastEnds: readonly End[];
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
  /** How many have all tags of a set, by the names of the sets; only since sessions overlap. */
  #counts: Map<string, number> | undefined;

  add({ own: tags, alike }: Pick<Ties, "own" | "alike">, session: Session): void {
    const { endTime } = session;
    const end = { endTime, tags, alike };
    this.#count += 1;
    this.#note(end, 1);
    this.#set(this.#sessions.length, { firstEnd: endTime, lastEnds: [end] });
    this.#sessions.push(session);
  }

  tie(isMeant: (session: Session) => boolean, tag: Tag): void {
    for (const [index, session] of this.#sessions.entries()) {
      const end = this.#endOf(index);
      if (end === undefined || !isMeant(session)) continue;
      const tied = { ...end, tags: [...new Set([...end.tags, tag])] };
      this.#note(end, -1);
      this.#note(tied, 1);
      this.#set(index, { firstEnd: end.endTime, lastEnds: [tied] });
    }
  }

  /** Ends the sessions that are over at an instant. */
  endUntil(instant: Instant): void {
    let top = this.#top;
    if (top !== undefined && top.lastEnds[0]!.endTime <= instant) return this.#endAll();
    for (; top !== undefined && top.firstEnd <= instant; top = this.#top)
      this.#end(this.#indexOfEnd(top.firstEnd));
    if (this.#sessions.length > 2 * this.#count + MOST_ENDED) this.#forgetEnded();
  }

  #forgetEnded(): void {
    const sessions = this.#sessions;
    const ends = sessions.map((_, index) => this.#endOf(index));
    this.#endAll();
    for (const [index, end] of ends.entries())
      if (end !== undefined) this.add({ ...end, own: end.tags }, sessions[index]!);
  }

  #endAll(): void {
    this.#sessions = [];
    this.#levels = [[]];
    this.#count = 0;
    this.#counts = undefined;
  }

  /** The sessions that are going on, apart from those beside which a session may stand. */
  others(ties: Ties, session: Lasting): Overlapped<Session> | undefined {
    if (this.#top === undefined) return undefined;
    const found = exceeds(ties.besides) ? this.#searched(ties) : this.#found(this.#top, ties);
    if (found === undefined) return undefined;
    const { lastEnd, ...others } = found;
    const { startTime, endTime } = session;
    const minutes = elapsedMinutes(startTime, lastEnd < endTime ? lastEnd : endTime);
    return { ...others, minutes };
  }

  #found(top: Node, { besides, alike }: Ties) {
    const lastEnd = lastEndWithout(top, besides);
    if (lastEnd === undefined) return undefined;
    if (this.#counts === undefined) {
      this.#counts = new Map();
      for (const index of this.#sessions.keys()) this.#note(this.#endOf(index), 1);
    }
    const count = this.#countWithout(besides);
    return {
      lastEnd,
      // The session itself, which is added meanwhile, comes after these.
      first: () => this.#collect(besides, Math.min(count, OVERLAPPED_IDS)),
      count,
      hasAlike: alike !== undefined && this.#countWithout(besides, alike) > 0,
    };
  }

  /** Looks at each session. */
  #searched({ besides, alike }: Ties) {
    const found = this.#sessions.flatMap((session, index) => {
      const end = this.#endOf(index);
      return end === undefined || hasAny(end, besides) ? [] : { session, end };
    });
    if (found.length === 0) return undefined;
    return {
      lastEnd: found.reduce(
        (last, { end }) => (end.endTime > last ? end.endTime : last),
        found[0]!.end.endTime,
      ),
      first: () => found.slice(0, OVERLAPPED_IDS).map(({ session }) => session),
      count: found.length,
      hasAlike: alike !== undefined && found.some(({ end }) => end.alike === alike),
    };
  }

  get #top(): Node | undefined {
    return this.#levels.at(-1)?.[0];
  }

  /** Undefined of a session that has ended. */
  #endOf(index: number): End | undefined {
    return this.#levels[0]?.[index]?.lastEnds[0];
  }

  #note(end: End | undefined, by: 1 | -1): void {
    if (end === undefined || this.#counts === undefined) return;
    const { tags, alike } = end;
    for (const set of setsOf(tags))
      for (const of of alike === undefined ? [""] : ["", alike]) {
        const name = nameOf(set, of);
        this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
      }
  }

  /** How many have none of some tags: by inclusion and exclusion. */
  #countWithout(tags: readonly Tag[], alike = ""): number {
    return setsOf(tags).reduce((count, set) => {
      const sign = set.length % 2 === 0 ? 1 : -1;
      return count + sign * (this.#counts?.get(nameOf(set, alike)) ?? 0);
    }, 0);
  }

  /** The first sessions without any of some tags. */
  #collect(besides: readonly Tag[], most: number): Session[] {
    const first: Session[] = [];
    const collect = (level: number, index: number): void => {
      const node = this.#levels[level]?.[index];
      if (node === undefined || lastEndWithout(node, besides) === undefined) return;
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
    this.#note(this.#endOf(index), -1);
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

/** Whether a session may stand beside others by more tags than the tree is made for. */
function exceeds(besides: readonly Tag[]): boolean {
  return besides.length > 2 && besides.some((tag) => isMost(besides, kindOf(tag), 1));
}

function isMost(tags: readonly Tag[], kind: Kind, more = 0): boolean {
  let count = 0;
  for (const tag of tags) if (kindOf(tag) === kind) count += 1;
  return count >= MOST_BESIDES[kind] + more;
}

/** All sets of some tags, which are few. */
function setsOf(tags: readonly Tag[]): Tag[][] {
  let sets: Tag[][] = [[]];
  for (const tag of tags) sets = [...sets, ...sets.map((set) => [...set, tag])];
  return sets;
}

/** The name of a set of tags, of all sessions or of those that are alike. */
function nameOf(tags: readonly Tag[], alike: string): string {
  if (tags.length === 0) return alike;
  return `${alike}\n${tags.length === 1 ? tags[0] : tags.toSorted().join("\n")}`;
}

function sumOf(a: Node | undefined, b: Node | undefined): Node | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const lastEnds: End[] = [];
  // Runs at each level for each session that is added; destructured from lists, these took twice the time.
  let ofA = 0;
  let ofB = 0;
  while (ofA < a.lastEnds.length || ofB < b.lastEnds.length) {
    const one = a.lastEnds[ofA];
    const other = b.lastEnds[ofB];
    const isA = other === undefined || (one !== undefined && one.endTime >= other.endTime);
    const end = (isA ? one : other) as End;
    if (isA) ofA += 1;
    else ofB += 1;
    if (isNeeded(end, lastEnds, [])) lastEnds.push(end);
  }
  return { firstEnd: a.firstEnd <= b.firstEnd ? a.firstEnd : b.firstEnd, lastEnds };
}

/** Whether some tags, besides the given ones, can leave out all later ends, but not this one. */
function isNeeded(end: End, later: readonly End[], without: readonly Tag[]): boolean {
  const left = later.find((one) => !hasAny(one, without));
  if (left === undefined) return true;
  return left.tags.some(
    (tag) =>
      !end.tags.includes(tag) &&
      !isMost(without, kindOf(tag)) &&
      isNeeded(end, later, [...without, tag]),
  );
}

function kindOf(tag: Tag): Kind {
  return tag.startsWith("c") ? "client" : tag.startsWith("m") ? "member" : "supervision";
}

function hasAny({ tags }: End, of: readonly Tag[]): boolean {
  return tags.some((tag) => of.includes(tag));
}

/** The last end of sessions below a node that have none of some tags. */
function lastEndWithout({ lastEnds }: Node, tags: readonly Tag[]): Instant | undefined {
  return lastEnds.find((end) => !hasAny(end, tags))?.endTime;
}
