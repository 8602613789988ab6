import { expect, test } from "bun:test";
import { plain } from "../../../src/page/app/lib/base/plain.ts";

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
