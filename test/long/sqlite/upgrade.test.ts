import { expect, test } from "bun:test";
import { connectFile } from "../../../db/sqlite/connect.ts";
import { schemaState } from "../../../db/migrate.ts";
import { runInProcess, runProgram, startProgram } from "../../support/commands/program.ts";
import { exportText } from "../../support/practice-file/practice-file.ts";
import { databaseOf, withoutTimes } from "../../support/upgrade/fixture.ts";

/** Upgrades beside a program of the earlier version, and upgrades that are killed. */

test("an upgrade is refused while a program of the earlier version has the file open", async () => {
  const { folder, url } = await databaseOf("2085c87d", "sqlite");
  const source = `
    const { connectFile } = await import("./db/sqlite/connect.ts");
    const database = connectFile(${JSON.stringify(url)}, "existing");
    console.log("open");
    await Bun.sleep(60_000);
    await database.close();
  `;
  const other = Bun.spawn([process.execPath, "-e", source], { stdout: "pipe" });
  await other.stdout.getReader().read();
  const { status, stderr } = await runProgram(["migrate"], { cwd: folder });
  other.kill();
  expect([status, stderr]).toEqual([
    1,
    "error: The database caseload.db is in use. Stop the server, or wait until the command that uses it is done, and try again.\n",
  ]);
  expect((await runInProcess(["keys", "list"], { cwd: folder })).stderr).toContain(
    "is of a version before the first release of Caseload, which is older than this one",
  );
}, 30_000);

/** A generator of equally distributed numbers, the same in each run. */
function newRandom(): () => number {
  let state = 20_260_311;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("an upgrade that is killed at any moment leaves the database of before or of after", async () => {
  const random = newRandom();
  const expected = new Map<string, string>();
  const states: string[] = [];
  const started = performance.now();
  const { folder: measured } = await databaseOf("2085c87d", "sqlite");
  await runProgram(["migrate"], { cwd: measured });
  const duration = performance.now() - started;
  for (let kills = 0; kills < 30; kills += 1) {
    const { folder, url, shown, exported } = await databaseOf("2085c87d", "sqlite");
    const program = startProgram(["migrate"], { cwd: folder });
    await Bun.sleep(random() * duration * 1.1);
    program.kill("SIGKILL");
    await program.exited;
    const database = connectFile(url, "existing");
    const state = await schemaState(database);
    await database.close();
    states.push(state);
    if (state === "older") {
      const { status, stderr } = await runInProcess(["migrate"], { cwd: folder });
      expect([status, stderr]).toEqual([0, expect.stringContaining("is now up to date")]);
    }
    const opened = connectFile(url, "existing");
    const text = withoutTimes(await exportText(opened, shown.organization));
    await opened.close();
    expect(expected.size === 0 ? text : expected.get("text")).toBe(text);
    expected.set("text", text);
    expect(exported.length).toBe(text.trimEnd().split("\n").length);
  }
  expect(new Set(states)).toEqual(new Set(["older", "current"]));
}, 120_000);
