import { closeSync, openSync, rmSync } from "node:fs";
import { read, write } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Bodies that are whole before they are sent. What they are made of, such as a snapshot of the database, is released
 * then, however slowly the client reads.
 */

/** Bytes that are kept in memory; a longer body goes to a file. */
const MEMORY_BYTES = 1024 * 1024;

/** Bytes that are read from the file at once. */
const CHUNK_BYTES = 256 * 1024;

/** How long a client may take for everything, and how long it may take nothing, in milliseconds. */
const SENDING_PATIENCE = 15 * 60_000;
const READER_PATIENCE = 60_000;

const writeFile = promisify(write);
const readFile = promisify(read);

/** A body that is whole. Call `discard` unless it is sent. */
export interface BufferedBody {
  /** Its bytes, once. The stream fails where the client takes too long, and releases the body when it ends. */
  stream(patience?: { sending: number; reader: number }): ReadableStream<Uint8Array>;
  /** Idempotent. */
  discard(): void;
}

/**
 * Takes all pieces: into memory, and from the first mebibyte on into a private file of the temporary folder. The file has
 * no name, so that nothing is left of it when the process is killed.
 */
export async function bufferBody(pieces: AsyncIterable<Uint8Array>): Promise<BufferedBody> {
  let memory: Uint8Array[] = [];
  let size = 0;
  let file: number | undefined;
  const discard = () => {
    memory = [];
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  try {
    for await (const piece of pieces) {
      memory.push(piece);
      size += piece.length;
      if (file === undefined && size <= MEMORY_BYTES) continue;
      file ??= openUnnamedFile();
      for (const bytes of memory.splice(0)) await writeWhole(file, bytes);
    }
  } catch (error) {
    discard();
    throw error;
  }

  /** The next bytes from a position on; none at the end. */
  async function readFrom(position: number): Promise<Uint8Array> {
    if (file === undefined) return memory.shift() ?? new Uint8Array();
    const bytes = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
    const { bytesRead } = await readFile(file, bytes, 0, bytes.length, position);
    return bytes.subarray(0, bytesRead);
  }

  return { discard, stream: (patience) => streamOf(readFrom, discard, patience) };
}

function streamOf(
  readFrom: (position: number) => Promise<Uint8Array>,
  discard: () => void,
  patience = { sending: SENDING_PATIENCE, reader: READER_PATIENCE },
): ReadableStream<Uint8Array> {
  let position = 0;
  let waiting: Timer | undefined;
  let sending: Timer | undefined;
  const end = () => {
    clearTimeout(waiting);
    clearTimeout(sending);
    discard();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const cutOff = () => {
          end();
          controller.error(new Error("The body was not taken in time"));
        };
        waiting = setTimeout(cutOff, patience.reader);
        sending = setTimeout(cutOff, patience.sending);
      },
      async pull(controller) {
        waiting?.refresh();
        try {
          const bytes = await readFrom(position);
          position += bytes.length;
          if (bytes.length > 0) return controller.enqueue(bytes);
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

/** A file that nobody else can open: its name is gone before anything is written. */
function openUnnamedFile(): number {
  const path = join(tmpdir(), `caseload-${crypto.randomUUID()}`);
  const file = openSync(path, "wx+", 0o600);
  rmSync(path);
  return file;
}

async function writeWhole(file: number, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await writeFile(file, bytes, written, bytes.length - written);
    written += bytesWritten;
  }
}
