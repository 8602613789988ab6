import { pieces } from "../lib/pieces.ts";

/** Splits the lines of a file into pieces, smaller ones where records have long lists. */
export function piecesOfLines<Line extends { fields: object }>(
  lines: readonly Line[],
): Generator<readonly Line[]> {
  return pieces(lines, undefined, sizeOf);
}

/** As many elements of lists take about as long as a record. */
const ELEMENTS_OF_RECORD = 10;

function sizeOf({ fields }: { fields: object }): number {
  const lists = Object.values(fields).filter((value) => Array.isArray(value));
  const elements = lists.reduce((sum, { length }) => sum + length, 0);
  return 1 + Math.floor(elements / ELEMENTS_OF_RECORD);
}
