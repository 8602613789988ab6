import type { Problem } from "./mistakes.ts";

/**
 * A line of a practice file, counted from 1: its text; or what a row of a table stands for, with what is wrong with its
 * cells; or why it is neither.
 */
export type Line = { number: number } & (
  { text: string } | { input: object; problems: Problem[] } | { problem: string }
);

/** Room for a goal with tens of thousands of recorded trials; a line is held in memory whole. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Cuts a stream of bytes into lines of text. Blank lines are counted and left out. Lines may end in CR LF,
 * and a byte order mark at the very start is passed over, since editors on Windows write both. No more than
 * a line and a chunk are in memory at once; a line that is too long is skipped, not collected.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const current = new CurrentLine(maxLineBytes);
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      if (end === start && current.isEmpty) {
        number += 1;
        start += 1;
        continue;
      }
      current.append(chunk.subarray(start, end));
      const line = toLine(number, current.take(), decoder);
      if (line !== undefined) yield line;
      number += 1;
      start = end + 1;
    }
    current.append(chunk.subarray(start));
  }
  const last = toLine(number, current.take(), decoder);
  if (last !== undefined) yield last;
}

/** The bytes of a line as far as they have been read. */
class CurrentLine {
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(private readonly maxLength: number) {}

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  append(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > this.maxLength) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  /** The whole line, or undefined if it is too long; the next one begins. */
  take(): Uint8Array | undefined {
    const parts = this.#parts;
    const isTooLong = this.#length > this.maxLength;
    this.#parts = [];
    this.#length = 0;
    if (isTooLong) return undefined;
    // Most lines lie within one chunk and need no copy.
    return parts.length === 1 ? parts[0] : Buffer.concat(parts);
  }
}

function toLine(
  number: number,
  bytes: Uint8Array | undefined,
  decoder: TextDecoder,
): Line | undefined {
  if (bytes === undefined)
    return { number, problem: `is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB` };
  const text = decoded(number === 1 ? withoutByteOrderMark(bytes) : bytes, decoder);
  if (text === undefined) return { number, problem: "is not valid UTF-8" };
  return text.trim() === "" ? undefined : { number, text };
}

function decoded(bytes: Uint8Array, decoder: TextDecoder): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(3) : bytes;
}
