import { expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "csv-parse/sync";
import { csvCell, csvRow } from "../../src/lib/csv.ts";

/** Cells of CSV, which a spreadsheet shows and does not calculate. */

test.each([
  ["Leo Park", "Leo Park"],
  ["", ""],
  ["Park, Leo", '"Park, Leo"'],
  ['the "early" group', '"the ""early"" group"'],
  ["two\nlines", '"two\nlines"'],
  [" Leo", '" Leo"'],
  ["97153;97155", '"97153;97155"'],
  ["=1+1", "'=1+1"],
  ["+1 415", "'+1 415"],
  ["-5", "'-5"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", '"\'\t=1"'],
  ["\r=1", '"\'\r=1"'],
  ["\n=1", '"\'\n=1"'],
  ["\nLeo", '"\'\nLeo"'],
  ["  =1", "'  =1"],
  ["\u00a0=1", "'\u00a0=1"],
  ["\uff1d1+1", "'\uff1d1+1"],
  ["\uff0b1", "'\uff0b1"],
  ["\uff0d1", "'\uff0d1"],
  ["\uff20A1", "'\uff20A1"],
  ["Leo;=1", '"Leo;\'=1"'],
  ["Leo; @A1", '"Leo;\' @A1"'],
  [5, "5"],
  [-5, "-5"],
  [null, ""],
])("%j is written as %s", (value, cell) => {
  expect(csvCell(value)).toBe(cell);
});

test("no part of a row begins a formula, whether commas or semicolons are between cells", () => {
  const text = fc.string({
    unit: fc.constantFrom("=", "+", "-", "@", "\uff1d", ";", ",", "\t", "\n", " ", "a", "1", "'"),
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
      const row = csvRow(cells);
      for (const cell of (parse(row, { relax_column_count: true })[0] ?? []) as string[]) {
        expect(cell).not.toMatch(/^\s*[=+\-@\uff1d]/);
        for (const part of cell.split(";")) expect(part).not.toMatch(/^\s*[=+\-@\uff1d]/);
      }
      expect((parse(row, { relax_column_count: true })[0] ?? [""]).length).toBe(cells.length);
    }),
    { numRuns: 2_000 },
  );
});
