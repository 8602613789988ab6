/** Time as lists of stretches, for any number of sessions at once. */

/** Milliseconds since 1970, from the start to the end. Never empty. */
export interface Stretch {
  start: number;
  end: number;
}

/** A stretch of supervision, with a client in it or not. */
export interface Supervised extends Stretch {
  isObserved: boolean;
}

/**
 * Adds a stretch to a list in order, of stretches with gaps between them: if it touches or overlaps the last one, they
 * become one.
 *
 * @param stretch starts no earlier than the last one.
 */
export function extend(stretches: Stretch[], { start, end }: Stretch): void {
  const last = stretches.at(-1);
  if (last === undefined || last.end < start) stretches.push({ start, end });
  else if (last.end < end) last.end = end;
}

/** Contacts: stretches of supervision in any order, of which those that touch or overlap become one. */
export function contactsOf(supervised: readonly Supervised[]): Supervised[] {
  const contacts: Supervised[] = [];
  for (const { start, end, isObserved } of supervised.toSorted((a, b) => a.start - b.start)) {
    const last = contacts.at(-1);
    if (last === undefined || last.end < start) contacts.push({ start, end, isObserved });
    else {
      last.end = Math.max(last.end, end);
      last.isObserved ||= isObserved;
    }
  }
  return contacts;
}

/** The time that is in both of two lists with gaps, in proportion to the first and the result. */
export function intersection(some: readonly Stretch[], others: readonly Stretch[]): Stretch[] {
  return some.flatMap(({ start, end }) => {
    const [from, to] = [firstEndingAfter(others, start), firstStartingFrom(others, end)];
    return others.slice(from, to).map((other) => ({
      ...{ start: Math.max(start, other.start), end: Math.min(end, other.end) },
    }));
  });
}

export function duration(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Several lists as one. */
export function union(lists: readonly (readonly Stretch[])[]): Stretch[] {
  const all: Stretch[] = [];
  for (const stretch of lists.flat().sort((a, b) => a.start - b.start)) extend(all, stretch);
  return all;
}

/** A stretch in which some lists have one, by their indexes. */
type Portion = Stretch & { indexes: number[] };

/**
 * The time in which one list or a few have a stretch, in portions in which these are the same; and that in which more
 * have one.
 *
 * @param few as many lists.
 */
export function portionsOf(
  lists: readonly (readonly Stretch[])[],
  few: number,
): { portions: Portion[]; others: Stretch[] } {
  const edges = lists.flatMap((stretches, index) =>
    stretches.flatMap(({ start, end }) => [
      { time: start, index, isStart: true },
      { time: end, index, isStart: false },
    ]),
  );
  const portions: Portion[] = [];
  const others: Stretch[] = [];
  const goingOn = new Set<number>();
  let start = 0;
  // A stretch of a list ends before another one of it starts.
  for (const { time: end, index, isStart } of edges.sort((a, b) => a.time - b.time)) {
    if (start < end && goingOn.size > few) extend(others, { start, end });
    else if (start < end && goingOn.size > 0) portions.push({ start, end, indexes: [...goingOn] });
    start = end;
    if (isStart) goingOn.add(index);
    else goingOn.delete(index);
  }
  return { portions, others };
}

/** Supervision as stretches in order, with gaps, and the sums of those before each one. */
export class SummedSupervision {
  readonly #stretches: readonly Supervised[];
  readonly #observed: readonly Stretch[];
  /** Of as many stretches as the index says, from the first one. */
  readonly #durations = [0];
  readonly #observedCounts = [0];

  /** @param observed the part with a client, likewise. */
  constructor(stretches: readonly Stretch[], observed: readonly Stretch[]) {
    this.#observed = observed;
    this.#stretches = stretches.map((stretch) => this.#supervised(stretch));
    for (const [index, { start, end, isObserved }] of this.#stretches.entries()) {
      this.#durations.push(this.#durations[index]! + end - start);
      this.#observedCounts.push(this.#observedCounts[index]! + Number(isObserved));
    }
  }

  get stretches(): readonly Supervised[] {
    return this.#stretches;
  }

  get observed(): readonly Stretch[] {
    return this.#observed;
  }

  /** Whether a client is present in supervision in a stretch of time. */
  isObservedIn(time: Stretch): boolean {
    return this.#supervised(time).isObserved;
  }

  /** The supervision in a stretch of time. */
  within(time: Stretch): Supervised[] {
    return intersection([time], this.#stretches).map((part) => this.#supervised(part));
  }

  /**
   * The same as sums of the stretches between which and the edges of the time there are gaps, and the others, of which
   * there are two at most. Takes the same time however many there are.
   */
  sumsWithin(time: Stretch): {
    supervision: number;
    contacts: number;
    observed: number;
    edges: Supervised[];
  } {
    const { start, end } = time;
    let [from, to] = [
      firstEndingAfter(this.#stretches, start),
      firstStartingFrom(this.#stretches, end),
    ];
    const edges = [];
    const [first, last] = [this.#stretches[from], this.#stretches[to - 1]];
    if (from < to && first!.start <= start) edges.push(this.#stretches[from++]!);
    if (from < to && last!.end >= end) edges.push(this.#stretches[--to]!);
    return {
      supervision: this.#durations[to]! - this.#durations[from]!,
      contacts: to - from,
      observed: this.#observedCounts[to]! - this.#observedCounts[from]!,
      edges: intersection([time], edges).map((part) => this.#supervised(part)),
    };
  }

  #supervised({ start, end }: Stretch): Supervised {
    const first = this.#observed[firstEndingAfter(this.#observed, start)];
    return { start, end, isObserved: first !== undefined && first.start < end };
  }
}

/** The index of the first stretch that ends after a moment. */
function firstEndingAfter(stretches: readonly Stretch[], moment: number): number {
  return firstOf(stretches, ({ end }) => end > moment);
}

/** The index of the first stretch that starts at a moment or after it. */
function firstStartingFrom(stretches: readonly Stretch[], moment: number): number {
  return firstOf(stretches, ({ start }) => start >= moment);
}

/** The index of the first stretch of which something is true, as it is of all behind it. */
function firstOf(stretches: readonly Stretch[], isTrue: (stretch: Stretch) => boolean): number {
  let [from, to] = [0, stretches.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isTrue(stretches[middle]!)) to = middle;
    else from = middle + 1;
  }
  return from;
}
