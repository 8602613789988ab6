import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Writes text piece by piece, no faster than it is read. That the reader stops reading, as `head` does, is no
 * error: the rest is then not made.
 */
export async function writePieces(
  pieces: Iterable<string> | AsyncIterable<string>,
  stdout: Writable,
): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}
