import { Database as SqliteFile } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { backUpEncrypted } from "../../db/sqlite/encrypted-backup.ts";
import { ownCommit, VERSION } from "../../src/version.ts";
import { contentsOf } from "../support/commands/practice.ts";
import {
  runInProcess,
  runProgram,
  startServer,
  withoutRootsRights,
} from "../support/commands/program.ts";
import { databaseOf, withoutTimes } from "../support/upgrade/fixture.ts";

/** Commands on a database file that commit 2085c87d made, before the first release. */

const STEP = "0001_upgrade_from_2085c87d";
const BACKUP = `caseload.db.before-${VERSION}`;
const older = () => databaseOf("2085c87d", "sqlite");

/** What a database has after its upgrade: the records, and whether all of it is whole. */
async function stateOf(cwd: string, file = "caseload.db"): Promise<unknown[]> {
  const run = (...args: string[]) => runInProcess(["--database", file, ...args], { cwd });
  const keys = JSON.parse((await run("keys", "list", "--json")).stdout) as object[];
  const { stdout } = await run("export", "org_maple");
  return [withoutTimes(stdout), keys.length, (await run("audit", "verify")).status];
}

async function upgraded(): Promise<unknown[]> {
  const { folder } = await older();
  await runInProcess(["migrate"], { cwd: folder });
  return stateOf(folder);
}

const whole = await upgraded();
const [, keys, verified] = whole;

test("what all upgrades must have is something", () => {
  expect([keys, verified]).toEqual([7, 0]);
});

describe("migrate", () => {
  test("brings it up to date behind a backup with the version's name, and says both", async () => {
    const { folder } = await older();
    const { status, stdout, stderr } = await runInProcess(["migrate"], { cwd: folder });
    expect([status, stdout, stderr]).toEqual([
      0,
      `${STEP}\n`,
      `The database as it was is kept in caseload.db.before-${VERSION}.\nThe database is now up to date.\n`,
    ]);
    expect((await runInProcess(["migrate"], { cwd: folder })).stderr).toBe(
      "The database is up to date.\n",
    );
    expect(readdirSync(folder).sort()).toEqual(
      ["archive.ndjson", "caseload.db", "caseload.db-lock", BACKUP].sort(),
    );
  });

  test("makes no backup with --no-backup", async () => {
    const { folder } = await older();
    await runInProcess(["migrate", "--no-backup"], { cwd: folder });
    expect(readdirSync(folder)).not.toContain(BACKUP);
    expect(await stateOf(folder)).toEqual(whole);
  });

  test("refuses one of another commit, and leaves it as it is", async () => {
    const { folder, url } = await older();
    const file = new SqliteFile(url);
    file.run("alter table goals add column metric text");
    file.close();
    const before = contentsOf(url);
    const { status, stderr } = await runInProcess(["migrate"], { cwd: folder });
    expect([status, stderr]).toEqual([
      1,
      "error: The database has other tables than the version that can be brought up to date (commit 2085c87d). Export its practices with the version that made it, and import them into a new database.\n",
    ]);
    expect(contentsOf(url)).toEqual(before);
  });

  test("refuses a file that cannot be written", async () => {
    const { folder, url } = await older();
    const program = { cwd: folder, runner: withoutRootsRights };
    chmodSync(url, 0o400);
    const readOnly = await runProgram(["migrate"], program);
    expect([readOnly.status, readOnly.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^error: Cannot open the database caseload\.db: it is not readable and writable/,
      ),
    ]);
  });
});

test("doctor says which versions made it and brought it up to date", async () => {
  const { folder } = await older();
  await runInProcess(["migrate"], { cwd: folder });
  const { stdout } = await runInProcess(["doctor", "--json"], { cwd: folder });
  const checks = JSON.parse(stdout) as { name: string; message: string }[];
  expect(checks.find(({ name }) => name === "schema")?.message).toMatch(
    new RegExp(
      `^up to date; made by 1\\.0\\.0 \\(commit 2085c87d\\) on 2026-11-28, last upgraded by ${VERSION} \\(commit ${ownCommit()}\\) on \\d{4}-\\d\\d-\\d\\d$`,
    ),
  );
});

