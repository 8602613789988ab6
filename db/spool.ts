import { rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { bytesOf, createPrivateFile, giveToFolderOwner, syncFolderOf } from "./sqlite/files.ts";
import { type DatabaseLock, tryToLock } from "./sqlite/lock.ts";

/** Bytes read at once; longer than any line. */
const CHUNK = 2 ** 20;

/** How long to wait while another program uses the spool, in milliseconds. */
const LOCK_TIMEOUT = 5_000;
const LOCK_RETRY_INTERVAL = 2;

/** In bytes, including the line break. */
const MAX_ID_LENGTH = 37;

const NEWLINE = 0x0a;

/** The contents of the spool, while it is locked against appends. */
export interface SpooledFile {
  /** A new one each time the spool has been emptied. */
  id: string;
  size: number;
  /**
   * The first lines from a position, which is 0 or the `end` of the previous call. An incomplete line at the end (left
   * by a power failure, and never acknowledged) is ignored.
   */
  linesFrom(place: number): { lines: string[]; end: number };
  remove(): void;
}

/**
 * A private, append-only file for lines that the database cannot store at once. Appends are durable. Several processes
 * can use it.
 */
export class Spool {
  #next: { lines: string[]; written: Promise<void> } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param path of the file, which exists only while the spool is not empty. */
  constructor(readonly path: string) {}

  /** Resolves when the line is durable. Lines of the same turn of the event loop share a disk sync. */
  append(line: string): Promise<void> {
    if (this.#next === undefined) {
      const lines: string[] = [];
      const written = this.#exclusively(async () => {
        this.#next = undefined;
        await this.#write(lines);
      });
      this.#next = { lines, written };
    }
    this.#next.lines.push(line);
    return this.#next.written;
  }

  isEmpty(): boolean {
    return statSync(this.path, { throwIfNoEntry: false }) === undefined;
  }

  /** Calls `work` with the contents, if any, while appends are locked out. */
  async use(work: (file: SpooledFile) => Promise<void>): Promise<void> {
    if (this.isEmpty()) return;
    await this.#exclusively(async () => {
      if (!this.isEmpty()) await work(this.#open());
    });
  }

  #open(): SpooledFile {
    const { path } = this;
    const { size } = statSync(path);
    const [id = ""] = bytesOf(path, 0, MAX_ID_LENGTH).toString("utf8").split("\n");
    const start = Buffer.byteLength(id) + 1;
    return {
      id,
      size,
      linesFrom: (place) => linesIn(path, Math.max(place, start), size),
      remove: () => rmSync(path),
    };
  }

  /** Runs `work` under a lock against other uses in this process and in others. */
  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(async () => {
      await endOfTurn();
      const lock = await this.#lock();
      try {
        return await work();
      } finally {
        lock.release();
      }
    });
    this.#last = done.catch(() => {});
    return done;
  }

  async #lock(): Promise<DatabaseLock> {
    for (const start = performance.now(); ; await Bun.sleep(LOCK_RETRY_INTERVAL)) {
      const lock = tryToLock(this.path);
      if (lock !== undefined) return lock;
      if (performance.now() - start > LOCK_TIMEOUT)
        throw new Error("Another program does not let go of the spool");
    }
  }

  async #write(lines: readonly string[]): Promise<void> {
    const isNew = this.isEmpty();
    if (isNew) {
      createPrivateFile(this.path);
      giveToFolderOwner(this.path);
    }
    const file = await open(this.path, "a");
    const { size } = await file.stat();
    const begin = size === 0 ? `${crypto.randomUUID()}\n` : endsInLine(this.path, size) ? "" : "\n";
    try {
      await file.writeFile(`${begin}${lines.join("\n")}\n`);
      await file.datasync();
      if (isNew) syncFolderOf(this.path);
    } catch (error) {
      // The refused lines must not be read as written.
      await file.truncate(size);
      throw error;
    } finally {
      await file.close();
    }
  }
}

function endsInLine(path: string, size: number): boolean {
  return bytesOf(path, size - 1, 1)[0] === NEWLINE;
}

/** The complete lines in a chunk of a file, and their end; an incomplete line at the end of the file is skipped. */
function linesIn(path: string, start: number, size: number): { lines: string[]; end: number } {
  const bytes = bytesOf(path, start, Math.max(0, Math.min(CHUNK, size - start)));
  const length = bytes.lastIndexOf(NEWLINE) + 1;
  if (length === 0) return { lines: [], end: size };
  const lines = bytes.toString("utf8", 0, length).split("\n").slice(0, -1);
  return { lines, end: start + length };
}
