import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { runInProcess, startServer } from "../support/commands/program.ts";
import { temporaryFolder } from "../support/harness.ts";

/** A database whose path is a symbolic link: SQLite keeps its companions beside what the link leads to. */

function linkedFolder(): { cwd: string; disk: string } {
  const cwd = temporaryFolder();
  const disk = join(cwd, "disk");
  mkdirSync(disk);
  symlinkSync("disk/practice.db", join(cwd, "caseload.db"));
  return { cwd, disk };
}

test("is made by the link, and taken by every command", async () => {
  const { cwd, disk } = linkedFolder();
  const commands = [
    ["import", "practice.ndjson"],
    ["migrate"],
    ["keys", "create", "--organization", "org_maple", "--role", "ADMIN", "--name", "desk"],
    ["organizations", "list"],
    ["export", "org_maple"],
    ["backup", "monday.db"],
    ["audit", "verify"],
    ["doctor"],
    ["restore", "monday.db"],
  ];
  const line = { type: "organization", publicId: "org_maple", name: "Maple" };
  await Bun.write(join(cwd, "practice.ndjson"), `${JSON.stringify(line)}\n`);
  for (const command of commands) {
    const { status, stderr } = await runInProcess(command, { cwd });
    expect([command[0], status, status === 0 ? "" : stderr]).toEqual([command[0], 0, ""]);
  }
  expect(readdirSync(disk).filter((name) => name === "practice.db")).toHaveLength(1);
  // Nothing but the link is beside it.
  expect(readdirSync(cwd).filter((name) => name.startsWith("caseload.db"))).toEqual([
    "caseload.db",
  ]);
});

test("is served, until what the link leads to is removed", async () => {
  const { cwd, disk } = linkedFolder();
  expect((await runInProcess(["migrate"], { cwd })).status).toBe(0);
  const { program, url } = await startServer([], { cwd });
  // The presence of the file is looked at four times a second.
  await Bun.sleep(1_500);
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, program.exitCode]).toEqual([200, null]);
  expect(existsSync(join(disk, "practice.db-wal"))).toBe(true);
  program.kill();
  expect(await program.exited).toBe(0);
}, 20_000);
