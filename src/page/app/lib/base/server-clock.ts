import { signal } from "@preact/signals";
import { type Clock, systemClock } from "../../../../lib/clock.ts";

/**
 * The time of the server. What "today" is, and what has begun, does not depend on the clock of a device, which may be
 * wrong, or be set while somebody works.
 */

/** How far the device's clock is ahead of the server's, in milliseconds; of its answers' `Date`, which has seconds. */
let ahead = 0;

/** From here on the device's clock is wrong, in milliseconds. */
const TOLERANCE = 5 * 60_000;

/** How many minutes the device's clock is ahead of the server's, or behind it if negative; 0 where it is right. */
export const minutesAhead = signal(0);

/** Notes the `Date` of an answer that has just come. */
export function noteServerTime(date: string | null): void {
  const at = Date.parse(date ?? "");
  if (Number.isNaN(at)) return;
  ahead = systemClock.now() - at;
  minutesAhead.value = Math.abs(ahead) > TOLERANCE ? Math.round(ahead / 60_000) : 0;
}

export const serverClock: Clock = { now: () => systemClock.now() - ahead };

/** A moment by the clock of the device, and by one that nobody sets, and which may stand still while a device sleeps. */
export interface Moment {
  device: number;
  steady: number;
}

export function moment(): Moment {
  return { device: systemClock.now(), steady: performance.now() };
}

/** As far as two clocks may drift apart, in milliseconds. */
const DRIFT = 60_000;

/**
 * The time from one moment to another, in milliseconds; undefined where the clocks disagree: the device has slept, or
 * its clock was set.
 */
export function timeBetween(from: Moment, to: Moment): number | undefined {
  const time = to.device - from.device;
  return Math.abs(time - (to.steady - from.steady)) > DRIFT ? undefined : time;
}
