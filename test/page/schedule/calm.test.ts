import { expect, test } from "bun:test";
import { Calm } from "../../../src/page/app/lib/schedule/calm.ts";

/** When presses on buttons of one's own day are without effect. */

test("presses count until something is written", () => {
  const calm = new Calm();
  calm.drawn(5_000);
  expect(calm.ignores(5_001)).toBe(false);
});

test("from a write until a second after its outcome is drawn, presses are ignored", () => {
  const calm = new Calm();
  calm.begin();
  expect(calm.ignores(0)).toBe(true);
  expect(calm.ignores(60_000)).toBe(true);
  calm.drawn(60_000);
  expect([60_000, 60_020, 60_999, 61_000].map((now) => calm.ignores(now))).toEqual([
    ...[true, true, true],
    false,
  ]);
});

test("what is drawn later without a write prolongs nothing", () => {
  const calm = new Calm();
  calm.begin();
  calm.drawn(1_000);
  calm.drawn(1_900);
  expect(calm.ignores(2_000)).toBe(false);
});
