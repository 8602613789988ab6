/** Records processed at once: few enough for memory and for other requests in between, enough for few statements. */
const RECORDS_PER_PIECE = 500;

/** Splits a list into pieces of at most `size` elements. */
export function* pieces<Item>(
  items: readonly Item[],
  size = RECORDS_PER_PIECE,
): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
