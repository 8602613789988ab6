import { expect, test } from "bun:test";

const { canUndo, tooLargeText } = await import("../../../src/page/app/lib/import/size.ts");
type ImportLine = Parameters<typeof canUndo>[0][number];

/** What is said of an import before it is sent. */

function lines(sheet: string, count: number, isNew: boolean): ImportLine[] {
  const line = { line: { type: "payor", publicId: "pay_1" }, sheet: { name: sheet }, isNew };
  return Array.from({ length: count }, () => line as ImportLine);
}

test("2,000 changed records can be undone, and any number of new ones", () => {
  expect(canUndo([...lines("a", 2000, false), ...lines("a", 3000, true)])).toBe(true);
  expect(canUndo(lines("a", 2001, false))).toBe(false);
});

test("of too large an import, the sheet with the most is left for later; of one sheet, some rows", () => {
  expect(
    tooLargeText([...lines("a", 2, true), ...lines("b", 3, true), ...lines("c", 1, true)]),
  ).toBe(
    "These are more records than one import takes. Take “b” away, and choose it again afterwards.",
  );
  expect(tooLargeText(lines("a", 3, true))).toBe(
    "These are more records than one import takes: leave some rows for a second file.",
  );
});
