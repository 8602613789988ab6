import { closeSync, openSync, read, rmSync, write, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Bodies that are complete before they are used. Responses are generated completely before they are sent, so that their
 * source, such as a snapshot of the database, can be released however slowly the client reads. Requests with large
 * bodies may have to wait, many at a time, and do not wait in memory.
 */

/** Default maximum size in memory; longer bodies go to a file. */
const MEMORY_BYTES = 1024 * 1024;

/** Bytes read from the file at once. Of this much every 30 seconds, 1 KiB a second is the least that a client may take. */
const CHUNK_BYTES = 30 * 1024;

const writeFile = promisify(write);
const readFile = promisify(read);

/** How long a client may take in total, and how long it may pause, in milliseconds. */
export interface Timeouts {
  sending: number;
  reader: number;
}

/** Of the response of a request, and of an export, which may be larger. */
export const TIMEOUTS: Record<"request" | "export", Timeouts> = {
  request: { sending: 15 * 60_000, reader: 30_000 },
  export: { sending: 15 * 60_000, reader: 60_000 },
};

/** There is no temporary folder, its disk is full, or the process has no file descriptor left. */
export class NoTemporaryFile extends Error {
  /** @param code of the error, for the log. */
  constructor(readonly code: string) {
    super("A temporary file cannot be written");
  }
}

const NO_ROOM = ["ENOSPC", "EDQUOT", "EMFILE", "ENFILE"];

/** The content of a body, which one thread can hand over to another: in memory, or in a file by its descriptor. */
export interface Content {
  /** The number of bytes. */
  size: number;
  memory: Uint8Array[];
  file: number | undefined;
}

/** A complete body. It must be used once, or discarded. */
export class BufferedBody {
  constructor(readonly content: Content) {}

  get size(): number {
    return this.content.size;
  }

  async bytes(): Promise<Uint8Array> {
    const all = Buffer.allocUnsafe(this.size);
    let position = 0;
    for await (const bytes of this.pieces()) {
      all.set(bytes, position);
      position += bytes.length;
    }
    return all;
  }

  /** The bytes in pieces, for a reader that may take its time. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (let position = 0; position < this.size;) {
        const bytes = await this.#readFrom(position);
        position += bytes.length;
        yield bytes;
      }
    } finally {
      this.discard();
    }
  }

  /** Idempotent. */
  discard(): void {
    const { file } = this.content;
    this.content.memory = [];
    this.content.file = undefined;
    if (file !== undefined) closeSync(file);
  }

  /**
   * Streams the bytes. The stream fails if the client takes too long.
   *
   * @param ended is called when the stream ends, successfully or not.
   */
  stream(ended: () => void, timeouts: Timeouts): ReadableStream<Uint8Array> {
    return streamOf(
      (position) => this.#readFrom(position),
      () => {
        this.discard();
        ended();
      },
      timeouts,
    );
  }

  /** The bytes after a position; none at the end. */
  async #readFrom(position: number): Promise<Uint8Array> {
    const { size, memory, file } = this.content;
    if (file === undefined) return memory.shift() ?? new Uint8Array();
    const bytes = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
    const { bytesRead } = await readFile(file, bytes, 0, bytes.length, position);
    return bytes.subarray(0, bytesRead);
  }
}

/**
 * Collects a body: in memory while it is small, else in a private file in the temporary folder. The file has no name, so
 * that nothing remains if the process is killed. Without a folder, up to 1 MiB is in memory.
 *
 * @throws NoTemporaryFile if a file is needed, and there is none, or no room.
 */
export async function bufferBody(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  memoryBytes = MEMORY_BYTES,
): Promise<BufferedBody> {
  const content: Content = { size: 0, memory: [], file: undefined };
  const body = new BufferedBody(content);
  try {
    for await (const piece of pieces) {
      content.memory.push(piece);
      content.size += piece.length;
      if (content.file === undefined) {
        if (content.size <= memoryBytes) continue;
        content.file = unnamedFileIfAny();
        if (content.file === undefined && content.size <= MEMORY_BYTES) continue;
      }
      content.file ??= openUnnamedFile();
      for (const bytes of content.memory.splice(0)) await writeWhole(content.file, bytes);
    }
    return body;
  } catch (error) {
    body.discard();
    throw withoutRoom(error);
  }
}

/** A file for `writeBody`, and how much it may hold. */
export interface FileForBody {
  /** Undefined if none could be opened. */
  file: number | undefined;
  mostBytes: number;
}

/**
 * Collects a body for another thread, in memory while it is small. The file is opened beforehand by that thread, and is
 * its own however this one ends.
 *
 * @throws NoTemporaryFile if a file is needed, and there is none, or no room.
 */
export async function writeBody(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { file, mostBytes }: FileForBody,
): Promise<BufferedBody> {
  const content: Content = { size: 0, memory: [], file: undefined };
  try {
    for await (const piece of pieces) {
      content.memory.push(piece);
      content.size += piece.length;
      if (content.size <= MEMORY_BYTES) continue;
      if (file === undefined) throw new NoTemporaryFile("none");
      if (content.size > mostBytes) throw new NoTemporaryFile("too much waits to be read");
      content.file = file;
      for (const bytes of content.memory.splice(0))
        for (let written = 0; written < bytes.length;)
          written += writeSync(file, bytes, written, bytes.length - written);
    }
    return new BufferedBody(content);
  } catch (error) {
    throw withoutRoom(error);
  }
}

function streamOf(
  readFrom: (position: number) => Promise<Uint8Array>,
  ended: () => void,
  timeouts: Timeouts,
): ReadableStream<Uint8Array> {
  let position = 0;
  let waiting: Timer | undefined;
  let sending: Timer | undefined;
  const end = () => {
    clearTimeout(waiting);
    clearTimeout(sending);
    ended();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const cutOff = () => {
          end();
          controller.error(new Error("The body was not taken in time"));
        };
        waiting = setTimeout(cutOff, timeouts.reader);
        sending = setTimeout(cutOff, timeouts.sending);
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

function withoutRoom(error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  return NO_ROOM.includes(code) ? new NoTemporaryFile(code) : error;
}

/**
 * A file that nobody else can open: its name is removed before anything is written.
 *
 * @throws NoTemporaryFile
 */
export function openUnnamedFile(): number {
  const path = join(tmpdir(), `caseload-${crypto.randomUUID()}`);
  try {
    const file = openSync(path, "wx+", 0o600);
    rmSync(path);
    return file;
  } catch (error) {
    throw new NoTemporaryFile((error as NodeJS.ErrnoException).code ?? "");
  }
}

/** A process without descriptors can do nothing long: it could not start a thread for it either. */
const NO_DESCRIPTORS = ["EMFILE", "ENFILE"];

/**
 * `openUnnamedFile`, or undefined where there is no folder for it.
 *
 * @throws NoTemporaryFile if the process has no file descriptor left.
 */
export function unnamedFileIfAny(): number | undefined {
  try {
    return openUnnamedFile();
  } catch (error) {
    if (error instanceof NoTemporaryFile && NO_DESCRIPTORS.includes(error.code)) throw error;
    return undefined;
  }
}

/** Whether the temporary folder takes files that are not empty. */
export function hasTemporaryFolder(): boolean {
  let file: number | undefined;
  try {
    file = openUnnamedFile();
    writeSync(file, Buffer.alloc(CHUNK_BYTES));
    return true;
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

async function writeWhole(file: number, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await writeFile(file, bytes, written, bytes.length - written);
    written += bytesWritten;
  }
}
