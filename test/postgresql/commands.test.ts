import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ProgramOptions, runProgram, startServer } from "../support/commands/program.ts";
import { temporaryFolder } from "../support/harness.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import { fileOf } from "../support/practice-file/practice-file.ts";
import { execute, newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/** Every command with a PostgreSQL database, as users run it. */

const server = await newTestServer();
afterAll(() => server.remove());
const cwd = temporaryFolder();

const optionsFor = (url: string): ProgramOptions => ({ cwd, env: { DATABASE_URL: url } });
const newEmpty = (name: string) => newDatabaseUrl(server.url, name, "template0");

test("migrate, import, export, organizations, keys and audit commands succeed", async () => {
  const options = optionsFor(await newEmpty("practice"));
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await runProgram(args, options);
    expect([args, status, status === 0 ? "" : stderr]).toEqual([args, 0, ""]);
    return stdout;
  };
  writeFileSync(join(cwd, "practice.jsonl"), fileOf(fullPractice));
  expect(await run("migrate")).toContain("0000_baseline");
  await run("import", "practice.jsonl");
  expect(await run("export", "org_maple")).toBe(fileOf(fullPractice));
  expect(await run("organizations", "list")).toContain("org_maple");
  await run("keys", "create", "--organization", "org_maple", "--role", "ADMIN", "--name", "mine");
  expect(await run("keys", "list")).toContain("mine");
  expect(await run("audit", "list")).toContain("import");
  expect(await run("audit", "verify")).toContain("org_maple");
}, 120_000);

test("serve --demo works", async () => {
  const options = optionsFor(await newEmpty("demo"));
  const { program, url, readUntil } = await startServer(["--demo"], options);
  const [, key = ""] = await readUntil(/ADMIN key of the demo practice: (\S+)/);
  const headers = { Authorization: `Bearer ${key}` };
  const users = await fetch(`${url}/api/v1/users?search=an&pageSize=2`, { headers });
  expect([users.status, (await fetch(`${url}/readyz`)).status]).toEqual([200, 200]);
  expect(await (await fetch(`${url}/metrics`)).text()).toContain(
    'caseload_database_connections{state="waiting"} 0',
  );
  program.kill("SIGTERM");
  expect(await program.exited).toBe(0);
}, 60_000);

describe("a database that cannot be opened is reported in one line, without the password:", () => {
  const refusalOf = async (url: string) => {
    const { status, stderr } = await runProgram(["keys", "list"], optionsFor(url));
    expect(stderr).not.toContain("s3cret");
    expect([status, stderr.split("\n").length]).toEqual([1, 2]);
    return stderr.trim();
  };

  test("an invalid URL", async () => {
    expect(await refusalOf("postgres://ana:s3cret@")).toStartWith(
      "error: The database URL is not a URL",
    );
  }, 30_000);

  test("no server at the address", async () => {
    expect(await refusalOf("postgres://ana:s3cret@127.0.0.1:1/caseload")).toBe(
      "error: Cannot reach PostgreSQL at 127.0.0.1:1 (ECONNREFUSED); start it, or check host and port.",
    );
  }, 30_000);

  test("a server that accepts the connection and never responds, within 30 seconds", async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const begun = performance.now();
    expect(await refusalOf(`postgres://ana:s3cret@127.0.0.1:${silent.port}/caseload`)).toContain(
      "does not answer",
    );
    expect(performance.now() - begun).toBeLessThan(30_000);
    silent.stop(true);
  }, 60_000);

  test("an unknown user", async () => {
    const url = new URL(server.url);
    url.username = "ana";
    url.password = "s3cret";
    expect(await refusalOf(url.href)).toContain("does not let in the user ana");
  }, 30_000);

  test("an unknown database", async () => {
    expect(await refusalOf(server.url.replace("/postgres?", "/nowhere?"))).toContain(
      'Create it: create database "nowhere"',
    );
  }, 30_000);

  test("an empty database, a newer schema, and backups, which PostgreSQL makes itself", async () => {
    const url = await newEmpty("empty");
    expect(await refusalOf(url)).toContain("no tables of Caseload yet");
    const options = optionsFor(url);
    await runProgram(["migrate"], options);
    const { status, stderr } = await runProgram(["backup", "x.backup"], options);
    expect([status, stderr]).toEqual([1, expect.stringContaining("pg_dump")]);
    await execute(url, "insert into schema_migrations values ('9999_later', '2027-01-01')");
    expect(await refusalOf(url)).toContain("which is newer");
    expect((await runProgram(["serve"], options)).stderr).toContain("which is newer");
    await execute(url, "insert into schema_migrations values ('0013_tables', '2026-01-01')");
    expect(await refusalOf(url)).toContain("before the first release of Caseload");
  }, 60_000);
});
