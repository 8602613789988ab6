import { setImmediate as endOfTurn } from "node:timers/promises";
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
  let elements = 0;
  for (const value of Object.values(fields)) if (Array.isArray(value)) elements += value.length;
  return 1 + Math.floor(elements / ELEMENTS_OF_RECORD);
}

/**
 * Yields each piece after the first in another turn of the event loop. Garbage is collected between turns, and hardly between
 * promises that are fulfilled at once, as those of SQLite are: an import needed half as much memory again.
 */
export async function* inTurns<Piece>(all: Iterable<Piece>): AsyncGenerator<Piece> {
  let isFirst = true;
  for (const piece of all) {
    if (!isFirst) await endOfTurn();
    isFirst = false;
    yield piece;
  }
}
