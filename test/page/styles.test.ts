import { expect, test } from "bun:test";
import { Glob } from "bun";

/** Type has five sizes and space six, which stand in `style/base.css`; a new one is one of these. */

const folder = "src/page/app";
const files = await Promise.all(
  [...new Glob("**/*.css").scanSync(folder)].map(async (name) => ({
    name,
    text: await Bun.file(`${folder}/${name}`).text(),
  })),
);

/** Declarations of sizes, as `name: value`. */
function sizesIn(text: string): string[] {
  const pattern = /^\s*((?:font-size|gap|row-gap|column-gap|(?:padding|margin)[\w-]*):[^;]+);/gm;
  return [...text.matchAll(pattern)].map(([, declaration = ""]) => declaration);
}

/** A size that is not one of six, in `rem`: whatever leaves room for something of a size of its own is larger. */
const OWN_SIZE = /(?<![\w.-])(?:0?\.\d+|1(?:\.\d+)?)rem\b/;

test("every size of type and of space is a property", () => {
  const own = files.flatMap(({ name, text }) =>
    sizesIn(text)
      // The head is as wide as what lies below it.
      .filter((declaration) => OWN_SIZE.test(declaration) && !declaration.includes("calc("))
      .map((declaration) => `${name}: ${declaration}`),
  );
  expect(own).toEqual([]);
  expect(
    sizesIn("  margin: 0 0.3rem;\n  padding-left: 1.25rem;").filter((each) => OWN_SIZE.test(each))
      .length,
  ).toBe(2);
});

test("there are five of type and six of space, and each is used", () => {
  const all = files.map(({ text }) => text).join("\n");
  const namesIn = (pattern: RegExp): string[] =>
    [...new Set([...all.matchAll(pattern)].map(([, name = ""]) => name))].sort();
  const sizes = [
    ...["space-1", "space-2", "space-3", "space-4", "space-5", "space-6"],
    ...["type-1", "type-2", "type-3", "type-4", "type-5"],
  ];
  expect(namesIn(/--((?:type|space)-\d): [\d.]+rem;/g)).toEqual(sizes);
  expect(namesIn(/var\(--((?:type|space)-\d)\)/g)).toEqual(sizes);
});
