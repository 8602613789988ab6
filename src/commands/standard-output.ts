import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { printableLines } from "./output.ts";

/**
 * Writes text piece by piece, no faster than it is read. That the reader stops reading, as `head` does, is no
 * error: the rest is then not made. What a terminal would take for a command is shown there as JSON writes it.
 */
export async function writePieces(
  pieces: Iterable<string> | AsyncIterable<string>,
  stdout: Writable & { isTTY?: boolean },
): Promise<void> {
  try {
    await pipeline(Readable.from(stdout.isTTY === true ? shown(pieces) : pieces), stdout, {
      end: false,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}

async function* shown(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield printableLines(piece);
}
