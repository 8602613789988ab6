import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { connectFile } from "../../../db/sqlite/connect.ts";
import { BASELINE, migrate } from "../../../db/migrate.ts";
import { baseline } from "../../../db/sqlite/tables.ts";
import { steps } from "../../../db/steps.ts";
import type { Instant } from "../../../src/lib/instant.ts";
import { NOW, temporaryFolder } from "../../support/harness.ts";
import { appliedSteps, catalogue, laterStep, withSteps } from "../../support/steps.ts";

/** Migrations by several processes at once, and by processes that are killed. */

const now = NOW as Instant;
const names = [BASELINE, ...steps.map((step) => step.name)];
const later = [laterStep.name];

/** Runs source code of this repository in another process. */
function runProgram(source: string) {
  return Bun.spawn([process.execPath, "-e", source], {
    cwd: join(import.meta.dir, "../../.."),
    stdout: "pipe",
    stderr: "pipe",
  });
}

describe("migrations", () => {
  test("run once if five processes start at the same time, and all processes start", async () => {
    const folder = temporaryFolder();
    const older = connectFile(join(folder, "older.db"), "create");
    await migrate(older, now);
    await older.close();
    for (const file of ["empty.db", "older.db"]) {
      const path = join(folder, file);
      const source = `
        import "./test/programs/later-version.ts";
        import { openMigrated } from "./src/commands/database.ts";
        import { systemClock } from "./src/lib/clock.ts";
        const output = { result() {}, message() {} };
        const url = ${JSON.stringify(path)};
        const database = await openMigrated({ url, clock: systemClock, output });
        await database.read((db) => db.selectFrom("users").select("public_id").execute());
        await database.close();
      `;
      const programs = Array.from({ length: 5 }, () => runProgram(source));
      const results = await Promise.all(
        programs.map(async (program) => [await program.exited, await program.stderr.text()]),
      );
      expect(results).toEqual(Array(5).fill([0, ""]));
      expect(appliedSteps(path)).toEqual([...names, ...later]);
    }
  });

  test("that were killed are completed by the next start", async () => {
    const folder = temporaryFolder();
    const whole = connectFile(join(folder, "whole.db"), "create");
    await migrate(whole, now);
    await withSteps([laterStep], () => migrate(whole, now));
    await whole.close();

    // Killed after some statements: their transaction is never committed.
    const killed: [string, number, string[]][] = [
      ["baseline", 0, []],
      ["baseline", 1, []],
      ["baseline", baseline.length - 1, []],
      ["laterStep.statements", 0, names],
      ["laterStep.statements", 1, names],
    ];
    for (const [index, [statements, survived, applied]] of killed.entries()) {
      const path = join(folder, `killed-${index}.db`);
      const program = runProgram(`
        import { CompiledQuery } from "kysely";
        import { connectFile } from "./db/sqlite/connect.ts";
        import { migrate } from "./db/migrate.ts";
        import { baseline } from "./db/sqlite/tables.ts";
        import { laterStep } from "./test/support/steps.ts";
        const database = connectFile(${JSON.stringify(path)}, "create");
        if (${applied.length > 0}) await migrate(database, ${JSON.stringify(now)});
        await database.changeSchema(async (trx) => {
          for (const statement of ${statements}.slice(0, ${survived}))
            await trx.executeQuery(CompiledQuery.raw(statement));
          process.kill(process.pid, "SIGKILL");
          await Bun.sleep(10_000);
        });
      `);
      await program.exited;
      expect(program.signalCode).toBe("SIGKILL");

      const database = connectFile(path, "existing");
      expect(await migrate(database, now)).toEqual(applied.length > 0 ? [] : names);
      await withSteps([laterStep], async () => expect(await migrate(database, now)).toEqual(later));
      await database.close();
      expect(catalogue(path)).toEqual(catalogue(join(folder, "whole.db")));
    }
  });
});
