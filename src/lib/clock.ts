/**
 * The source of the current time. Only this module reads the machine's clock; everything else is given a clock, so
 * that tests can set the time and each request has a single `now`.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that shows a time in memory that threads share. */
export class SharedClock implements Clock {
  readonly #at: BigInt64Array;

  constructor(readonly memory = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)) {
    this.#at = new BigInt64Array(memory);
  }

  now(): number {
    return Number(Atomics.load(this.#at, 0));
  }

  set(at: number): void {
    Atomics.store(this.#at, 0, BigInt(at));
  }
}

/** A clock that shows the same moment until it is moved, in epoch milliseconds. */
export class StoppedClock extends SharedClock {
  /** Does what has become due. */
  whenMoved = async (): Promise<void> => {};

  constructor(private readonly start: number) {
    super();
    this.putBack();
  }

  /** Shows the moment of the start again. */
  putBack(): void {
    this.set(this.start);
  }

  async moveTo(at: number): Promise<void> {
    this.set(at);
    await this.whenMoved();
  }
}
