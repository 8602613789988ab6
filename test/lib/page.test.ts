import { expect, test } from "bun:test";
import { skipGroups } from "../../src/lib/page.ts";

/** Pages deep in a list begin in a group of rows that is found by the sizes of those before it. */

const groups = [{ rows: 2 }, { rows: 0 }, { rows: 3 }];

test.each([
  [0, { group: groups[0], offset: 0 }],
  [1, { group: groups[0], offset: 1 }],
  [2, { group: groups[2], offset: 0 }],
  [4, { group: groups[2], offset: 2 }],
  [5, undefined],
])("after %p rows", (offset, start) => {
  expect(skipGroups(groups, offset)).toEqual(start as ReturnType<typeof skipGroups>);
});

test("no groups have no rows", () => {
  expect(skipGroups([], 0)).toBeUndefined();
});
