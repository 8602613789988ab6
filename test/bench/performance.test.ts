import { expect, test } from "bun:test";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

/** The rows of all tables in a Markdown page, without the spaces that align them. */
async function rowsOf(path: string): Promise<string[]> {
  const text = await Bun.file(join(root, path)).text();
  return text
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^[|\s:-]+$/.test(line))
    .map((line) => line.replaceAll(/\s+/g, " "));
}

test("the measurements in docs/performance.md are those of the last run", async () => {
  const shown = await rowsOf("docs/performance.md");
  const measured = await rowsOf("bench/RESULTS.md");
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter((row) => !measured.includes(row))).toEqual([]);
});
