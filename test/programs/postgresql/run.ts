import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { connect } from "../../../db/connect.ts";
import { migrate } from "../../../db/migrate.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import { dropCopies, newDatabaseUrl } from "../../support/postgresql/databases.ts";
import { newTestServer } from "../../support/postgresql/server.ts";

/**
 * Runs the suite on PostgreSQL: on the server of TEST_DATABASE_URL, whose user must be allowed to
 * create databases, or on a new one. Tests of SQLite itself are in test/sqlite. Arguments are
 * passed to `bun test`, such as paths.
 */

/** The file that defines what makes a database, which many import for something else. */
const DEFINITIONS = "test/support/harness.ts";

const given = process.env.TEST_DATABASE_URL;
const server = given === undefined ? await newTestServer() : undefined;
const serverUrl = given ?? server?.url ?? "";

const template = `caseload_template_${process.pid}`;
try {
  const url = await newDatabaseUrl(serverUrl, template, "template0");
  const database = await connect(url, "existing");
  await migrate(database, "2026-03-11T15:00:00.000Z" as Instant);
  await database.close();

  const args = process.argv.slice(2);
  const files = args.some((arg) => arg.startsWith("test/")) ? [] : suite();
  const tests = Bun.spawn(
    ["bun", "test", "--parallel", "--no-isolate", "--timeout", "60000", ...files, ...args],
    {
      stdio: ["inherit", "inherit", "inherit"],
      env: { ...process.env, TEST_DATABASE_URL: serverUrl, TEST_DATABASE_TEMPLATE: template },
    },
  );
  process.exitCode = await tests.exited;
} finally {
  if (server === undefined) await dropCopies(serverUrl, template);
  await server?.remove();
}

/**
 * The test files that use a database of either engine: those that name what makes one, or import a file that does.
 * Others are the same on both engines, as are those of SQLite: its folder, the commands, and tests that open or create a
 * database file themselves.
 */
function suite(): string[] {
  return [...new Glob("test/**/*.test.ts").scanSync(".")]
    .filter((path) => !path.includes("/sqlite/") && !path.startsWith("test/commands/"))
    .filter((path) => !/connectFile|bun:sqlite|max_page_count/.test(readFileSync(path, "utf8")))
    .filter((path) => usesDatabase(path))
    .sort();
}

function usesDatabase(path: string, visited = new Set([DEFINITIONS])): boolean {
  if (visited.has(path)) return false;
  visited.add(path);
  const text = readFileSync(path, "utf8");
  if (/\b(newDatabase|newService|newTestServer|onPostgresql|TEST_DATABASE_URL)\b/.test(text))
    return true;
  return new Bun.Transpiler({ loader: "ts" })
    .scanImports(text)
    .filter((each) => each.path.startsWith("."))
    .map((each) => join(dirname(path), each.path))
    .some((each) => each.startsWith("test/") && usesDatabase(each, visited));
}
