/**
 * Where the current time comes from. The one place that reads the machine's clock: everything else is
 * given a clock, so that tests choose the time and a request has one `now`.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still at a moment, in epoch milliseconds. */
export function stoppedClock(at: number): Clock {
  return { now: () => at };
}
