import { expect, test } from "bun:test";
import { checkNames } from "../../../src/checks/checks.ts";
import { evenColumns } from "../../../src/page/app/lib/base/columns.ts";

/** Cards in rows: as many as there are checks with findings. */

test("no row has a card alone, and none is longer than there is room for", () => {
  for (const most of [3, 4, 6])
    for (let count = 1; count <= checkNames.length; count += 1) {
      const columns = evenColumns(count, most);
      expect(columns).toBeLessThanOrEqual(most);
      if (count > 1 && columns > 1)
        expect([count, most, count % columns]).not.toEqual([count, most, 1]);
    }
});

test.each([
  [11, 6, 6],
  [12, 6, 6],
  [7, 6, 4],
  [10, 6, 5],
  [9, 4, 3],
  [5, 4, 3],
  [1, 6, 1],
  [0, 6, 1],
])("%p cards with room for %p have %p columns", (count, most, expected) => {
  expect(evenColumns(count, most)).toBe(expected);
});
