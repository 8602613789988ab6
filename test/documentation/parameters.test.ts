import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { operationsWithQuery } from "../support/parameters.ts";
import { namedLists } from "../support/reference-data.ts";

/** Every query parameter is used by a test of its endpoint. */

/** The folders of endpoint tests that are not named like the path. */
const folders: Record<string, string> = {
  "authorization-utilization": "utilization",
  access: "sign-in",
  names: "users",
  "billing-lines": "billing",
  ...Object.fromEntries([...namedLists, "intake-stages"].map((list) => [list, "reference-data"])),
};

async function testsIn(folder: string): Promise<string> {
  const root = join(import.meta.dir, "..", folder);
  const paths = await Array.fromAsync(new Glob("*.test.ts").scan(root));
  const texts = await Promise.all(paths.map((path) => Bun.file(join(root, path)).text()));
  return texts.join("\n");
}

test.each(operationsWithQuery)("the query parameters of $operation", async ({ path, names }) => {
  const [, , resource = ""] = path.split("/");
  const text = await testsIn(folders[resource] ?? resource);
  // The tests of all lists use these.
  const ofPages = text.includes("describePages(") ? ["page", "pageSize"] : [];
  const others = names.filter((name) => !ofPages.includes(name));
  expect(others.filter((name) => !new RegExp(`\\b${name}=`).test(text))).toEqual([]);
});
