import { describe, expect, spyOn, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectFile } from "../../db/sqlite/connect.ts";
import { giveToFolderOwner } from "../../db/sqlite/files.ts";
import { runProgram, withoutRootsRights } from "../support/commands/program.ts";
import { newPractice } from "../support/commands/practice.ts";
import { temporaryFolder } from "../support/harness.ts";

/**
 * A database's files are accessible only to their owner, also if they were created or made
 * accessible otherwise.
 */

const modesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [
      name,
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    ]),
  );

describe("a database that others can read or write", () => {
  test("is accessible only to its owner after a command has opened it, with all companion files", async () => {
    const { cwd, url } = await newPractice();
    const held = await connectFile(url, "existing");
    for (const name of readdirSync(cwd)) chmodSync(join(cwd, name), 0o666);
    await (await connectFile(url, "existing")).close();
    await held.close();
    const modes = modesIn(cwd);
    expect(Object.keys(modes).sort()).toContain("caseload.db-lock");
    expect(new Set(Object.values(modes))).toEqual(new Set(["600"]));
  });

  test("is refused if the user cannot change its mode", async () => {
    const { cwd, url } = await newPractice();
    chmodSync(url, 0o666);
    // A file of another user: only root can give one away, and other users do not own root's files.
    if (process.getuid?.() === 0) chownSync(url, 65_534, 65_534);
    const result = await runProgram(["migrate"], { cwd, runner: withoutRootsRights });
    expect(result).toEqual(
      process.getuid?.() === 0
        ? {
            status: 1,
            stdout: "",
            stderr:
              "error: Others can read or write caseload.db, and so patients' data. As its owner: chmod 600 caseload.db\n",
          }
        : { status: 0, stdout: "", stderr: expect.any(String) },
    );
  });
});

test("a new file belongs to the folder's owner if root has created it, else to who has created it", () => {
  const folder = join(temporaryFolder(), "of the service");
  const path = join(folder, "caseload.db");
  mkdirSync(folder);
  writeFileSync(path, "");
  const { uid } = statSync(path);
  const isRoot = uid === 0;
  if (isRoot) chownSync(folder, 65_534, 65_534);
  const user = spyOn(process, "getuid").mockReturnValue(1);
  giveToFolderOwner(path);
  user.mockRestore();
  expect(statSync(path).uid).toBe(uid);
  giveToFolderOwner(path);
  expect(statSync(path).uid).toBe(isRoot ? 65_534 : uid);
});
