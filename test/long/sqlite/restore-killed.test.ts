import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { restoreCommand } from "../../../src/commands/restore.ts";
import { temporaryFolder, TestClock } from "../../support/harness.ts";
import { captureOutput, contentsOf, makeDatabase } from "../../support/commands/practice.ts";

/** A killed restore leaves either the old database or the new one. */

const PROGRAM = join(import.meta.dir, "../../programs/commands/restore-killed.ts");
const AT_ONCE = 4;

const folder = temporaryFolder();
const backup = join(folder, "backup.db");
const old = join(folder, "old.db");

/** The old database. Its last write is in the write-ahead log of a killed process. */
async function makeOldDatabase(): Promise<void> {
  await makeDatabase(old, "org_old");
  const killed = Bun.spawn([
    process.execPath,
    "-e",
    `
      import { connectFile } from ${JSON.stringify(join(import.meta.dir, "../../../db/sqlite/connect.ts"))};
      const database = connectFile(${JSON.stringify(old)}, "existing");
      await database.write((trx) => trx.updateTable("organizations").set({ name: "late" }).execute(), { organizationId: "" });
      process.kill(process.pid, "SIGKILL");
    `,
  ]);
  await killed.exited;
  expect(statSync(`${old}-wal`).size).toBeGreaterThan(0);
}

/** A copy of the old database in its own folder. */
function copyOfOld(name: string) {
  const cwd = join(folder, name);
  const path = join(cwd, "caseload.db");
  mkdirSync(cwd);
  for (const suffix of ["", "-wal"]) copyFileSync(old + suffix, path + suffix);
  return { cwd, path };
}

/** Restores over a new copy of the old database; the process is killed before a step. */
async function restoreKilledBefore(step: number) {
  const { cwd, path } = copyOfOld(`killed-before-${step}`);
  const program = Bun.spawn([process.execPath, PROGRAM, path, backup, String(step)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const printed = await program.stdout.text();
  await program.exited;
  return { cwd, path, killed: program.signalCode === "SIGKILL", steps: Number(printed) };
}

/** The tables that a restore leaves as in the backup: all but the audit trail, the sequences and the writes, of which it is one. */
const asInBackup = ({ audit_entries, audit_heads, organizations, writes, ...rest }: Contents) => ({
  ...rest,
  organizations: (organizations as { name: string }[]).map(({ name }) => name),
});
type Contents = Record<string, unknown[]>;

await makeDatabase(backup, "org_new");
await makeOldDatabase();
const whole = await restoreKilledBefore(0);

test("an uninterrupted restore has more than 25 steps", () => {
  expect(whole.killed).toBe(false);
  expect(whole.steps).toBeGreaterThan(25);
});

test("a restore that is killed before any step leaves the old or the new database, and can be repeated", async () => {
  const before = contentsOf(copyOfOld("untouched").path);
  const after = contentsOf(backup);
  expect(before.organizations).toEqual([expect.objectContaining({ name: "late" })]);

  const checkState = async (step: number): Promise<"old" | "new"> => {
    const { cwd, path, killed } = await restoreKilledBefore(step);
    expect([step, killed]).toEqual([step, true]);
    const left = contentsOf(path);
    const isNew = left.audit_entries?.length === 1;
    if (isNew) {
      expect(asInBackup(left)).toEqual(asInBackup(after));
      expect(left.writes).toHaveLength(1);
    } else expect(left).toEqual(before);
    const kept = readdirSync(cwd).filter((name) => /\.replaced-[^-]+-\d\d-\d\dT.*Z$/.test(name));
    if (isNew) expect(kept).toHaveLength(1);
    for (const name of kept) expect(contentsOf(join(cwd, name))).toEqual(before);

    await restoreCommand(
      { url: path, clock: new TestClock(), operator: "ana", output: captureOutput() },
      { file: backup },
    );
    expect(asInBackup(contentsOf(path))).toEqual(asInBackup(after));
    expect(readdirSync(cwd).filter((name) => name.includes("restoring"))).toEqual([]);
    return isNew ? "new" : "old";
  };

  const states: string[] = [];
  for (let first = 1; first <= whole.steps; first += AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, index) => first + index);
    const chunk = numbers.filter((step) => step <= whole.steps);
    states.push(...(await Promise.all(chunk.map(checkState))));
  }
  // One step, the rename, separates the two.
  const change = states.indexOf("new");
  expect(change).toBeGreaterThan(0);
  expect(states).toEqual(states.map((_, index) => (index < change ? "old" : "new")));
}, 60_000);
