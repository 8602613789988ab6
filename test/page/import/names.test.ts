import { describe, expect, test } from "bun:test";
import { isAlmost, nameKeys, plain, splitName } from "../../../src/page/app/lib/import/names.ts";

test.each([
  ["Rück-Nr.", "rucknr"],
  ["Auth #", "authnumber"],
  ["Date of Birth", "dateofbirth"],
  ["名前", "名前"],
  ["Имя пациента", "имяпациента"],
])("a heading %p is compared as %s", (heading, compared) => {
  expect(plain(heading)).toBe(compared);
});

describe("a name in one cell", () => {
  test.each([
    ["Ruiz, Maria", "Maria", "Ruiz", false],
    ["Maria Ruiz", "Maria", "Ruiz", false],
    ["Dev Raman, BCBA", "Dev", "Raman", false],
    ["Raman, Dev, M.Ed., BCBA", "Dev", "Raman", false],
    ["Raman, Dev M.Ed.", "Dev", "Raman", false],
    ["Dr. Tara Begaye", "Tara", "Begaye", false],
    ["Maria de la Cruz", "Maria", "de la Cruz", true],
    ["Mila von Arx", "Mila", "von Arx", true],
    ["Ana Maria Lopez", "Ana Maria", "Lopez", true],
    ["Sam Jones Jr.", "Sam", "Jones Jr.", false],
    ["Jones, Sam, III", "Sam", "Jones III", false],
    ["Jones Jr., Sam", "Sam", "Jones Jr.", false],
    ["Jones, Sam Jr.", "Sam", "Jones Jr.", false],
    ["Lind, Bo (BCBA)", "Bo", "Lind", false],
    ["Jo Diaz (1234)", "Jo", "Diaz", true],
    ["Diaz, Jo - C-12", "Jo", "Diaz", true],
    ["1234 - Jo Diaz", "Jo", "Diaz", true],
    ["Jo Diaz #7", "Jo", "Diaz", true],
    ['Diaz, Ana "Annie"', "Ana", "Diaz", true],
    ["Ma, Li", "Li", "Ma", false],
    ["MA, LI", "LI", "MA", false],
    ["ANH DO", "ANH", "DO", false],
    ["TARA BEGAYE MA", "TARA", "BEGAYE", false],
    ["王 伟", "王", "伟", false],
  ])("%p is %s | %s", (text, firstName, lastName, isGuess) => {
    expect(splitName(text)).toEqual({ firstName, lastName, isGuess });
  });

  test.each(["", "Cher", "Raman, BCBA", "Tara MA", "TARA BCBA", "BCBA, Tara", "Cher Jr.", ","])(
    "%p is no whole name",
    (text) => {
      expect(splitName(text)).toBeUndefined();
    },
  );
});

describe("two ways to write a name are the same", () => {
  const isSame = (one: string, other: string): boolean =>
    nameKeys(one).some((key) => nameKeys(other).includes(key));

  test.each([
    ["Begaye, Tara", "Tara Begaye"],
    ["BCBA Begaye, Tara", "Tara Begaye"],
    ["Tara Begaye, M.Ed., BCBA", "Tara Begaye"],
    ["Tara L. Begaye", "Tara Begaye"],
    ["Begaye, Tara (C-12)", "Tara Begaye"],
    ["Tara [1234] Begaye", "Tara Begaye"],
    ["Begaye, Tara - 1234", "Tara Begaye"],
    ["TARA BEGAYE", "tara begaye"],
    ["Ines Zuniga", "Inés Zúñiga"],
    ["Liam O'Dowd", "Liam O’Dowd"],
    ["Liam ODowd", "Liam O'Dowd"],
    ["Jean-Luc Roy", "Jean Luc Roy"],
    ["Łukasz Żak", "Lukasz Zak"],
  ])("%p and %p", (one, other) => {
    expect(isSame(one, other)).toBe(true);
  });

  test.each([
    ["Tara Begaye", "Tara Begay"],
    ["Maria Cruz", "Maria de la Cruz"],
    ["王 伟", "李 娜"],
    ["Sam Roe", "Pat Roe"],
  ])("unlike %p and %p", (one, other) => {
    expect(isSame(one, other)).toBe(false);
  });
});

test("words are almost the same by one letter more, fewer, other or swapped, from six letters on", () => {
  const pairs = [
    ["Sandia Health", "Sandia Heallth"],
    ["Sandia Health", "Sandia Helth"],
    ["Sandia Health", "Sandia Haelth"],
    ["Sandia Health", "Zandia Health"],
    ["Sandia Health", "Sandia Health"],
    ["Aetna", "Aetnb"],
    ["Sandia Health", "Sundia Heelth"],
  ];
  expect(pairs.map(([one = "", other = ""]) => isAlmost(one, other))).toEqual([
    ...[true, true, true, true],
    ...[false, false, false],
  ]);
});
