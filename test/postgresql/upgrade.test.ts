import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "../../db/connect.ts";
import { schemaState } from "../../db/migrate.ts";
import { runProgram, startProgram, startServer } from "../support/commands/program.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";
import { databaseOf, type Fixture } from "../support/upgrade/fixture.ts";

/** Commands on a PostgreSQL database that commit 2085c87d made, before the first release. */

const server = await newTestServer();
afterAll(() => server.remove());

const older = () => databaseOf("2085c87d", "postgresql", server.url);
const run = ({ folder, url }: Fixture, ...args: string[]) =>
  runProgram(args, { cwd: folder, env: { DATABASE_URL: url } });

async function stateIn(url: string) {
  const database = await connect(url, "existing");
  try {
    return await schemaState(database);
  } finally {
    await database.close();
  }
}

test("migrate brings it up to date; its operator makes the backup", async () => {
  const fixture = await older();
  const { status, stdout, stderr } = await run(fixture, "migrate");
  expect([status, stdout, stderr]).toEqual([
    0,
    "0001_upgrade_from_2085c87d\n",
    "The database is now up to date.\n",
  ]);
  const { stdout: checks } = await run(fixture, "doctor");
  expect(checks).toContain("made by 1.0.0 (commit 2085c87d) on 2026-11-28, last upgraded by");
}, 60_000);

test("an upgrade is refused while a server has it open, and nothing is changed", async () => {
  const fixture = await older();
  const node = await connect(fixture.url, "existing");
  await node.lock("shared");
  const { status, stderr } = await run(fixture, "migrate");
  await node.close();
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^error: A server has the database .+ open\. Stop all servers on it, and try again\.\n$/,
    ),
  ]);
  expect(await stateIn(fixture.url)).toBe("older");
}, 60_000);

test("three servers that start at once: one brings it up to date, and all answer", async () => {
  const fixture = await older();
  const env = { DATABASE_URL: fixture.url };
  const started = await Promise.all(
    [1, 2, 3].map(() => startServer([], { cwd: fixture.folder, env })),
  );
  for (const { url } of started) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  for (const { program } of started) program.kill();
  await Promise.all(started.map(({ program }) => program.exited));
}, 60_000);

test("an upgrade that is killed leaves the database of before or of after", async () => {
  const fixture = await older();
  const env = { DATABASE_URL: fixture.url };
  for (const delay of [150, 250, 300, 350, 400, 450, 500, 600]) {
    const program = startProgram(["migrate"], { cwd: fixture.folder, env });
    await Bun.sleep(delay);
    program.kill("SIGKILL");
    await program.exited;
    expect(["older", "current"]).toContain(await stateIn(fixture.url));
  }
  expect((await run(fixture, "migrate")).status).toBe(0);
  expect((await run(fixture, "audit", "verify")).status).toBe(0);
}, 60_000);

describe("copy, afterwards", () => {
  test("to a file", async () => {
    const fixture = await older();
    await run(fixture, "migrate");
    const { status, stderr } = await run(fixture, "copy", "moved.db");
    expect([status, stderr]).toEqual([0, expect.stringContaining("exports are identical")]);
  }, 60_000);

  test("from a file", async () => {
    const { folder } = await databaseOf("2085c87d", "sqlite");
    await runProgram(["migrate"], { cwd: folder });
    const empty = await newDatabaseUrl(server.url, "moved", "template0");
    const { status, stderr } = await runProgram(["copy", empty], { cwd: folder });
    expect([status, stderr]).toEqual([0, expect.stringContaining("exports are identical")]);
  }, 60_000);
});
