import { expect, test } from "bun:test";
import { csvOf } from "../../../src/page/app/lib/base/spreadsheet.ts";

/** The CSV that the page saves for spreadsheets. */

test.each<[string, (string | number)[], string]>([
  ["numbers and texts are written unchanged", ["Park", 8, 0.25], "Park,8,0.25"],
  ["commas, quotes and new lines are quoted", ["a,b", 'c"d', "e\nf"], '"a,b","c""d","e\nf"'],
  ["texts that look like formulas are escaped", ["=1+1", "-x", "@y", "+z"], "'=1+1,'-x,'@y,'+z"],
  ["negative numbers are not escaped", [-1], "-1"],
])("%s", (_, row, expected) => {
  expect(csvOf([row])).toBe(`${expected}\r\n`);
});
