import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { NotAWorkbook, readWorkbook } from "../../../src/page/app/lib/import/workbook.ts";

/** Workbooks as programs write them. */

async function fileOf(name: string): Promise<Uint8Array> {
  return new Uint8Array(await Bun.file(join(import.meta.dir, "workbooks", name)).arrayBuffer());
}

const cellsOf = async (bytes: Uint8Array) =>
  (await readWorkbook(bytes)).map(({ name, rows }) => [name, rows.map(({ cells }) => cells)]);

/** Days, times, both; numbers with zeros by format; a phone, a truth, a share; texts; a formula, an error. */
const first = [
  ...["1", "Zúñiga, Inés", "2019-12-12", "06340", "012345678", "5055550100"],
  ...["2026-11-02 15:15", "09:30", "Yes", "0.1", "a & b <c>\nd"],
];
const second = [
  ...["2", "L’Heureux, Théo", "1904-02-28", "00123", "000000001", "5055550101"],
  ...["2026-11-02 23:59:59", "00:00", "No", "1234567.25", " spaces "],
];
const headings = [
  ...["Chart", "Client", "DOB", "Zip", "SSN", "Phone"],
  ...["Visit", "Time", "Active", "Share", "Note", "Sum"],
];

describe("a workbook", () => {
  test("of openpyxl: a hidden worksheet is none, a hidden row is one, a formula has no value yet", async () => {
    const [sheet, ...others] = await readWorkbook(await fileOf("openpyxl.xlsx"));
    expect(others).toEqual([]);
    expect(sheet).toEqual({
      name: "Clients",
      rows: [
        { number: 1, cells: headings },
        { number: 2, cells: first },
        { number: 3, cells: [...second, "#N/A"] },
      ],
      uncalculated: [2],
    });
  });

  test("of XlsxWriter: days since 1904, texts in runs, a formula's value", async () => {
    expect(await cellsOf(await fileOf("xlsxwriter.xlsx"))).toEqual([
      ["Clients", [headings, [...first, "2"], [...second, "#N/A"]]],
    ]);
  });

  test("of LibreOffice: what it has calculated", async () => {
    expect(await cellsOf(await fileOf("libreoffice.xlsx"))).toEqual([
      ["Clients", [headings, [...first, "2"], [...second, "#N/A"]]],
    ]);
  });

  test("of exceljs: runs, links, a formula without a value", async () => {
    const [sheet] = await readWorkbook(await fileOf("exceljs.xlsx"));
    expect(sheet?.rows.slice(1)).toEqual([
      {
        number: 2,
        cells: [
          "1",
          "Zúñiga, Inés",
          "2019-12-12",
          "06340",
          "2026-11-02 15:15",
          "Printed",
          "2",
          "mail",
        ],
      },
      {
        number: 3,
        cells: ["2", "L’Heureux, Théo", "2018-09-26", "123", "2026-11-02", "x", "", "#N/A"],
      },
    ]);
    expect(sheet?.uncalculated).toEqual([3]);
  });
});

/** An archive of some files. */
function archiveOf(
  files: Record<string, string>,
  { isDeflated = true, isLarge = false } = {},
): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const data = isDeflated ? deflateRawSync(text) : Buffer.from(text);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50);
    head.writeUInt16LE(isDeflated ? 8 : 0, 8);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(isDeflated ? 8 : 0, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    const extra = Buffer.alloc(isLarge ? 24 : 0);
    if (isLarge) {
      entry.writeUInt32LE(0xffff_ffff, 20);
      entry.writeUInt32LE(0xffff_ffff, 24);
      entry.writeUInt16LE(extra.length, 30);
      // Another extra field stands before it.
      extra.writeUInt32LE(0x0000_5455);
      extra.writeUInt16LE(1, 4);
      extra.writeUInt16LE(16, 6);
      extra.writeUInt32LE(text.length, 8);
      extra.writeUInt32LE(data.length, 16);
    }
    parts.push(head, name, data);
    directory.push(entry, name, extra);
    offset += head.length + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}

