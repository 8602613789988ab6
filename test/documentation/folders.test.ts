import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The guide says of each folder what is in it. */

const root = join(import.meta.dir, "../..");

test("the table of folders in docs/developing.md has every folder of src, and no others", async () => {
  const text = await Bun.file(join(root, "docs/developing.md")).text();
  const rows = text.split("\n").filter((line) => line.startsWith("| `src/"));
  const named = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`(?:src\/)?([^`]+)`/g)].map(([, name]) => name ?? ""),
  );
  const folders = readdirSync(join(root, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(named.filter((name) => !name.endsWith(".ts")).toSorted()).toEqual(folders.toSorted());
});
