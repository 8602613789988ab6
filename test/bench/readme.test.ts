import { expect, test } from "bun:test";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

/** The rows of all tables in a Markdown page, without the spaces that align them. */
async function rowsOf(path: string, section?: string): Promise<string[]> {
  const text = await Bun.file(join(root, path)).text();
  const sections = text.split(/^## /m);
  const part =
    section === undefined ? text : (sections.find((each) => each.startsWith(section)) ?? "");
  return part
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^[|\s:-]+$/.test(line))
    .map((line) => line.replaceAll(/\s+/g, " "));
}

test.each([
  ["README.md", "How fast it is", 6],
  ["docs/performance.md", undefined, 20],
])("the measurements in %s are those of the last run", async (page, section, least) => {
  const shown = await rowsOf(page, section);
  const measured = await rowsOf("bench/RESULTS.md");
  expect(shown.length).toBeGreaterThan(least);
  expect(shown.filter((row) => !measured.includes(row))).toEqual([]);
});
