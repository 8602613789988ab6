import { describe, expect, test } from "bun:test";
import { decodedText, tableOfText } from "../../../src/page/app/lib/import/text-file.ts";

/** Sheets that are text: their letters and their cells. */

const MAC: Record<string, number> = { é: 0x8e, ñ: 0x96, ü: 0x9f, "’": 0xd5, ö: 0x9a, É: 0x83 };
const WINDOWS: Record<string, number> = { é: 0xe9, ñ: 0xf1, ü: 0xfc, "’": 0x92, ö: 0xf6, É: 0xc9 };

function bytesIn(table: Record<string, number>, text: string): Uint8Array {
  return new Uint8Array([...text].map((letter) => table[letter] ?? letter.charCodeAt(0)));
}

function utf16(text: string, isBigEndian: boolean): number[] {
  return [...text].flatMap((letter) => {
    const code = letter.charCodeAt(0);
    return isBigEndian ? [code >> 8, code & 255] : [code & 255, code >> 8];
  });
}

const TEXT = "Name,Note\nJosé Nuñez,L’Heureux\nMüller,Björn";

describe("the letters of a file", () => {
  test.each([
    ["UTF-8", new TextEncoder().encode(TEXT)],
    ["UTF-8", new TextEncoder().encode(`\ufeff${TEXT}`)],
    ["UTF-16", new Uint8Array([0xff, 0xfe, ...utf16(TEXT, false)])],
    ["UTF-16", new Uint8Array([0xfe, 0xff, ...utf16(TEXT, true)])],
    ["UTF-16", new Uint8Array(utf16(TEXT, false))],
    ["UTF-16", new Uint8Array(utf16(TEXT, true))],
    ["Windows-1252", bytesIn(WINDOWS, TEXT)],
    ["Mac OS Roman", bytesIn(MAC, TEXT)],
  ] as const)("of %s are read (%#)", (encoding, bytes) => {
    expect(decodedText(bytes)).toEqual({ text: TEXT, encoding });
  });

  test("are those of Windows where nothing decides, and can be chosen", () => {
    expect(decodedText(bytesIn(WINDOWS, "a ’ b")).encoding).toBe("Windows-1252");
    expect(decodedText(bytesIn(MAC, TEXT), "Windows-1252").encoding).toBe("Windows-1252");
    expect(decodedText(bytesIn(WINDOWS, TEXT), "Mac OS Roman").encoding).toBe("Mac OS Roman");
    expect(decodedText(new TextEncoder().encode(TEXT), "Mac OS Roman").encoding).toBe("UTF-8");
  });
});

describe("the cells of a text", () => {
  const cellsOf = (text: string) => tableOfText(text).rows.map(({ cells }) => cells);

  test.each([",", ";", "\t", "|"])("are parted by %p, which most rows have alike", (delimiter) => {
    const rows = [
      ["Name", "Address"],
      ["Ida Quist", `"1 Elm St.${delimiter} Apt 2"`],
      ["Ola", "2 Oak"],
    ];
    const text = rows.map((row) => row.join(delimiter)).join("\r\n");
    expect(cellsOf(text)).toEqual([
      ["Name", "Address"],
      ["Ida Quist", `1 Elm St.${delimiter} Apt 2`],
      ["Ola", "2 Oak"],
    ]);
  });

  test("are parted as a first line says, which counts as a row", () => {
    const { rows } = tableOfText("sep=;\r\nName;City, State\r\nIda;Barre, VT");
    expect(rows).toEqual([
      { number: 2, cells: ["Name", "City, State"] },
      { number: 3, cells: ["Ida", "Barre, VT"] },
    ]);
  });

  test("may have quotation marks and line breaks; a row is one, however many lines it has", () => {
    const { rows, unclosed } = tableOfText(
      'Name,Note\rIda,"says ""hi""\nand goes"\r\n\nOla,5" pipe\n',
    );
    expect(rows).toEqual([
      { number: 1, cells: ["Name", "Note"] },
      { number: 2, cells: ["Ida", 'says "hi"\nand goes'] },
      { number: 3, cells: [""] },
      { number: 4, cells: ["Ola", '5" pipe'] },
    ]);
    expect(unclosed).toBeUndefined();
  });

  test("behind a quotation mark that is never closed belong to its row", () => {
    expect(tableOfText('Name,Note\nIda,"never\nOla,x\n')).toMatchObject({ unclosed: 2 });
  });

  test("with a decimal comma do not make it the delimiter", () => {
    expect(tableOfText("Name;Hours\nIda;7,5\nOla;8,5").delimiter).toBe(";");
    expect(tableOfText("Client;Rate\nIda, Q;1\nOla, Q;2\nPo, Q;3").delimiter).toBe(";");
    expect(tableOfText("Name (Last, First);City;ZIP\nQ, Ida;Bath;1\nQ, Ola;Bath;2").delimiter).toBe(
      ";",
    );
  });
});
