import { expect, test } from "bun:test";
import { toInstant } from "../../../src/page/app/lib/base/dates.ts";
import { serverClock } from "../../../src/page/app/lib/base/server-clock.ts";
import { endOf, isLate, tallyOf, timeIn } from "../../../src/page/app/lib/goals/recording.ts";

const MINUTE = 60_000;
/** A session that ended so many minutes ago. */
const endedAgo = (minutes: number) => {
  const end = serverClock.now() - minutes * MINUTE;
  return { startTime: toInstant(end - 60 * MINUTE), endTime: toInstant(end) };
};
const NOW = "now";
const END = "its end";
/** An instant of a session, as what it is. */
const named = (instant: string, { endTime }: { endTime: string }): string => {
  if (instant === endTime) return END;
  return Math.abs(Date.parse(instant) - serverClock.now()) < 5_000 ? NOW : instant;
};

test.each([
  ["goes on", -30, NOW, NOW, false],
  ["has just ended", 29, NOW, END, false],
  ["is over for longer than half an hour", 31, END, END, true],
])("in a session that %s", (_, ago, tap, whole, late) => {
  const session = endedAgo(ago);
  expect(named(timeIn(session), session)).toBe(tap);
  expect(named(endOf(session), session)).toBe(whole);
  expect(isLate(session)).toBe(late);
  const start = Date.parse(session.startTime);
  expect(timeIn(session, start)).toBe(session.startTime);
});

const entry = (fields: object) => ({ publicId: "rec_1", ...fields });
const outcomes = (...of: string[]) => of.map((outcome) => entry({ outcome }));
const tries = [...Array<string>(9).fill("SUCCESS"), "FAILURE", "PROMPTED"];

test.each([
  ["rating", [], "Nothing yet."],
  ["opportunity", outcomes("SUCCESS", "FAILURE", "SUCCESS"), "2 of 3 ●○●"],
  ["opportunity", outcomes(...tries), "9 of 11 ●●●●●●●●○○"],
  ["frequency_duration", [entry({ quantity: 2 }), entry({ quantity: 1 })], "3 times"],
  ["frequency_duration", [entry({ quantity: 1 })], "1 time"],
  ["rating", [entry({ value: 3 }), entry({ value: 4 })], "Last: 4"],
  ["interval", [entry({})], "1 set"],
  ["interval", [entry({}), entry({})], "2 sets"],
] as const)("of %s: %p is %p", (type, entries, text) => {
  expect(tallyOf({ type } as never, entries as never)).toBe(text);
});
