import { describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isInUse, lockExclusively, lockShared } from "../../db/sqlite/lock.ts";
import { temporaryFolder } from "../support/harness.ts";

const LOCK = join(import.meta.dir, "../../db/sqlite/lock.ts");

/** Starts another program that takes a lock and keeps it until it is killed. */
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

describe("the lock of a database", () => {
  test("is shared by programs that have it open, and excludes a restore", () => {
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

  test("is one restore's alone", () => {
    const path = join(temporaryFolder(), "caseload.db");
    const lock = lockExclusively(path);
    expect(() => lockExclusively(path)).toThrow("is in use");
    lock.release();
    lockShared(path).release();
  });

  test("is dropped by the system when a program is killed, whichever it held", async () => {
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

  test("is an empty file for its owner alone, which stays", () => {
    const folder = temporaryFolder();
    lockExclusively(join(folder, "caseload.db")).release();
    expect(readdirSync(folder)).toEqual(["caseload.db-lock"]);
    const { size, mode } = statSync(join(folder, "caseload.db-lock"));
    expect([size, mode & 0o777]).toEqual([0, 0o600]);
  });

  test("needs a folder that can be written", () => {
    expect(() => lockShared(join(temporaryFolder(), "no/caseload.db"))).toThrow(
      /^Cannot open .*no\/caseload\.db-lock: it and its folder must be readable and writable/,
    );
  });
});
