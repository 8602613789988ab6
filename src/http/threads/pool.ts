import { closeSync } from "node:fs";
import type { OpenDatabase } from "../../../db/database.ts";
import { unnamedFileIfAny } from "../../buffered-body.ts";
import { clientGone } from "../client-presence.ts";
import { PlainError, unavailable } from "../errors.ts";
import {
  type FromWorker,
  type Outcome,
  phases,
  type Task,
  type TaskKind,
  type ToWorker,
  wholeBuffers,
} from "./messages.ts";

/** How long work, a write's lock, and a worker without work may last, in milliseconds. */
export type TaskLimits = Record<TaskKind | "lock" | "idle", number>;

const LIMITS: TaskLimits = {
  read: 30_000,
  write: 2 * 60_000,
  export: 5 * 60_000,
  // Less than others wait for it, or a writer that came at once would get a 503 instead of its turn.
  lock: 7_000,
  idle: 60_000,
};

/** The worker has ended by itself: it has thrown where nobody catches, or has no memory left. */
class WorkerFailed extends Error {
  override name = "WorkerFailed";
}

interface Thread {
  worker: Worker;
  phase: Int32Array;
  closed: Promise<void>;
  /** Fails its task. */
  failed(): void;
}

/**
 * Long work runs in threads of its own, so that the thread that answers everybody does nothing long. One worker serves
 * reads, one writes and exports. Each does one thing at a time, is started by the first request that needs it, and ends
 * after a minute without work.
 */
export class ThreadPool {
  readonly #reads: Seat;
  readonly #files: Seat;

  /** @param start starts a worker, which is then sent its setup. */
  constructor(
    start: () => Worker,
    setup: { database: OpenDatabase; clock: SharedArrayBuffer | undefined },
    readonly limits = LIMITS,
  ) {
    this.#reads = new Seat(start, setup, limits);
    this.#files = new Seat(start, setup, limits);
  }

  /**
   * @param mostBytes of a response in a file.
   * @throws PlainError 503 over the time limit, 413 for a write over that of the lock, 499 if the client has gone.
   */
  async run(
    task: Omit<Task, "file">,
    kind: TaskKind,
    { signal, mostBytes }: { signal: AbortSignal; mostBytes: number },
  ): Promise<Outcome> {
    const seat = kind === "read" ? this.#reads : this.#files;
    const file = unnamedFileIfAny();
    const close = () => file !== undefined && closeSync(file);
    try {
      const whole = { ...task, file: { file, mostBytes } };
      const outcome = await seat.run(whole, this.limits[kind], signal);
      const isUsed = "content" in outcome.answer && outcome.answer.content.file !== undefined;
      if (!isUsed) close();
      return outcome;
    } catch (error) {
      // Until then, a worker that was ended may write to it.
      void seat.closed.then(close);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads.close(), this.#files.close()]);
  }
}

/** The place of a worker, which is replaced when it has ended. */
class Seat {
  #thread: Thread | undefined;
  /** Ends the running task. */
  #stop: ((error: PlainError) => void) | undefined;
  #running: Promise<unknown> | undefined;
  #idle: Timer | undefined;
  /** Resolves when the previous worker has closed. There are never two, for the sake of memory. */
  closed: Promise<void> = Promise.resolve();

  constructor(
    private readonly start: () => Worker,
    private readonly setup: { database: OpenDatabase; clock: SharedArrayBuffer | undefined },
    private readonly limits: TaskLimits,
  ) {}

  async run(task: Task, limit: number, signal: AbortSignal): Promise<Outcome> {
    clearTimeout(this.#idle);
    const result = Promise.withResolvers<Outcome>();
    let thread: Thread | undefined;
    const stop = (error: Error) => {
      if (thread !== undefined && !mayEnd(thread)) return;
      result.reject(error);
      this.#end(thread);
    };
    const gone = () => stop(clientGone());
    const timer = setTimeout(() => stop(tooLong()), limit);
    signal.addEventListener("abort", gone);
    if (signal.aborted) gone();
    this.#stop = stop;
    this.#running = result.promise;
    void this.closed
      .then(() => {
        if (Bun.peek.status(result.promise) === "rejected") return;
        thread = this.#thread ??= this.#begin();
        this.#hand(thread, task, { ...result, stop });
      })
      .catch(result.reject);
    try {
      return await result.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", gone);
      this.#idle = setTimeout(() => this.#end(this.#thread), this.limits.idle).unref();
    }
  }

  /** Ends the worker, after a commit that has begun. */
  async close(): Promise<void> {
    this.#stop?.(clientGone());
    await this.#running?.catch(() => {});
    clearTimeout(this.#idle);
    this.#end(this.#thread);
    await this.closed;
  }

  #begin(): Thread {
    const worker = this.start();
    const phase = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const closed = new Promise<void>((resolve) =>
      worker.addEventListener("close", () => resolve(), { once: true }),
    );
    const thread: Thread = { worker, closed, phase: new Int32Array(phase), failed: () => {} };
    worker.onerror = (event) => {
      // Its message, which may contain data, would be printed.
      event.preventDefault();
      thread.failed();
      this.#end(thread);
    };
    void closed.then(() => {
      thread.failed();
      this.#end(thread);
    });
    const { database, clock } = this.setup;
    send(worker, { setup: { source: database.source, clock, phase } });
    return thread;
  }

  #end(thread: Thread | undefined): void {
    if (thread === undefined || thread !== this.#thread) return;
    this.#thread = undefined;
    this.closed = thread.closed;
    thread.worker.terminate();
  }

  #hand(
    thread: Thread,
    task: Task,
    result: { resolve(outcome: Outcome): void; reject(e: Error): void; stop(e: Error): void },
  ): void {
    const { worker, phase } = thread;
    let timer: Timer | undefined;
    thread.failed = () => result.reject(new WorkerFailed("A worker has ended"));
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      clearTimeout(timer);
      if ("outcome" in data) result.resolve(data.outcome);
      else timer = setTimeout(() => result.stop(tooLarge()), this.limits.lock);
    };
    Atomics.store(phase, 0, phases.running);
    const { bytes } = task.operation;
    send(worker, { task }, wholeBuffers(bytes === undefined ? [] : [bytes]));
  }
}

function send(worker: Worker, message: ToWorker, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(message, transfer);
}

/** Sets the phase, unless a commit has begun, whose end is then waited for. */
function mayEnd({ phase }: Thread): boolean {
  const { running, ended } = phases;
  return Atomics.compareExchange(phase, 0, running, ended) !== phases.committing;
}

function tooLong(): PlainError {
  return unavailable("Takes too long; ask for less");
}

/** Others wait for the lock that a write holds. */
function tooLarge(): PlainError {
  return new PlainError(413, "Send it in parts");
}
