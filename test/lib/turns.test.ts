import { expect, test } from "bun:test";
import fc from "fast-check";
import { nextPiece, sortInPieces } from "../../src/lib/turns.ts";

test("sorts as toSorted does, equal values in their order", async () => {
  const values = fc.array(fc.record({ key: fc.nat(50), place: fc.nat() }), {
    minLength: 1_900,
    maxLength: 9_000,
    size: "max",
  });
  await fc.assert(
    fc.asyncProperty(values, async (all) => {
      const byKey = (a: (typeof all)[number], b: (typeof all)[number]) => a.key - b.key;
      expect(await sortInPieces(all, byKey)).toEqual(all.toSorted(byKey));
    }),
    { numRuns: 10 },
  );
});

test("others run while a long list is sorted", async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const values = Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 20_011);
  let comparisons = 0;
  await sortInPieces(values, (a, b) => {
    comparisons += 1;
    // Some 60 ms in all, on a fast machine as on a slow one.
    if (comparisons % 4_000 === 0) Bun.sleepSync(1);
    return a - b;
  });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
});

test("of several long works, one continues per turn of the event loop", async () => {
  let turn = 0;
  const count = () => {
    turn += 1;
    if (turn < 10) setImmediate(count);
  };
  setImmediate(count);
  const order: [string, number][] = [];
  const work = async (name: string) => {
    for (let piece = 0; piece < 2; piece += 1) {
      Bun.sleepSync(11);
      await nextPiece();
      order.push([name, turn]);
    }
  };
  await Promise.all([work("a"), work("b")]);
  expect(order.map(([name]) => name)).toEqual(["a", "b", "a", "b"]);
  expect(new Set(order.map(([, during]) => during)).size).toBe(4);
});
