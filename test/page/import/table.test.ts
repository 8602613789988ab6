import fc from "fast-check";
import { expect, test } from "bun:test";
import { labelOf } from "../../../src/page/app/lib/base/labels.ts";
import {
  guessField,
  guessType,
  parseTable,
  tableText,
} from "../../../src/page/app/lib/import/table.ts";
import { csvFiles } from "../../../src/practice-file/csv/columns.ts";

/** Tables of CSV in the browser, and what an office's own headings mean. */

test("any table is read as it was written", () => {
  const cell = fc.string().map((text) => text.replaceAll("\r", ""));
  const row = fc.array(cell, { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
      // The first row of a table has its headings, which have no delimiters.
      const table = [rows[0]!.map((_, index) => `heading ${index}`), ...rows];
      expect(parseTable(tableText(table))).toEqual(table);
    }),
  );
});

test.each<[string, string[][]]>([
  [
    "a;b\r\n1;2,5\r\n",
    [
      ["a", "b"],
      ["1", "2,5"],
    ],
  ],
  [
    "sep=;\na;b\n1;2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    '\uFEFFa\tb\n"x\ny"\t"say ""hi"""',
    [
      ["a", "b"],
      ["x\ny", 'say "hi"'],
    ],
  ],
  [
    "a,b\n,\n",
    [
      ["a", "b"],
      ["", ""],
    ],
  ],
])("%j is %j", (text, expected) => {
  expect(parseTable(text)).toEqual(expected);
});

const columns = Object.fromEntries(
  [...csvFiles].map(([file, fields]) => [file.replace(/\.csv$/, ""), fields]),
);

test.each([
  ["First Name", "user", "firstName"],
  ["DOB", "user", "birthDate"],
  ["Zip", "user", "postalCode"],
  ["client", "session", "clientId"],
  ["Place of Service", "session", "placeOfService"],
  ["favorite color", "user", undefined],
])("the heading %j of a %s is %p", (heading, type, expected) => {
  expect(guessField(heading, columns[type] ?? [], labelOf)).toBe(expected);
});

test.each([
  ["user", ["ID", "First name", "Last name", "DOB", "Phone"]],
  ["session", ["id", "title", "status", "start time", "end time", "client", "therapist"]],
  ["authorization", ["id", "patient", "auth number", "units", "expires", "service"]],
])("headings of a %s are recognized", (type, headings) => {
  expect(guessType(headings, columns, labelOf)).toBe(type);
});

test("the name of a file settles what it has, even where its headings name nothing", () => {
  const columns = { user: ["firstName"], payor: ["publicId", "name"] };
  const typeOf = (fileName: string) => guessType(["Kind", "Nickname"], columns, labelOf, fileName);
  expect(["payors.csv", "Payor list.csv", "list.csv"].map(typeOf)).toEqual([
    "payor",
    "payor",
    undefined,
  ]);
});

test("a quote may follow a space; a heading names a record without the word id", () => {
  expect(parseTable('x,y\na, "b,c"')).toEqual([
    ["x", "y"],
    ["a", "b,c"],
  ]);
  expect(guessField("Payor", ["payorId"], () => "Insurance")).toBe("payorId");
});
