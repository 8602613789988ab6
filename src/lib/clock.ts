/**
 * The source of the current time. Only this module reads the machine's clock; everything else is given a clock, so
 * that tests can set the time and each request has a single `now`.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that shows the same moment until it is moved, in epoch milliseconds. */
export class StoppedClock implements Clock {
  /** Does what has become due. */
  whenMoved = async (): Promise<void> => {};

  constructor(private at: number) {}

  now(): number {
    return this.at;
  }

  async moveTo(at: number): Promise<void> {
    this.at = at;
    await this.whenMoved();
  }
}
