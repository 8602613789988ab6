import { afterEach, describe, expect, test } from "bun:test";
import { today, UTC } from "../../../src/page/app/lib/base/dates.ts";
import {
  minutesAhead,
  noteServerTime,
  serverClock,
  timeBetween,
} from "../../../src/page/app/lib/base/server-clock.ts";

const MINUTE = 60_000;
const asDate = (at: number): string => new Date(at).toUTCString();

afterEach(() => noteServerTime(asDate(Date.now())));

test.each([0, 4, -4, 6, -6, 3 * 24 * 60])(
  "with a device that is %p minutes ahead, today is the server's, and more than five minutes are said",
  (minutes) => {
    const server = Date.now() - minutes * MINUTE;
    noteServerTime(asDate(server));
    expect(Math.abs(serverClock.now() - server)).toBeLessThan(2_000);
    expect(String(today(UTC))).toBe(new Date(serverClock.now()).toISOString().slice(0, 10));
    expect(minutesAhead.value).toBe(Math.abs(minutes) > 5 ? minutes : 0);
  },
);

test.each([null, "", "yesterday"])("an answer whose Date is %p says nothing", (date) => {
  noteServerTime(asDate(Date.now() - 60 * MINUTE));
  noteServerTime(date);
  expect(minutesAhead.value).toBe(60);
});

describe("the time between two moments", () => {
  const from = { device: 1_000_000, steady: 500 };
  const later = (device: number, steady: number) => ({
    device: from.device + device * MINUTE,
    steady: from.steady + steady * MINUTE,
  });
  test.each([
    [16, 16, 16],
    [14, 14.5, 14],
    // The device has slept, or its clock was set forward or back.
    [60, 1, undefined],
    [-60, 1, undefined],
    [0, 20, undefined],
  ])("of %p minutes by the clock and %p by one that nobody sets is %p", (device, steady, time) => {
    expect(timeBetween(from, later(device, steady))).toBe(
      time === undefined ? undefined : time * MINUTE,
    );
  });
});
