/** Log entries per minute for requests without a key. Further requests are summarized. */
const MAX_ENTRIES = 200;

/** Interval of summaries, in milliseconds. */
const SUMMARY_INTERVAL = 60_000;

/**
 * Summarizes log entries of requests outside `/api/v1`. These need no key and have no audit rows, so that anyone could
 * otherwise fill the disk with log entries.
 */
export class RequestLogLimit {
  #requests = 0;
  #timer: Timer | undefined;

  /** @param log is called after each minute with the number of requests without their own entry. */
  constructor(private readonly log: (requests: number) => void) {}

  /** Counts a request. Returns whether it exceeds the number of individual entries. */
  count(): boolean {
    this.#timer ??= setTimeout(() => this.finish(), SUMMARY_INTERVAL).unref();
    this.#requests += 1;
    return this.#requests > MAX_ENTRIES;
  }

  /** Takes back the last `count`, of a request that has turned out to have a key. */
  uncount(): void {
    this.#requests -= 1;
  }

  /** Reports the count, and resets it. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const excess = this.#requests - MAX_ENTRIES;
    this.#requests = 0;
    if (excess > 0) this.log(excess);
  }
}
