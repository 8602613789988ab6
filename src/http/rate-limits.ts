import { isLoopback } from "./client-address.ts";
import { PlainError } from "./errors.ts";

/** How many callers are remembered in one window; beyond it the window begins anew. */
const REMEMBERED_CALLERS = 100_000;

/** Failures to authenticate that an address may have in a window. */
const FAILED_AUTHENTICATIONS = 20;

/** Milliseconds of a window. */
const WINDOW = 60_000;

/** Counts what callers do in windows of a minute, in memory: a restart forgets. */
export class RateLimit {
  #windowStart = Number.NEGATIVE_INFINITY;
  readonly #counts = new Map<string, number>();

  constructor(private readonly allowed: number) {}

  /**
   * Counts one act of a caller at a time in epoch milliseconds.
   *
   * @throws PlainError 429, with how many seconds to wait, beyond what is allowed in a window.
   */
  count(caller: string, now: number): void {
    const age = now - this.#windowStart;
    // A clock that was set back begins a window, too.
    if (age >= WINDOW || age < 0 || this.#counts.size >= REMEMBERED_CALLERS) {
      this.#windowStart = now;
      this.#counts.clear();
    }
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    if (count <= this.allowed) return;
    const wait = Math.max(1, Math.ceil((this.#windowStart + WINDOW - now) / 1000));
    throw new PlainError(429, "Too many requests", { "Retry-After": String(wait) });
  }
}

/** The limits of one server. */
export interface RateLimits {
  /** Failures to authenticate, by address. A good key works from a limited address all the same. */
  failedAuthentications: RateLimit;
  /** Requests by key; undefined where they are not limited. */
  requestsOfKey: RateLimit | undefined;
}

/** As whom those are counted whose address nobody knows: as one, so that being unknown is no way around a limit. */
const UNKNOWN = "unknown";

/**
 * Counts a failure to authenticate, at a time in epoch milliseconds. This machine's own programs are not limited.
 *
 * @throws PlainError 429 beyond what an address may have.
 */
export function countFailedAuthentication(
  { failedAuthentications }: RateLimits,
  address: string | undefined,
  now: number,
): void {
  if (address !== undefined && isLoopback(address)) return;
  failedAuthentications.count(address ?? UNKNOWN, now);
}

/** @param requestsOfKey requests that a key may make in a minute; undefined for no limit. */
export function newRateLimits(requestsOfKey: number | undefined): RateLimits {
  return {
    failedAuthentications: new RateLimit(FAILED_AUTHENTICATIONS),
    requestsOfKey: requestsOfKey === undefined ? undefined : new RateLimit(requestsOfKey),
  };
}
