import { describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isInUse, lockExclusively, lockShared } from "../../db/sqlite/lock.ts";
import { temporaryFolder } from "../support/harness.ts";

const LOCK = join(import.meta.dir, "../../db/sqlite/lock.ts");

/** Starts another process that takes a lock and holds it until it is killed. */
async function holdElsewhere(take: "lockShared" | "lockExclusively", path: string) {
  const program = Bun.spawn(
    [
      process.execPath,
      "-e",
      `
        import { ${take} } from ${JSON.stringify(LOCK)};
        globalThis.lock = ${take}(${JSON.stringify(path)});
        console.log("held");
        await Bun.sleep(60_000);
      `,
    ],
    { stdout: "pipe" },
  );
  await program.stdout.getReader().read();
  return program;
}

describe("the lock file of a database", () => {
  test("is shared by processes that have the database open, and excludes a restore", () => {
    const path = join(temporaryFolder(), "caseload.db");
    const holders = [lockShared(path), lockShared(path)];
    expect(() => lockExclusively(path)).toThrow(/caseload\.db is in use\. Stop the server/);
    expect(isInUse(path)).toBe(true);
    holders[0]?.release();
    expect(isInUse(path)).toBe(true);
    holders[1]?.release();
    expect(isInUse(path)).toBe(false);
    lockExclusively(path).release();
  });

  test("allows one restore at a time", () => {
    const path = join(temporaryFolder(), "caseload.db");
    const lock = lockExclusively(path);
    expect(() => lockExclusively(path)).toThrow("is in use");
    lock.release();
    lockShared(path).release();
  });

  test("is released by the operating system when a process is killed", async () => {
    const path = join(temporaryFolder(), "caseload.db");
    for (const take of ["lockShared", "lockExclusively"] as const) {
      const program = await holdElsewhere(take, path);
      expect(() => lockExclusively(path)).toThrow("is in use");
      program.kill("SIGKILL");
      await program.exited;
      lockExclusively(path).release();
      lockShared(path).release();
    }
  });

  test("is an empty file with mode 600, which is not deleted", () => {
    const folder = temporaryFolder();
    lockExclusively(join(folder, "caseload.db")).release();
    expect(readdirSync(folder)).toEqual(["caseload.db-lock"]);
    const { size, mode } = statSync(join(folder, "caseload.db-lock"));
    expect([size, mode & 0o777]).toEqual([0, 0o600]);
  });

  test("requires a writable folder", () => {
    expect(() => lockShared(join(temporaryFolder(), "no/caseload.db"))).toThrow(
      /^Cannot open .*no\/caseload\.db-lock: it and its folder must be readable and writable/,
    );
  });
});
