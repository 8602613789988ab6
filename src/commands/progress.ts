import type { Writable } from "node:stream";

const MEGABYTE = 1_000_000;

/**
 * Shows on a terminal how far the reading of some bytes has come, and nothing elsewhere. Without a size, as of
 * a pipe, it shows how much has been read.
 */
export async function* withProgress(
  chunks: AsyncIterable<Uint8Array>,
  size: number | undefined,
  terminal: Writable & { isTTY?: boolean },
): AsyncGenerator<Uint8Array> {
  const format =
    size === undefined
      ? "Reading {megabytes} MB"
      : "Reading [{bar}] {percentage}% of {totalMegabytes} MB, {eta_formatted} left";
  // Loaded by who needs it: it takes 3 ms of the start of every command.
  const { SingleBar } = await import("cli-progress");
  const totalMegabytes = megabytes(size ?? 0);
  const bar = new SingleBar({ format, stream: terminal, clearOnComplete: true });
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

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
