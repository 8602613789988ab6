/** Records processed at once: few enough for memory, enough for few statements. */
const SIZE_OF_PIECE = 500;

/** Splits a list into pieces, each as long as its size first reaches `size`: by default the number of its elements. */
export function* pieces<Item>(
  items: readonly Item[],
  size = SIZE_OF_PIECE,
  sizeOf: (item: Item) => number = () => 1,
): Generator<readonly Item[]> {
  let piece: Item[] = [];
  let total = 0;
  for (const item of items) {
    piece.push(item);
    total += sizeOf(item);
    if (total < size) continue;
    yield piece;
    [piece, total] = [[], 0];
  }
  if (piece.length > 0) yield piece;
}
