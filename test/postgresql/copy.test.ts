import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../support/commands/program.ts";
import { temporaryFolder } from "../support/harness.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import { fileOf } from "../support/practice-file/practice-file.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/** A practice moves from its file to PostgreSQL, and back. */

const server = await newTestServer();
afterAll(() => server.remove());
const cwd = temporaryFolder();

async function run(url: string, ...args: string[]) {
  return runProgram(args, { cwd, env: { DATABASE_URL: url } });
}

async function output(url: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(url, ...args);
  expect([args, status, status === 0 ? "" : stderr]).toEqual([args, 0, ""]);
  return stdout;
}

test("what is copied to PostgreSQL and back is the same: data, keys and audit trail", async () => {
  const url = await newDatabaseUrl(server.url, "moved", "template0");
  // It may have been prepared, of which its trail then tells.
  await output(url, "migrate");
  writeFileSync(join(cwd, "practice.jsonl"), fileOf(fullPractice));
  await output("old.db", "import", "practice.jsonl");
  await output(
    "old.db",
    "keys",
    "create",
    "--organization",
    "org_maple",
    "--role",
    "ADMIN",
    "--name",
    "mine",
  );
  const copied = await run("old.db", "copy", url);
  expect([copied.status, copied.stderr]).toEqual([
    0,
    expect.stringContaining("every organization exports the same bytes"),
  ]);
  expect(await output(url, "export", "org_maple")).toBe(
    await output("old.db", "export", "org_maple"),
  );
  expect((await run(url, "copy", "back.db")).status).toBe(0);
  expect(await output("back.db", "keys", "list", "--json")).toBe(
    await output("old.db", "keys", "list", "--json"),
  );
  expect(await output("back.db", "audit", "verify")).toContain("org_maple");
  expect(await output("back.db", "export", "org_maple")).toBe(
    await output("old.db", "export", "org_maple"),
  );
}, 120_000);

test("a target that holds something is left as it is", async () => {
  const url = await newDatabaseUrl(server.url, "taken", "template0");
  writeFileSync(join(cwd, "practice.jsonl"), fileOf(fullPractice));
  await output(url, "import", "practice.jsonl");
  await output("source.db", "import", "practice.jsonl");
  const { status, stderr } = await run("source.db", "copy", url);
  expect([status, stderr]).toEqual([
    1,
    "error: The target has organizations already; copy into an empty database.\n",
  ]);
}, 60_000);
