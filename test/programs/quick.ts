import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Types, format, and the tests that are near what has changed since `main`: `bun run test:quick [BASE]`. It takes a few
 * seconds, and prints failures alone; `bun run test` runs everything.
 */

const [base = "main"] = process.argv.slice(2);

/** Rules for all files, such as the architecture's. */
const ALWAYS = ["test/architecture.test.ts"];

/** What every endpoint, parameter and table needs. */
const OF_ENDPOINTS = [
  "test/documentation/parameters.test.ts",
  "test/http/refused-parameters.test.ts",
  "test/sqlite/query-plans.test.ts",
  "test/db/everything.test.ts",
  "test/isolation.test.ts",
];

const OF_TABLES = ["test/sqlite/columns.test.ts", "test/sqlite/schema.test.ts"];

function lines(...command: string[]): string[] {
  return Bun.spawnSync(command).stdout.toString().split("\n").filter(Boolean);
}

/** The tests of a file: its own, those of the same name, or those of its folder. */
function testsNear(path: string): string[] {
  if (path.endsWith(".test.ts")) return existsSync(path) ? [path] : [];
  if (path.endsWith(".md")) return ["test/documentation"];
  if (path === "db/tables.ts") return OF_TABLES;
  const [, root = "", rest = ""] = /^(src|db|test\/support)\/(.*)\.ts$/.exec(path) ?? [];
  // Rules of the page have tests without its folders.
  const name = join("test", root === "db" ? "db" : "", rest.replace("page/app/lib/", "page/"));
  if (existsSync(`${name}.test.ts`)) return [`${name}.test.ts`];
  const folder = dirname(name);
  // Commands start programs, which takes long.
  const isNear = folder !== "test" && !folder.startsWith("test/commands") && existsSync(folder);
  return root !== "" && isNear ? [folder] : [];
}

const changed = [
  ...lines("git", "diff", "--name-only", "--merge-base", base),
  ...lines("git", "ls-files", "--others", "--exclude-standard"),
];
const hasDeclaration = changed.some((path) =>
  /^src\/[^/]+\/model\.ts$|^db\/tables\.ts$/.test(path),
);
const tests = [
  ...new Set([...ALWAYS, ...(hasDeclaration ? OF_ENDPOINTS : []), ...changed.flatMap(testsNear)]),
];
const options = ["--parallel", "--no-isolate", "--only-failures", "--timeout", "60000"];
for (const command of [
  ["bun", "run", "check"],
  ["bun", "test", ...options, ...tests],
]) {
  const { exitCode } = Bun.spawnSync(command, { stdout: "inherit", stderr: "inherit" });
  if (exitCode !== 0) process.exit(exitCode);
}
