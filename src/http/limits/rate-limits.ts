import { isLoopback, networkOf } from "../client-address.ts";
import { PlainError } from "../errors.ts";

/** Maximum number of callers counted in one window. Beyond it, a new window begins. */
const REMEMBERED_CALLERS = 100_000;

/** Failed authentications allowed per address and window. */
const FAILED_AUTHENTICATIONS = 20;

/** Accepted uses of passkeys per person and window. */
const PASSKEY_USES = 30;

/** Length of a window in milliseconds. */
const WINDOW = 60_000;

/** Counts requests of callers in windows of a minute. In memory only. */
export class RateLimit {
  #windowStart = Number.NEGATIVE_INFINITY;
  readonly #counts = new Map<string, number>();

  constructor(private readonly allowed: number) {}

  /**
   * Counts a request of a caller at a time in epoch milliseconds.
   *
   * @throws PlainError 429 over the limit, with the number of seconds to wait.
   */
  count(caller: string, now: number): void {
    const age = now - this.#windowStart;
    // A clock that was set back also begins a new window.
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

export interface RateLimits {
  /** Accepted uses of passkeys by person. Refused ones count for the address alone, so that nobody locks out another. */
  passkeyUses: RateLimit;
  /** Failed authentications by address; of IPv6 by its first 64 bits. Valid keys are accepted even from a limited address. */
  failedAuthentications: RateLimit;
  /** Requests by key; undefined without a limit. */
  requestsOfKey: RateLimit | undefined;
}

/** All clients with an unknown address are counted together, so that the limit cannot be evaded. */
const UNKNOWN = "unknown";

/**
 * Counts a failed authentication at a time in epoch milliseconds. Programs on this machine are not limited.
 *
 * @throws PlainError 429 over the limit of the address.
 */
export function countFailedAuthentication(
  { failedAuthentications }: RateLimits,
  address: string | undefined,
  now: number,
): void {
  if (address !== undefined && isLoopback(address)) return;
  failedAuthentications.count(address === undefined ? UNKNOWN : networkOf(address), now);
}

/** @param requestsOfKey allowed requests per key and minute; undefined for no limit. */
export function newRateLimits(requestsOfKey: number | undefined): RateLimits {
  return {
    passkeyUses: new RateLimit(PASSKEY_USES),
    failedAuthentications: new RateLimit(FAILED_AUTHENTICATIONS),
    requestsOfKey: requestsOfKey === undefined ? undefined : new RateLimit(requestsOfKey),
  };
}
