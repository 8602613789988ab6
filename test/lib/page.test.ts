import { expect, test } from "bun:test";
import { skipGroups } from "../../src/lib/page.ts";

/** A deep page is located by skipping groups of rows whose sizes are known. */

const groups = [{ rows: 2 }, { rows: 0 }, { rows: 3 }];

test.each([
  [0, { group: groups[0], offset: 0 }],
  [1, { group: groups[0], offset: 1 }],
  [2, { group: groups[2], offset: 0 }],
  [4, { group: groups[2], offset: 2 }],
  [5, undefined],
])("skipGroups after %p rows", (offset, start) => {
  expect(skipGroups(groups, offset)).toEqual(start as ReturnType<typeof skipGroups>);
});

test("skipGroups without groups finds nothing", () => {
  expect(skipGroups([], 0)).toBeUndefined();
});
