import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NO_ORGANIZATION } from "../../db/database.ts";
import { connectFile } from "../../db/sqlite/connect.ts";
import { runInProcess, startServer } from "../support/commands/program.ts";
import { temporaryFolder } from "../support/harness.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import { fileOf } from "../support/practice-file/practice-file.ts";

/** What a refused copy leaves: no target, and a row of the trail that says that it has failed. */

async function newSource() {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "practice.ndjson"), fileOf(fullPractice));
  const run = (...args: string[]) =>
    runInProcess(args, { cwd, env: { DATABASE_URL: join(cwd, "source.db") } });
  expect((await run("import", "practice.ndjson")).status).toBe(0);
  const statusesOfCopies = async () => {
    const { stdout } = await run("audit", "list", "--json");
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return rows.filter(({ route }) => route === "copy").map(({ status }) => status);
  };
  const targets = () => readdirSync(cwd).filter((name) => name.startsWith("target"));
  return { cwd, run, statusesOfCopies, targets };
}

test("a copy is in both trails once; one into a taken target, which stays as it was, once as failed", async () => {
  const { cwd, run, statusesOfCopies } = await newSource();
  expect((await run("copy", "target.db")).status).toBe(0);
  expect(await statusesOfCopies()).toEqual([0]);
  const exported = () =>
    runInProcess(["export", "org_maple"], { cwd, env: { DATABASE_URL: "target.db" } });
  const before = (await exported()).stdout;
  expect((await run("copy", "target.db")).stderr).toContain("The target has organizations already");
  expect(await statusesOfCopies()).toEqual([0, 1]);
  expect((await exported()).stdout).toBe(before);
}, 60_000);

test("a copy into the database itself is refused", async () => {
  const { cwd, run, statusesOfCopies } = await newSource();
  const { status, stderr } = await run("copy", "./source.db");
  expect([status, stderr]).toEqual([
    1,
    `error: ${join(cwd, "source.db")} is the database itself. Name an empty one.\n`,
  ]);
  expect(await statusesOfCopies()).toEqual([]);
}, 60_000);

test("a copy of a broken trail leaves no file", async () => {
  const { cwd, run, statusesOfCopies, targets } = await newSource();
  const database = connectFile(join(cwd, "source.db"), "existing");
  await database.write(
    (trx) =>
      trx
        .updateTable("audit_entries")
        .set({ operator: "eve" })
        .where("route", "=", "import")
        .execute(),
    NO_ORGANIZATION,
  );
  await database.close();
  const { status, stderr } = await run("copy", "target.db");
  expect([status, stderr]).toEqual([1, expect.stringContaining("is not whole")]);
  expect([targets(), await statusesOfCopies()]).toEqual([[], [1]]);
}, 60_000);

test("a copy of a database that a server has open leaves no file and no row", async () => {
  const { cwd, run, statusesOfCopies, targets } = await newSource();
  const { program } = await startServer(["--database", "source.db"], { cwd });
  const { status } = await run("copy", "target.db");
  program.kill();
  await program.exited;
  expect([status, targets(), await statusesOfCopies()]).toEqual([1, [], []]);
}, 60_000);
