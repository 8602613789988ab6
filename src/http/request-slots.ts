import { remembered } from "../lib/remembered.ts";
import { nextTurn } from "./client-presence.ts";
import { PlainError } from "./errors.ts";
import { Histogram } from "./histogram.ts";

/** The two kinds of expensive requests, with separate slots. */
export const requestKinds = ["read", "write"] as const;
export type RequestKind = (typeof requestKinds)[number];

/** Concurrent expensive requests per key. */
const MAX_RUNNING: Record<RequestKind, number> = { read: 4, write: 2 };

/** Waiting requests per key and kind. */
const MAX_WAITING = 64;

/** Expensive writes of a key at a time, running or waiting. */
export const MAX_WRITES = MAX_RUNNING.write + MAX_WAITING;

/** Concurrent exports of practice files: per organization, and in total. */
const EXPORTS_OF_ORGANIZATION = 2;
const EXPORTS = 4;

/** `Retry-After` when too many exports are running, in seconds. */
const EXPORT_RETRY_AFTER = "10";

/** `Retry-After` when too many requests are waiting, in seconds. */
const RETRY_AFTER = "1";

interface KeySlots {
  running: number;
  /** Start the waiting requests, in order of arrival. */
  waiting: (() => void)[];
}

/**
 * Fair scheduling by API key: expensive requests of a key run a few at a time, in order, so that requests of other keys
 * run in between.
 */
export class RequestSlots {
  /** Keys with active requests, by key and kind. */
  readonly #keys = new Map<string, KeySlots>();
  /** The organization of each running export. */
  readonly #exports: string[] = [];
  /** Waiting times, including those of requests that did not have to wait. */
  readonly waits: Record<RequestKind, Histogram> = {
    read: new Histogram(),
    write: new Histogram(),
  };

  /**
   * Resolves when a request of a key may run.
   *
   * @returns the function that releases the slot. It must always be called. Idempotent.
   * @throws PlainError 429 if too many requests of the key are waiting.
   */
  async acquire(keyId: string, kind: RequestKind): Promise<() => void> {
    const name = `${kind} ${keyId}`;
    const slots = remembered(this.#keys, name, () => ({ running: 0, waiting: [] }));
    if (slots.waiting.length >= MAX_WAITING)
      throw new PlainError(429, "Too many requests", { "Retry-After": RETRY_AFTER });
    const started = performance.now();
    if (slots.running < MAX_RUNNING[kind]) slots.running += 1;
    else {
      await new Promise<void>((begin) => slots.waiting.push(begin));
      // Requests of others that have arrived meanwhile come first.
      await nextTurn();
    }
    this.waits[kind].observe((performance.now() - started) / 1000);
    return once(() => this.#release(name, slots));
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

  /** The number of waiting requests of a kind, of all keys. */
  waiting(kind: RequestKind): number {
    const ofKind = [...this.#keys].filter(([name]) => name.startsWith(`${kind} `));
    return ofKind.reduce((sum, [, { waiting }]) => sum + waiting.length, 0);
  }

  #release(name: string, slots: KeySlots): void {
    const begin = slots.waiting.shift();
    // The slot passes to the next request.
    if (begin !== undefined) return begin();
    slots.running -= 1;
    if (slots.running === 0) this.#keys.delete(name);
  }
}

/** Does the work at the first call only. */
function once(work: () => unknown): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
