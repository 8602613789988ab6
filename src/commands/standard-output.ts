import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { printableLines, type Stream } from "./output.ts";

/**
 * Writes pieces of text to standard output, with backpressure. Stops without error if the reader closes the pipe, as
 * `head` does. On a terminal, control characters are escaped as in JSON.
 *
 * @returns whether all of them were read.
 */
export async function writePieces(
  pieces: Iterable<string> | AsyncIterable<string>,
  stdout: Stream,
): Promise<boolean> {
  try {
    await pipeline(
      Readable.from(stdout.isTTY === true ? printablePieces(pieces) : pieces),
      stdout,
      {
        end: false,
      },
    );
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
    return false;
  }
}

/** `printableLines` of each piece. */
export async function* printablePieces(
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  for await (const piece of pieces) yield printableLines(piece);
}
