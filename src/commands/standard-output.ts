import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CommandContext } from "./context.ts";
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

/**
 * Ends the process with an error if standard output cannot be written, or has no reader any more: what the command has
 * done stays so.
 *
 * @param whatToDo so that nothing is lost.
 */
export function failIfUnprinted(
  { stdout, output }: Pick<CommandContext, "stdout" | "output">,
  whatToDo: string,
): void {
  // Before the program's own listener, which knows nothing of the command.
  stdout.prependListener("error", ({ code }: NodeJS.ErrnoException) => {
    output.message(`error: Cannot write to standard output (${code}); ${whatToDo}`);
    process.exit(1);
  });
}

/** A command that prints what cannot be shown again. */
export function printedOnce<Arguments extends unknown[]>(
  context: CommandContext,
  whatToDo: string,
  command: (...args: Arguments) => Promise<void>,
): (...args: Arguments) => Promise<void> {
  return (...args) => {
    failIfUnprinted(context, whatToDo);
    return command(...args);
  };
}

/** `printableLines` of each piece. */
export async function* printablePieces(
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  for await (const piece of pieces) yield printableLines(piece);
}
