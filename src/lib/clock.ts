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
  constructor(private at: number) {}

  now(): number {
    return this.at;
  }

  moveTo(at: number): void {
    this.at = at;
  }
}