const FORMATS = [
  ...["General", "m/d/yyyy", "h:mm AM/PM", "[$-409]d\\-mmm\\-yy;@", "[h]:mm", '0.0" days"'],
  ...["00000-0000", "_($* #,##0.00_)", "mmm yyyy", "[Red]0.00"],
];

function bookOf(
  cells: string,
  { date1904 = false, isPrefixed = false, texts = "xl/sharedStrings.xml" } = {},
): Record<string, string> {
  const formats = FORMATS.map(
    (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', "&quot;")}"/>`,
  );
  const x = isPrefixed ? "x:" : "";
  return {
    "_rels/.rels":
      '<Relationships><Relationship Id="r0" Type="http://x/officeDocument" Target="/xl/book.xml"/></Relationships>',
    "xl/book.xml": `<${x}workbook><${x}workbookPr date1904="${date1904 ? 1 : 0}"/><${x}sheets><${x}sheet name="A &amp; B" sheetId="3" state="visible" r:id="rId7"/></${x}sheets></${x}workbook>`,
    "xl/_rels/book.xml.rels":
      '<Relationships><Relationship Id="rId7" Type="http://x/worksheet" Target="/xl/worksheets/one.xml"/><Relationship Id="rId8" Type="http://x/styles" Target="styles.xml"/><Relationship Id="rId9" Type="http://x/sharedStrings" Target="../xl/sharedStrings.xml"/></Relationships>',
    "xl/styles.xml": `<styleSheet><numFmts>${formats.join("")}</numFmts><cellXfs>${FORMATS.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join("")}<xf numFmtId="14"/><xf numFmtId="47"/></cellXfs><dxfs><dxf><numFmt numFmtId="165" formatCode="0.00"/></dxf></dxfs></styleSheet>`,
    [texts]:
      "<sst><si><t>One</t></si><si><r><t>T</t></r><r><t>wo</t></r><rPh sb='0' eb='1'><t>ni</t></rPh></si><si><t xml:space='preserve'> _x0041_&#xe9; </t></si></sst>",
    "xl/worksheets/one.xml": `<${x}worksheet><${x}sheetData>${cells}</${x}sheetData></${x}worksheet>`,
  };
}

/** The cells of a row. */
async function rowOf(cells: string, options = {}): Promise<string[] | undefined> {
  const [sheet] = await readWorkbook(archiveOf(bookOf(`<row r="1">${cells}</row>`, options)));
  return sheet?.rows[0]?.cells;
}

describe("the cells of a workbook", () => {
  const number = (style: number, value: number | string): string =>
    `<c s="${style}"><v>${value}</v></c>`;

  test.each([
    ["a number is its shortest form", number(0, "0.1000"), "0.1"],
    ["a large number has all digits", number(0, "5.0555501E9"), "5055550100"],
    ["a day", number(1, 43811), "2019-12-12"],
    ["a built-in day", number(10, 43811), "2019-12-12"],
    ["a built-in time", number(11, 0.5), "12:00"],
    ["a day with its month in letters", number(3, 43811), "2019-12-12"],
    ["a month and year", number(8, 43811), "2019-12-12"],
    ["a time of day", number(2, 0.395833333333), "09:30"],
    ["a time that is midnight", number(2, 0.999999999), "00:00"],
    ["a time beyond midnight", number(2, 1.0416666667), "01:00"],
    ["a moment that shows its time alone", number(2, 46328.375), "2026-11-02 09:00"],
    ["a moment, to the second", number(1, 46328.635416666664), "2026-11-02 15:15"],
    ["a moment that has lost its last digits", number(1, 41722.4097222222), "2014-03-24 09:50"],
    ["a moment that is a fraction early", number(1, 46328.99999999), "2026-11-03"],
    ["a length of time", number(4, 1.104166666667), "26:30"],
    ["a number of days is none", number(5, 12), "12"],
    ["a number with zeros", number(6, 19701234), "019701234"],
    ["an amount of money", number(7, 12.5), "12.5"],
    ["a colored number", number(9, 12.5), "12.5"],
    ["before the day in 1900 that never was", number(1, 59), "1900-02-28"],
    ["no day", number(1, 0), "1/0/1900"],
    ["a truth", '<c t="b"><v>1</v></c>', "Yes"],
    ["an error", '<c t="e"><v>#REF!</v></c>', "#REF!"],
    ["an ISO day", '<c t="d"><v>2026-11-02T00:00:00</v></c>', "2026-11-02"],
    ["an ISO moment", '<c t="d"><v>2026-11-02T15:15:00Z</v></c>', "2026-11-02 15:15"],
    ["a shared text", '<c t="s"><v>0</v></c>', "One"],
    ["a text in runs, without how it is read", '<c t="s"><v>1</v></c>', "Two"],
    ["a text with escapes", '<c t="s"><v>2</v></c>', " Aé "],
    ["an inline text", '<c t="inlineStr"><is><t>a&lt;b</t></is></c>', "a<b"],
    ["a formula's text", '<c t="str"><f>A1</f><v>x</v></c>', "x"],
  ])("%s", async (_, cell, text) => {
    expect(await rowOf(cell)).toEqual([text]);
  });

  test("stand where they say, or behind the last one", async () => {
    expect(await rowOf('<c r="B1" t="s"><v>0</v></c><c/><c r="AA1"><v>7</v></c>')).toEqual([
      ...["", "One", ""],
      ...Array.from({ length: 23 }, () => ""),
      "7",
    ]);
  });

  test("that are empty take no room behind the last", async () => {
    expect(await rowOf('<c r="A1"><v>1</v></c><c r="XFD1" s="1"/>')).toEqual(["1"]);
  });

  test("of rows without numbers, and with prefixes of names", async () => {
    const cells =
      '<x:row><x:c><x:v>1</x:v></x:c></x:row><x:row r="4"><x:c><x:v>2</x:v></x:c></x:row><x:row><x:c><x:v>3</x:v></x:c></x:row>';
    const [sheet] = await readWorkbook(
      archiveOf(bookOf(cells, { isPrefixed: true }), { isDeflated: false }),
    );
    expect(sheet).toMatchObject({
      name: "A & B",
      rows: [
        { number: 1, cells: ["1"] },
        { number: 4, cells: ["2"] },
        { number: 5, cells: ["3"] },
      ],
    });
  });

  test("are the shared texts where their part has other letters in upper case", async () => {
    const texts = { texts: "xl/SharedStrings.xml" };
    expect(await rowOf('<c t="s"><v>0</v></c>', texts)).toEqual(["One"]);
  });

  test("are read from archives with sizes of 64 bits, which programs write that do not know them before", async () => {
    const book = bookOf('<row><c t="s"><v>0</v></c></row>');
    const [sheet] = await readWorkbook(archiveOf(book, { isLarge: true }));
    expect(sheet?.rows[0]?.cells).toEqual(["One"]);
  });

  test("count days since 1904 where the workbook says so", async () => {
    expect(await rowOf(number(1, 42349), { date1904: true })).toEqual(["2019-12-12"]);
  });
});

describe("what is no workbook", () => {
  test.each([
    ["another archive", archiveOf({ "content.xml": "<office/>" })],
    ["no archive", new TextEncoder().encode("PK\u0003\u0004 and nothing")],
    ["one that is cut off", archiveOf(bookOf("<row/>")).subarray(0, 400)],
  ])("%s is refused", async (_, bytes) => {
    expect(readWorkbook(bytes)).rejects.toThrow(NotAWorkbook);
  });

  test("one that is broken is refused", async () => {
    const bytes = archiveOf(bookOf("<row/>"));
    bytes.fill(0xff, 40, 90);
    expect(readWorkbook(bytes)).rejects.toThrow(NotAWorkbook);
  });

  test("one that inflates to more than 200 MB is refused, whatever its directory says", async () => {
    const bomb = archiveOf({
      ...bookOf(""),
      "xl/worksheets/one.xml": " ".repeat(201 * 1024 * 1024),
    });
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(readWorkbook(bomb)).rejects.toThrow("is too large");
  });
});
