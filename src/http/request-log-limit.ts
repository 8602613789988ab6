/** Log entries per minute for requests without a key. Further requests are summarized. */
const LINES = 200;

/** Interval of summaries, in milliseconds. */
const SUMMING_TIME = 60_000;

/**
 * Summarizes log entries of requests outside `/api/v1`. These need no key and have no audit rows, so that anyone could
 * otherwise fill the disk with log entries.
 */
export class RequestLogLimit {
  #requests = 0;
  #timer: Timer | undefined;

  /** @param tell is called after each minute with the number of requests without their own entry. */
  constructor(private readonly tell: (requests: number) => void) {}

  /** Counts a request. Returns whether it exceeds the number of individual entries. */
  sumsUp(): boolean {
    this.#timer ??= setTimeout(() => this.finish(), SUMMING_TIME).unref();
    this.#requests += 1;
    return this.#requests > LINES;
  }

  /** Reports the count, and resets it. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const summedUp = this.#requests - LINES;
    this.#requests = 0;
    if (summedUp > 0) this.tell(summedUp);
  }
}
