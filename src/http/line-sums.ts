/** Lines a minute for requests that need no key; further ones are summed up. */
const LINES = 200;

/** How long they are summed up for one line, in milliseconds. */
const SUMMING_TIME = 60_000;

/**
 * Sums up the lines of the log of requests outside `/api/v1`. They need no key and leave no row in the audit trail, so
 * anybody could fill the disk with their lines.
 */
export class LineSums {
  #requests = 0;
  #timer: Timer | undefined;

  /** @param tell is given, when a minute is over, how many requests of it had no line of their own. */
  constructor(private readonly tell: (requests: number) => void) {}

  /** Counts a request. Returns whether it is one beyond those that have a line of their own. */
  sumsUp(): boolean {
    this.#timer ??= setTimeout(() => this.finish(), SUMMING_TIME).unref();
    this.#requests += 1;
    return this.#requests > LINES;
  }

  /** Tells what was counted, and begins anew. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const summedUp = this.#requests - LINES;
    this.#requests = 0;
    if (summedUp > 0) this.tell(summedUp);
  }
}
