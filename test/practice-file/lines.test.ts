import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Line, MAX_LINE_BYTES, linesOf as readLines } from "../../src/practice-file/lines.ts";

const encoder = new TextEncoder();

/** The lines of bytes that arrive in chunks. */
function linesOf(...chunks: (string | Uint8Array | number[])[]): Promise<Line[]> {
  const bytes = chunks.map((chunk) =>
    typeof chunk === "string" ? encoder.encode(chunk) : Uint8Array.from(chunk),
  );
  return Array.fromAsync(readLines(arriving(bytes)));
}

async function* arriving(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

describe("the lines of a practice file", () => {
  test("are numbered from 1; the last one may have no line break", async () => {
    const lines = [
      { number: 1, text: "a" },
      { number: 2, text: "b" },
    ];
    expect(await linesOf("a\nb\n")).toEqual(lines);
    expect(await linesOf("a\nb")).toEqual(lines);
    expect(await linesOf("")).toEqual([]);
  });

  test("are skipped but numbered if they are blank", async () => {
    expect(await linesOf("\n  \t\r\na\n\n\nb\n\n")).toEqual([
      { number: 3, text: "a" },
      { number: 6, text: "b" },
    ]);
  });

  test("may end with CR LF", async () => {
    expect(await linesOf("{}\r\n{}\r\n")).toEqual([
      { number: 1, text: "{}\r" },
      { number: 2, text: "{}\r" },
    ]);
  });

  test("may begin with one byte order mark", async () => {
    const mark = [0xef, 0xbb, 0xbf];
    expect(await linesOf(mark, "a\n", mark, "b\n")).toEqual([
      { number: 1, text: "a" },
      { number: 2, text: "\ufeffb" },
    ]);
    expect(await linesOf(mark)).toEqual([]);
  });

  test("are reported individually if they are not valid UTF-8", async () => {
    const problem = "is not valid UTF-8";
    expect(await linesOf("a\n", [0xff], "\nb\n", [0xc3], "\n", [0xed, 0xa0, 0x80])).toEqual([
      { number: 1, text: "a" },
      { number: 2, problem },
      { number: 3, text: "b" },
      { number: 4, problem },
      { number: 5, problem },
    ]);
  });

  test("are complete, however the bytes are split into chunks", async () => {
    const text = fc.array(fc.constantFrom("a", "é", "😀", "\n", "\r\n", " "), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(8)), async (parts, lengths) => {
        const bytes = encoder.encode(parts.join(""));
        const chunks: Uint8Array[] = [];
        for (let start = 0, index = 0; start < bytes.length; index++) {
          const end = start + (lengths[index % Math.max(1, lengths.length)] ?? 8) + 1;
          chunks.push(bytes.subarray(start, end));
          start = end;
        }
        const expected = parts
          .join("")
          .split("\n")
          .map((line, index) => ({ number: index + 1, text: line }))
          .filter((line) => line.text.trim() !== "");
        expect(await Array.fromAsync(readLines(arriving(chunks)))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  test("are not read beyond the requested one", async () => {
    let read = 0;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (; read < 1_000; read++) yield encoder.encode("a\nb\n");
    }
    for await (const { number } of readLines(chunks())) if (number === 7) break;
    expect(read).toBe(3);
  });

  test("have at most 32 MiB; longer ones are skipped", async () => {
    expect(MAX_LINE_BYTES).toBe(32 * 1024 * 1024);
    const problem = "is longer than 32 MiB";
    const chunks = ["xxxxx\nxxx", "xxx\nb\nxxxxxx", "xx"].map((text) => encoder.encode(text));
    expect(await Array.fromAsync(readLines(arriving(chunks), 5))).toEqual([
      { number: 1, text: "xxxxx" },
      { number: 2, problem },
      { number: 3, text: "b" },
      { number: 4, problem },
    ]);
  });
});
