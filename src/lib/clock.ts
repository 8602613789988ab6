/**
 * The source of the current time. Only this module reads the machine's clock; everything else is given a clock, so
 * that tests can set the time and each request has a single `now`.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that always shows the same moment, in epoch milliseconds. */
export function stoppedClock(at: number): Clock {
  return { now: () => at };
}
