import { expect, test } from "bun:test";
import { plain } from "../../../src/page/app/lib/base/plain.ts";
import { nameKeys } from "../../../src/page/app/lib/import/names.ts";

test.each([
  ["Birth date", "birthDate"],
  ["Teléfono", "TELEFONO"],
  ["O’Brien-Smith", "o'brien smith"],
  ["José Ángel", "JOSE ANGEL"],
  ["ＡＢＣ １２", "abc 12"],
])("%p and %p are the same", (one, other) => {
  expect(plain(one)).toBe(plain(other));
});

test("names in other scripts are kept apart, and are not empty", () => {
  const names = [
    "王 伟",
    "李 娜",
    "राम",
    "रमा",
    "محمد",
    "أحمد",
    "Анна",
    "Олег",
    "がき",
    "かき",
    "김민수",
  ];
  const folded = names.map(plain);
  expect(new Set(folded).size).toBe(names.length);
  expect(folded).not.toContain("");
});

test("a sheet's guardians with such names are different people, in either order of their words", () => {
  const keys = ["王 伟", "李 娜", "राम शर्मा", "रमा शर्मा"].map((name) => nameKeys(name)[0]);
  expect(new Set(keys).size).toBe(4);
  expect(nameKeys("José O’Dowd")).toEqual(nameKeys("o´dowd jose"));
});
