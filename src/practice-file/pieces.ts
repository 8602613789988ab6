/** Records processed at once: few enough for memory and for other requests in between, enough for few statements. */
const RECORDS_PER_PIECE = 500;

/** Splits a list into pieces of at most `size` elements. */
export function* pieces<Item>(
  items: readonly Item[],
  size = RECORDS_PER_PIECE,
): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Splits the lines of a file into pieces, smaller ones where records have long lists. */
export function* piecesOfLines<Line extends { fields: object }>(
  lines: readonly Line[],
): Generator<readonly Line[]> {
  let piece: Line[] = [];
  let size = 0;
  for (const line of lines) {
    piece.push(line);
    size += sizeOf(line);
    if (size < RECORDS_PER_PIECE) continue;
    yield piece;
    [piece, size] = [[], 0];
  }
  if (piece.length > 0) yield piece;
}

/** As many elements of lists take about as long as a record. */
const ELEMENTS_OF_RECORD = 10;

function sizeOf({ fields }: { fields: object }): number {
  const lists = Object.values(fields).filter((value) => Array.isArray(value));
  const elements = lists.reduce((sum, { length }) => sum + length, 0);
  return 1 + Math.floor(elements / ELEMENTS_OF_RECORD);
}
