import { describe, expect, test } from "bun:test";
import { Random } from "../../src/demo/random.ts";

function numbers(random: Random): number[] {
  return Array.from({ length: 5 }, () => random.whole(1, 1000));
}

describe("Random", () => {
  test("gives the same values for the same key on every machine", () => {
    expect(numbers(new Random(1, "patient", 17))).toEqual([537, 874, 324, 852, 154]);
    expect(numbers(new Random(1, "patient", 17))).toEqual(numbers(new Random(1, "patient", 17)));
  });

  test("gives other values for another seed, subject or number", () => {
    const keys = [
      [1, "patient", 17],
      [2, "patient", 17],
      [1, "caregiver", 17],
      [1, "patient", 18],
    ];
    const sequences = keys.map((key) => numbers(new Random(...key)).join());
    expect(new Set(sequences).size).toBe(keys.length);
  });

  test("fraction is uniform from 0 up to 1", () => {
    const random = new Random("fractions");
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 20_000; draw += 1) {
      const tenth = Math.floor(random.fraction() * 10);
      tenths[tenth] = (tenths[tenth] ?? NaN) + 1;
    }
    for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  test("whole includes both ends", () => {
    const random = new Random("whole numbers");
    const drawn = new Set(Array.from({ length: 200 }, () => random.whole(-1, 2)));
    expect([...drawn].sort((a, b) => a - b)).toEqual([-1, 0, 1, 2]);
    expect(random.whole(7, 7)).toBe(7);
  });

  test("returns true with the given probability", () => {
    const random = new Random("chances");
    const taken = Array.from({ length: 10_000 }, () => random.chance(0.2)).filter(Boolean).length;
    expect(Math.abs(taken - 2000)).toBeLessThan(200);
    expect(random.chance(0)).toBe(false);
    expect(random.chance(1)).toBe(true);
  });

  test("pick gives every item of a list; some keeps the order of the list", () => {
    const random = new Random("items");
    const items = ["a", "b", "c", "d"];
    const picked = new Set(Array.from({ length: 100 }, () => random.pick(items)));
    expect([...picked].sort()).toEqual(items);

    const choices = Array.from({ length: 100 }, () => random.some(items, 1, 3));
    expect(new Set(choices.map(({ length }) => length))).toEqual(new Set([1, 2, 3]));
    for (const choice of choices) expect(choice).toEqual(items.filter((i) => choice.includes(i)));
  });

  test("shuffled loses no item and does not change the list", () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8];
    const shuffled = new Random("cards").shuffled(items);
    expect(shuffled).not.toEqual(items);
    expect(shuffled.toSorted()).toEqual(items);
    expect(items).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
