import type { Stream } from "./output.ts";

const MEGABYTE = 1_000_000;

/** Passes bytes on and shows the progress on a terminal. Without a size (for a pipe), shows how much has been read. */
export async function* withProgress(
  chunks: AsyncIterable<Uint8Array>,
  size: number | undefined,
  terminal: Stream,
): AsyncGenerator<Uint8Array> {
  const format =
    size === undefined
      ? "Reading {megabytes} MB"
      : "Reading [{bar}] {percentage}% of {totalMegabytes} MB, {eta_formatted} left";
  const totalMegabytes = megabytes(size ?? 0);
  const bar = await newBar(format, terminal);
  let read = 0;
  bar.start(size ?? 0, 0, { megabytes: megabytes(0), totalMegabytes });
  try {
    for await (const chunk of chunks) {
      yield chunk;
      read += chunk.length;
      bar.update(read, { megabytes: megabytes(read), totalMegabytes });
    }
  } finally {
    bar.stop();
  }
}

/** Shows the progress of work that reports the number of lines written of each part, of a total. */
export async function withWritingProgress<Result>(
  terminal: Stream,
  work: (show: { begin(lines: number): void; add(lines: number): void }) => Promise<Result>,
): Promise<Result> {
  const format = "Writing [{bar}] {percentage}% of {total} lines, {eta_formatted} left";
  const bar = await newBar(format, terminal);
  try {
    return await work({
      begin: (lines) => bar.start(lines, 0),
      add: (lines) => bar.increment(lines),
    });
  } finally {
    bar.stop();
  }
}

/** The package is loaded on demand, to not slow down the start of every command. */
async function newBar(format: string, terminal: Stream) {
  const { SingleBar } = await import("cli-progress");
  return new SingleBar({ format, stream: terminal, clearOnComplete: true });
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
