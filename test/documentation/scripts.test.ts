import { expect, test } from "bun:test";
import { join } from "node:path";
import { scripts } from "../../package.json";

/** Commands that `docs/developing.md` names in passing; `bun run test:docs` runs the shell blocks of pages. */

const text = await Bun.file(join(import.meta.dir, "../../docs/developing.md")).text();

test("the scripts exist", () => {
  const names = [...text.matchAll(/\bbun run ([\w:-]+)/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});

test("no tests are run without their time limit", () => {
  expect(text).not.toMatch(/\bbun test\b/);
});

test("what the commands of the README write into a checkout is ignored by git", async () => {
  const written = [
    "demo.db",
    "demo.db-lock",
    "demo.db-wal",
    "caseload.db-spool",
    "practice.ndjson",
  ];
  const root = join(import.meta.dir, "../..");
  const ignored = await Bun.$`git check-ignore ${written}`.cwd(root).nothrow().text();
  expect(ignored.trimEnd().split("\n")).toEqual(written);
});
