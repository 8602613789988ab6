/** Time as lists of stretches, for any number of sessions at once. */

/** Milliseconds since 1970, from the start to the end. Never empty. */
export interface Stretch {
  start: number;
  end: number;
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

/** All stretches of several lists, as one list with gaps. */
export function union(lists: readonly (readonly Stretch[])[]): Stretch[] {
  const all: Stretch[] = [];
  for (const stretch of lists.flat().sort((a, b) => a.start - b.start)) extend(all, stretch);
  return all;
}

/**
 * The time that is in both of two lists with gaps. Takes time in proportion to the first and the result, so that the
 * second may be long.
 */
export function intersection(some: readonly Stretch[], others: readonly Stretch[]): Stretch[] {
  const both: Stretch[] = [];
  for (const { start, end } of some)
    for (let index = firstEndingAfter(others, start); index < others.length; index += 1) {
      const other = others[index]!;
      if (other.start >= end) break;
      both.push({ start: Math.max(start, other.start), end: Math.min(end, other.end) });
    }
  return both;
}

/** The index of the first stretch that ends after a moment. */
function firstEndingAfter(stretches: readonly Stretch[], moment: number): number {
  let [from, to] = [0, stretches.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (stretches[middle]!.end > moment) to = middle;
    else from = middle + 1;
  }
  return from;
}

export function duration(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** The number of stretches that have one of some parts, which are in order. */
export function countWithPart(stretches: readonly Stretch[], parts: readonly Stretch[]): number {
  let part = 0;
  return stretches.filter(({ end }) => {
    const first = part;
    while (part < parts.length && parts[part]!.start < end) part += 1;
    return part > first;
  }).length;
}
