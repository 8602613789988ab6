import { nextTurn } from "./client-presence.ts";
import { PlainError } from "./errors.ts";
import { Histogram } from "./histogram.ts";

/** The two kinds of expensive requests, with separate shares. */
export const requestKinds = ["read", "write"] as const;
export type RequestKind = (typeof requestKinds)[number];

/** Concurrent expensive requests per key. */
const AT_ONCE: Record<RequestKind, number> = { read: 4, write: 2 };

/** Waiting requests per key and kind. */
const MAX_WAITING = 64;

/** How many practice files are made or sent at a time: of one organization, and of all. */
const EXPORTS_OF_ORGANIZATION = 2;
const EXPORTS = 4;

/** When an export that found too many others may be asked for again, in seconds. */
const EXPORT_RETRY_AFTER = "10";

/** `Retry-After` when too many requests are waiting, in seconds. */
const RETRY_AFTER = "1";

interface Share {
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
  readonly #shares = new Map<string, Share>();
  /** The organizations whose practice files are made or sent now. */
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
  async slot(keyId: string, sort: RequestKind): Promise<() => void> {
    const name = `${sort} ${keyId}`;
    const share = this.#shares.get(name) ?? { running: 0, waiting: [] };
    this.#shares.set(name, share);
    if (share.waiting.length >= MAX_WAITING)
      throw new PlainError(429, "Too many requests", { "Retry-After": RETRY_AFTER });
    const asked = performance.now();
    if (share.running < AT_ONCE[sort]) share.running += 1;
    else {
      await new Promise<void>((begin) => share.waiting.push(begin));
      // Requests of others that have arrived meanwhile come first.
      await nextTurn();
    }
    this.waits[sort].observe((performance.now() - asked) / 1000);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#release(name, share);
    };
  }

  /**
   * Takes a slot for an export.
   *
   * @returns what gives it back; idempotent.
   * @throws PlainError 429 where too many of the organization, or of all, are under way.
   */
  exportSlot(organizationId: string): () => void {
    const ofOrganization = this.#exports.filter((id) => id === organizationId).length;
    if (ofOrganization >= EXPORTS_OF_ORGANIZATION || this.#exports.length >= EXPORTS)
      throw new PlainError(429, "Too many requests", { "Retry-After": EXPORT_RETRY_AFTER });
    this.#exports.push(organizationId);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#exports.splice(this.#exports.indexOf(organizationId), 1);
    };
  }

  /** The number of waiting requests of a kind, of all keys. */
  waiting(sort: RequestKind): number {
    const ofSort = [...this.#shares].filter(([name]) => name.startsWith(`${sort} `));
    return ofSort.reduce((sum, [, { waiting }]) => sum + waiting.length, 0);
  }

  #release(name: string, share: Share): void {
    const begin = share.waiting.shift();
    // The slot passes to the next request.
    if (begin !== undefined) return begin();
    share.running -= 1;
    if (share.running === 0) this.#shares.delete(name);
  }
}
