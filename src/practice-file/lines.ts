import type { Problem } from "./kinds/problem.ts";

/**
 * A line of a practice file, numbered from 1: its text; or, from a CSV row, an object and the errors of its cells; or
 * why the line could not be read.
 */
export type Line = { number: number } & (
  { text: string } | { input: object; problems: Problem[] } | { problem: string }
);

/** Enough for a goal with tens of thousands of recorded trials. Each line is held in memory completely. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Splits a stream of bytes into lines of text. Blank lines are counted and skipped. CR LF line ends and a byte order
 * mark at the start are accepted, since editors on Windows write them. At most one line and one chunk are in memory;
 * too long lines are skipped without buffering.
 */
export async function* linesOf(
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

/** The bytes of the current line, as far as they have been read. */
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

  /** Returns the complete line (undefined if too long) and begins the next. */
  take(): Uint8Array | undefined {
    const parts = this.#parts;
    const isTooLong = this.#length > this.maxLength;
    this.#parts = [];
    this.#length = 0;
    if (isTooLong) return undefined;
    // Most lines are within one chunk and are not copied.
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
