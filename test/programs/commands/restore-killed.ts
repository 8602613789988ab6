import { Database as SqliteFile } from "bun:sqlite";
import { DatabaseSync } from "node:sqlite";
import type { Output } from "../../../src/commands/output.ts";
import { systemClock } from "../../../src/lib/clock.ts";

/**
 * `bun restore-killed.ts DATABASE BACKUP N` restores, and is killed right before the Nth step: a
 * call of the file system, or the closing of a database. With N = 0 it runs to the end and prints
 * the number of steps.
 */

const [database = "", backup = "", killedBefore] = process.argv.slice(2);
let steps = 0;

const FILE_CALLS = ["openSync", "writeSync", "fsyncSync", "linkSync", "renameSync", "rmSync"];

function countStep(): void {
  steps += 1;
  if (steps === Number(killedBefore)) process.kill(process.pid, "SIGKILL");
}

type Functions = Record<string, (this: unknown, ...args: unknown[]) => unknown>;

function countCalls(target: object, names: string[]): void {
  const functions = target as Functions;
  for (const name of names) {
    const original = functions[name];
    if (original === undefined) throw new Error(`There is no ${name}`);
    functions[name] = function (...args) {
      countStep();
      return original.apply(this, args);
    };
  }
}

// A static import would bind the functions before they are replaced.
countCalls(require("node:fs"), FILE_CALLS);
countCalls(SqliteFile.prototype, ["close"]);
countCalls(DatabaseSync.prototype, ["close"]);

const { restoreCommand } = await import("../../../src/commands/restore.ts");
const output: Output = { result() {}, message() {} };
await restoreCommand(
  { url: database, clock: systemClock, operator: "ana", output },
  { file: backup },
);
console.log(steps);
