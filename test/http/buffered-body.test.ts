import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { closeSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  bufferBody,
  hasTemporaryFolder,
  NoTemporaryFile,
  openUnnamedFile,
  TIMEOUTS,
  writeBody,
} from "../../src/buffered-body.ts";
import { temporaryFolder } from "../support/harness.ts";

/** Bodies that are complete before they are used, in memory or in an unnamed file. */

const MEBIBYTE = 1024 * 1024;

async function* pieces(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield new Uint8Array(size).fill(index);
}

/** A temporary folder of this file alone: other processes have bodies, too, whose files have names for a moment. */
const folder = temporaryFolder();
const usual = process.env.TMPDIR;
beforeAll(() => {
  process.env.TMPDIR = folder;
});
afterAll(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
});

async function sha256(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const piece of bytes) hash.update(piece);
  return hash.digest("hex");
}

describe.each([
  ["an empty body", 0, 0],
  ["a body of one line", 1, 20],
  ["the largest body that is kept in memory", 4, MEBIBYTE / 4],
  ["one byte more", 1, MEBIBYTE + 1],
  ["a large body", 97, 300_007],
])("%s", (_, count, size) => {
  test("is sent unchanged, and leaves no file", async () => {
    let ended = 0;
    const body = await bufferBody(pieces(count, size));
    expect(readdirSync(folder)).toEqual([]);
    const stream = body.stream(() => (ended += 1), TIMEOUTS.request);
    expect(await sha256(stream)).toBe(await sha256(pieces(count, size)));
    expect(ended).toBe(1);
  });
});

test.each([
  ["in memory", 10],
  ["in a file", 97],
])("a body %s is returned as bytes", async (_, count) => {
  const body = await bufferBody(pieces(count, 1_000), 64 * 1024);
  const whole = Buffer.concat(await Array.fromAsync(pieces(count, 1_000)));
  expect([body.size, (await body.bytes()).length]).toEqual([whole.length, whole.length]);
  body.discard();
  const again = await bufferBody(pieces(count, 1_000), 64 * 1024);
  expect(Buffer.compare(await again.bytes(), whole)).toBe(0);
});

test("an error of the source is thrown", async () => {
  async function* failing() {
    yield* pieces(3, MEBIBYTE);
    throw new Error("The snapshot is gone");
  }
  await expect(bufferBody(failing())).rejects.toThrow("The snapshot is gone");
});

describe("without a folder for files", () => {
  beforeAll(() => {
    process.env.TMPDIR = join(folder, "none");
  });
  afterAll(() => {
    process.env.TMPDIR = folder;
  });

  test("a body of up to 1 MiB is collected in memory, whatever the limit for files", async () => {
    expect(hasTemporaryFolder()).toBe(false);
    const body = await bufferBody(pieces(1, MEBIBYTE), 64 * 1024);
    expect((await body.bytes()).length).toBe(MEBIBYTE);
    const other = await writeBody(pieces(1, MEBIBYTE), { file: undefined, mostBytes: 0 });
    expect((await other.bytes()).length).toBe(MEBIBYTE);
  });

  test("a longer one is refused", async () => {
    await expect(bufferBody(pieces(2, MEBIBYTE), 64 * 1024)).rejects.toThrow(NoTemporaryFile);
    const none = { file: undefined, mostBytes: Infinity };
    await expect(writeBody(pieces(2, MEBIBYTE), none)).rejects.toThrow(NoTemporaryFile);
  });
});

test("a body for another thread has at most as many bytes as there is room for", async () => {
  const file = openUnnamedFile();
  const body = await writeBody(pieces(2, MEBIBYTE), { file, mostBytes: 2 * MEBIBYTE });
  expect(body.size).toBe(2 * MEBIBYTE);
  body.discard();
  const other = openUnnamedFile();
  const beyond = writeBody(pieces(2, MEBIBYTE), { file: other, mostBytes: 2 * MEBIBYTE - 1 });
  await expect(beyond).rejects.toThrow(NoTemporaryFile);
  closeSync(other);
});

describe("a client", () => {
  const timeouts = { sending: 400, reader: 100 };

  test("that stops reading is disconnected after a timeout", async () => {
    let ended = 0;
    const body = await bufferBody(pieces(10, MEBIBYTE));
    const reader = body.stream(() => (ended += 1), timeouts).getReader();
    await reader.read();
    await Bun.sleep(250);
    await expect(reader.read()).rejects.toThrow("was not taken in time");
    expect(ended).toBe(1);
  });

  test("that reads too slowly is disconnected", async () => {
    const body = await bufferBody(pieces(10, MEBIBYTE));
    const reader = body.stream(() => {}, timeouts).getReader();
    const reading = (async () => {
      for (;;) {
        await reader.read();
        await Bun.sleep(50);
      }
    })();
    await expect(reading).rejects.toThrow("was not taken in time");
  });

  test("that disconnects ends the stream", async () => {
    let ended = 0;
    const body = await bufferBody(pieces(10, MEBIBYTE));
    const reader = body.stream(() => (ended += 1), timeouts).getReader();
    await reader.read();
    await reader.cancel();
    expect(ended).toBe(1);
  });
});
