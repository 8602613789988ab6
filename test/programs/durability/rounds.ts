import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { check, expectEqual, printSum } from "../../support/checks.ts";
import { runProgram } from "../../support/commands/program.ts";
import { type Outcome, runRounds } from "./killing.ts";
import { newPracticeFile } from "./practice.ts";
import { inconsistenciesIn } from "./stored.ts";

/**
 * No acknowledged write is lost or half stored when the server is killed: `bun
 * test/programs/durability/rounds.ts [--rounds 50] [--writes 10000]`.
 *
 * In each round a server is killed while clients write. The next server gets all requests again. A
 * kill does not test that data has reached the disk, because the operating system still writes the
 * cache of a dead process: `trace.ts` tests that.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    writes: { type: "string", default: "10000" },
  },
});
const rounds = Number(values.rounds);
const writes = Number(values.writes);

const folder = mkdtempSync(join(tmpdir(), "caseload-rounds-"));
try {
  const practice = await newPracticeFile(join(folder, "caseload.db"));
  let outcome: Outcome | undefined;
  await check(`acknowledged writes are known after each of ${rounds} kills`, async () => {
    outcome = await runRounds(practice, rounds, writes);
    const { acknowledged, unanswered, committed } = outcome;
    console.log(
      `${acknowledged} writes acknowledged; of ${unanswered} unanswered ones ${committed} had been committed`,
    );
    expectEqual([acknowledged >= writes, unanswered >= rounds], [true, true]);
  });
  await check("every write is stored completely, and none in part", () =>
    expectEqual(inconsistenciesIn(practice, outcome?.attempts ?? []).slice(0, 10), []),
  );
  await check("the audit trail is valid", async () => {
    const args = ["audit", "verify", "--database", practice.path];
    expectEqual((await runProgram(args, { cwd: folder })).status, 0);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printSum();