test("serve brings it up to date and answers with its keys", async () => {
  const { folder, shown } = await older();
  const { program, url } = await startServer([], { cwd: folder });
  const headers = { Authorization: `Bearer ${shown.keys.admin}` };
  expect((await fetch(`${url}/api/v1/me`, { headers })).status).toBe(200);
  program.kill();
  await program.exited;
  expect(await program.stderr.text()).toStartWith(
    `The database as it was is kept in caseload.db.before-${VERSION}.\n`,
  );
});

test("import brings it up to date, and a file from before changes nothing but the number of the write", async () => {
  const { folder, exported } = await older();
  writeFileSync(join(folder, "practice.ndjson"), `${exported.join("\n")}\n`);
  const { status, stderr } = await runInProcess(["import", "practice.ndjson"], { cwd: folder });
  expect([status, stderr]).toEqual([0, expect.stringContaining(BACKUP)]);
  expect(await stateOf(folder)).toEqual(whole);
});

describe("restore", () => {
  test("brings a backup up to date, and leaves it as it is", async () => {
    const { folder, url } = await older();
    copyFileSync(url, join(folder, "monday.db"));
    const before = readFileSync(join(folder, "monday.db"));
    const args = ["--database", "restored.db", "restore", "monday.db"];
    expect((await runInProcess(args, { cwd: folder })).status).toBe(0);
    expect(await stateOf(folder, "restored.db")).toEqual(whole);
    expect(readFileSync(join(folder, "monday.db")).equals(before)).toBe(true);
  });

  test("brings an encrypted backup up to date", async () => {
    const { folder, url } = await older();
    const identity = await generateX25519Identity();
    writeFileSync(join(folder, "key.txt"), `${identity}\n`);
    await backUpEncrypted(url, join(folder, "monday.age"), [await identityToRecipient(identity)]);
    const args = ["--database", "restored.db", "restore", "monday.age", "--identity", "key.txt"];
    expect((await runInProcess(args, { cwd: folder })).status).toBe(0);
    expect(await stateOf(folder, "restored.db")).toEqual(whole);
  });

  test.each([
    ["a trigger", "create trigger t after insert on users begin delete from users; end"],
    ["another table", "create table bookmarks (url text)"],
    ["another column", "alter table users add column nickname text"],
  ])("refuses one with %s, which may be forged", async (_, statement) => {
    const { folder, url } = await older();
    const file = new SqliteFile(url);
    file.run(statement);
    file.close();
    const args = ["--database", "restored.db", "restore", "caseload.db"];
    const { status, stderr } = await runInProcess(args, { cwd: folder });
    expect([status, stderr]).toEqual([1, expect.stringContaining("so it may be forged")]);
  });

  test("takes a backup of an upgraded database", async () => {
    const { folder } = await older();
    await runInProcess(["migrate"], { cwd: folder });
    await runInProcess(["backup", "now.db"], { cwd: folder });
    const args = ["--database", "restored.db", "restore", "now.db"];
    expect((await runInProcess(args, { cwd: folder })).status).toBe(0);
    expect(await stateOf(folder, "restored.db")).toEqual(whole);
  });
});

describe("serve --demo", () => {
  test("brings a demo.db of that version up to date", async () => {
    const { folder, url } = await older();
    copyFileSync(url, join(folder, "demo.db"));
    const { program } = await startServer(["--demo"], { cwd: folder });
    program.kill();
    await program.exited;
    expect(await program.stderr.text()).toStartWith(
      `The database as it was is kept in demo.db.before-${VERSION}.\n`,
    );
    expect((await stateOf(folder, "demo.db"))[0]).toBe(whole[0]);
  });

  test("moves a demo.db aside that cannot be brought up to date, and makes it anew; both is said", async () => {
    const { folder, url } = await older();
    copyFileSync(url, join(folder, "demo.db"));
    const file = new SqliteFile(join(folder, "demo.db"));
    file.run("alter table goals add column metric text");
    file.close();
    const { program } = await startServer(["--demo"], { cwd: folder });
    program.kill();
    await program.exited;
    expect(await program.stderr.text()).toMatch(
      /^The database has other tables than .* It was moved to \S*demo\.db\.replaced-\S+, and the demo is made anew\.\n/,
    );
    expect(readdirSync(folder).filter((name) => name.includes("replaced"))).toHaveLength(1);
  });
});
