import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { connect } from "../../db/connect.ts";
import { NO_ORGANIZATION, type OpenDatabase } from "../../db/database.ts";
import { runProgram, startServer } from "../support/commands/program.ts";
import { temporaryFolder } from "../support/harness.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import { fileOf } from "../support/practice-file/practice-file.ts";
import { execute, newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/** A practice is copied from SQLite to PostgreSQL and back. */

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

test("a copy to PostgreSQL and back is identical: data, keys and audit trail", async () => {
  const url = await newDatabaseUrl(server.url, "moved", "template0");
  // The target may have been migrated before. The trail then has an entry of that.
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
    expect.stringContaining("exports are identical"),
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

test("both audit trails record who copied all patients' data, and to where", async () => {
  const url = await newDatabaseUrl(server.url, "told", "template0");
  writeFileSync(join(cwd, "practice.jsonl"), fileOf(fullPractice));
  await output("told.db", "import", "practice.jsonl");
  expect((await run("told.db", "copy", url)).status).toBe(0);
  const rowsOf = async (database: string) =>
    (await output(database, "audit", "list", "--json"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ route }) => route === "copy");
  const { host } = new URL(server.url);
  const expected = [
    expect.objectContaining({
      organizationId: "",
      status: 0,
      patientIds: "*",
      target: `the database told of PostgreSQL at ${host}`,
    }),
  ];
  expect(await rowsOf("told.db")).toEqual(expected);
  expect(await rowsOf(url)).toEqual(expected);
}, 60_000);

test("copy is refused while a server runs on the source or the target", async () => {
  const url = await newDatabaseUrl(server.url, "served", "template0");
  writeFileSync(join(cwd, "practice.jsonl"), fileOf(fullPractice));
  await output("unserved.db", "import", "practice.jsonl");
  const { program } = await startServer(["--database", url], { cwd });
  const inUse = `error: A server has the database served of PostgreSQL at ${new URL(url).host} open. Stop all servers on it, and try again.\n`;
  const [into, outOf] = [await run("unserved.db", "copy", url), await run(url, "copy", "never.db")];
  program.kill();
  await program.exited;
  expect([into.status, into.stderr, outOf.status, outOf.stderr]).toEqual([1, inUse, 1, inUse]);
  expect((await run("unserved.db", "copy", url)).status).toBe(0);

  const file = await startServer(["--database", "unserved.db"], { cwd });
  const beside = await run("unserved.db", "copy", "beside.db");
  file.program.kill();
  await file.program.exited;
  expect([beside.status, beside.stderr]).toEqual([
    1,
    "error: The database unserved.db is in use. Stop the server, or wait until the command that uses it is done, and try again.\n",
  ]);
}, 60_000);

/** The connections that lock a database against copies or servers, by process id. */
async function lockHolders(database: OpenDatabase): Promise<unknown[]> {
  const { rows } = await database.read((db) =>
    sql<{ pid: number }>`
      select pid from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())
    `.execute(db),
  );
  return rows.map(({ pid }) => pid);
}

test("a server does not start on a database that is being copied, and one that lost its connection locks again", async () => {
  const url = await newDatabaseUrl(server.url, "locked", "template0");
  const [copying, serving] = [await connect(url, "existing"), await connect(url, "existing")];
  await copying.lock("exclusive");
  await expect(serving.lock("shared")).rejects.toThrow("A copy of ");
  await copying.close();
  await serving.lock("shared");
  const again = await connect(url, "existing");
  const [before, ...others] = await lockHolders(again);
  expect(others).toEqual([]);
  await execute(url, `select pg_terminate_backend(${before})`);
  for (const started = performance.now(); performance.now() - started < 30_000;) {
    const holders = await lockHolders(again);
    if (holders.length > 0 && !holders.includes(before)) break;
    await Bun.sleep(50);
  }
  await expect(again.lock("exclusive")).rejects.toThrow("A server has the database locked");
  await Promise.all([serving.close(), again.close()]);
}, 60_000);

test("a target that is not empty is refused and not changed", async () => {
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

test("a copy that fails leaves no tables in its target", async () => {
  const url = await newDatabaseUrl(server.url, "bare", "template0");
  writeFileSync(join(cwd, "practice.jsonl"), fileOf(fullPractice));
  await output("broken.db", "import", "practice.jsonl");
  const source = await connect(join(cwd, "broken.db"), "existing");
  await source.write(
    (trx) => sql`update audit_entries set operator = 'eve' where route = 'import'`.execute(trx),
    NO_ORGANIZATION,
  );
  await source.close();
  expect(await run("broken.db", "copy", url)).toMatchObject({ status: 1 });
  const target = await connect(url, "existing");
  const { rows } = await target.read((db) =>
    sql`select tablename from pg_tables where schemaname = 'public'`.execute(db),
  );
  await target.close();
  expect(rows).toEqual([]);
}, 60_000);
