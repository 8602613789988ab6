import { expect, test } from "bun:test";
import { Glob } from "bun";

/**
 * A comment cites a rule by what readers can find: an operation, or a heading of
 * `docs/decisions.md`.
 */

const ROOT = `${import.meta.dir}/../..`;

test("no comment cites a section number of a document that is not in this repository", async () => {
  const paths = await Array.fromAsync(new Glob("{src,db,test,bench}/**/*.{ts,tsx}").scan(ROOT));
  const found = paths.map(async (path) => {
    const text = await Bun.file(`${ROOT}/${path}`).text();
    return [...text.matchAll(/\b(?:specification|decisions)(?:\s+\*)? \d/gi)].map(
      ([cited]) => `${path}: ${cited}`,
    );
  });
  expect(paths.length).toBeGreaterThan(300);
  expect((await Promise.all(found)).flat()).toEqual([]);
});
