import { remembered } from "../../lib/remembered.ts";
import { clientGone, requireClient } from "../client-presence.ts";
import { PlainError, unavailable } from "../errors.ts";
import { Histogram } from "../histogram.ts";

/** The two kinds of expensive requests, with a worker each: reads; and writes and exports. */
export const requestKinds = ["read", "write"] as const;
export type RequestKind = (typeof requestKinds)[number];

/** Waiting requests per key and kind. */
const MAX_WAITING = 64;

/** Expensive writes of a key at a time, running or waiting. */
export const MAX_WRITES = 1 + MAX_WAITING;

/** How long a request waits, in milliseconds. */
const MAX_WAIT = 120_000;

/** Concurrent exports of practice files: per organization, and in total. */
const EXPORTS_OF_ORGANIZATION = 2;
const EXPORTS = 4;

/** Responses in files that wait to be read by their clients: of a key, in total, and their bytes. */
const ANSWERS_OF_KEY = 4;
const ANSWERS = 16;
const ANSWERED_BYTES = 512 * 1024 * 1024;

/** `Retry-After` when too many exports are running, in seconds. */
const EXPORT_RETRY_AFTER = "10";

/** `Retry-After` when too many requests are waiting, in seconds. */
const RETRY_AFTER = "1";

/** The requests of a kind. One at a time has the slot. */
class Queue {
  isTaken = false;
  /** Start the waiting requests of each key, in order of arrival. The first key is next. */
  readonly waiting = new Map<string, (() => void)[]>();
  /** Waiting times, including those of requests that did not have to wait. */
  readonly waits = new Histogram();

  get length(): number {
    return this.waiting.values().reduce((sum, ofKey) => sum + ofKey.length, 0);
  }

  add(keyId: string, begin: () => void): void {
    remembered(this.waiting, keyId, () => []).push(begin);
  }

  remove(keyId: string, begin: () => void): void {
    const others = this.waiting.get(keyId)?.filter((other) => other !== begin) ?? [];
    if (others.length > 0) this.waiting.set(keyId, others);
    else this.waiting.delete(keyId);
  }

  /** Passes the slot to the first request of the next key, which then waits behind the other keys. */
  release(): void {
    const [next] = this.waiting;
    this.isTaken = next !== undefined;
    if (next === undefined) return;
    const [keyId, [begin, ...others]] = next;
    this.waiting.delete(keyId);
    if (others.length > 0) this.waiting.set(keyId, others);
    begin?.();
  }
}

/**
 * Fair scheduling: of each kind, one expensive request runs at a time. Keys have turns, and the requests of a key run in
 * the order of their arrival.
 */
export class RequestSlots {
  readonly #queues: Record<RequestKind, Queue> = { read: new Queue(), write: new Queue() };
  /** The organization of each running export. */
  readonly #exports: string[] = [];
  /** The responses in files, apart from exports. */
  readonly #answers: { keyId: string; bytes: number }[] = [];

  /**
   * Resolves when a request of a key may run.
   *
   * @returns the function that releases the slot. It must always be called. Idempotent.
   * @throws PlainError 429 if too many requests of the key are waiting, 503 if it has waited too long, 499 if its client
   * has disconnected.
   */
  async acquire(
    keyId: string,
    kind: RequestKind,
    request: Request,
    maxWait = MAX_WAIT,
  ): Promise<() => void> {
    const queue = this.#queues[kind];
    if ((queue.waiting.get(keyId)?.length ?? 0) >= MAX_WAITING)
      throw new PlainError(429, "Too many requests", { "Retry-After": RETRY_AFTER });
    requireClient(request);
    const started = performance.now();
    if (queue.isTaken) await waitIn(queue, keyId, request, maxWait);
    queue.isTaken = true;
    queue.waits.observe((performance.now() - started) / 1000);
    return once(() => queue.release());
  }

  /**
   * Takes a slot for an export.
   *
   * @returns the function that releases the slot. Idempotent.
   * @throws PlainError 429 if too many exports of the organization, or in total, are running.
   */
  acquireExport(organizationId: string): () => void {
    const ofOrganization = this.#exports.filter((id) => id === organizationId).length;
    if (ofOrganization >= EXPORTS_OF_ORGANIZATION || this.#exports.length >= EXPORTS)
      throw new PlainError(429, "Too many requests", { "Retry-After": EXPORT_RETRY_AFTER });
    this.#exports.push(organizationId);
    return once(() => this.#exports.splice(this.#exports.indexOf(organizationId), 1));
  }

  /** The bytes that another response in a file may have. */
  get answerBytes(): number {
    return this.#answers.reduce((left, { bytes }) => left - bytes, ANSWERED_BYTES);
  }

  /**
   * Takes a slot for a response in a file, until its client has read it.
   *
   * @returns the function that releases the slot. Idempotent.
   * @throws PlainError 429 if too many responses of the key, or in total, wait to be read.
   */
  acquireAnswer(keyId: string, bytes: number): () => void {
    const ofKey = this.#answers.filter((answer) => answer.keyId === keyId).length;
    if (ofKey >= ANSWERS_OF_KEY || this.#answers.length >= ANSWERS)
      throw new PlainError(429, "Too many requests", { "Retry-After": RETRY_AFTER });
    const answer = { keyId, bytes };
    this.#answers.push(answer);
    return once(() => this.#answers.splice(this.#answers.indexOf(answer), 1));
  }

  /** The number of waiting requests of a kind, of all keys. */
  waiting(kind: RequestKind): number {
    return this.#queues[kind].length;
  }

  /** The waiting times of a kind. */
  waits(kind: RequestKind): Histogram {
    return this.#queues[kind].waits;
  }
}

/** Resolves when the request has the slot of its queue. */
function waitIn(queue: Queue, keyId: string, request: Request, maxWait: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (error: PlainError) => {
      ended();
      queue.remove(keyId, begin);
      reject(error);
    };
    const gone = () => giveUp(clientGone());
    const timer = setTimeout(() => giveUp(unavailable()), maxWait);
    const ended = () => {
      clearTimeout(timer);
      request.signal.removeEventListener("abort", gone);
    };
    const begin = () => {
      ended();
      resolve();
    };
    request.signal.addEventListener("abort", gone);
    queue.add(keyId, begin);
  });
}

/** Does the work at the first call only. */
function once(work: () => unknown): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
