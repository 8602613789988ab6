import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { operations } from "../support/operations.ts";

/** Every query parameter is used by a test of its endpoint. */

const withQuery = operations
  .map(({ query, ...operation }) => ({ ...operation, names: Object.keys(query?.properties ?? {}) }))
  .filter(({ names }) => names.length > 0);

/** The folder of the tests of an operation, which is named like that of its route. */
async function folderOf(operationId: string): Promise<string> {
  const source = join(import.meta.dir, "../../src");
  for await (const path of new Glob("*/routes.ts").scan(source))
    if ((await Bun.file(join(source, path)).text()).includes(`"${operationId}"`))
      return path.split("/")[0]!;
  return "reference-data";
}

async function testsIn(folder: string): Promise<string> {
  const root = join(import.meta.dir, "..", folder);
  const paths = await Array.fromAsync(new Glob("*.test.ts").scan(root));
  const texts = await Promise.all(paths.map((path) => Bun.file(join(root, path)).text()));
  return texts.join("\n");
}

test.each(withQuery)("the query parameters of $operation", async ({ operationId, names }) => {
  const text = await testsIn(await folderOf(operationId));
  // The tests of all lists use these.
  const ofPages = /\bpages\(/.test(text) ? ["page", "pageSize"] : [];
  const others = names.filter((name) => !ofPages.includes(name));
  expect(others.filter((name) => !new RegExp(`\\b${name}=`).test(text))).toEqual([]);
});
