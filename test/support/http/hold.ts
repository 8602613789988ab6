import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ProgramOptions, startServer } from "../commands/program.ts";

/** Starts a server whose event loop and statements are watched by `hold-preload.ts`. */
export async function startHeldServer(args: string[], options: ProgramOptions) {
  const [holds, statements] = ["holds", "statements"].map((name) => join(options.cwd, name));
  const longestIn = (file = "") => {
    const times = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, "");
    return Math.max(0, ...times.map(Number));
  };
  for (const file of [holds, statements]) writeFileSync(file ?? "", "");
  const preload = join(import.meta.dir, "hold-preload.ts");
  const files = { HOLDS: holds ?? "", STATEMENTS: statements ?? "" };
  const env = { ...options.env, ...files, BUN_OPTIONS: `--preload ${preload}` };
  return {
    ...(await startServer(args, { ...options, env })),
    /** The longest processor time of a turn of the event loop since the last call, in milliseconds. */
    longestHold: () => longestIn(holds),
    /** The longest time of a statement since the last call, in milliseconds; 0 if all were short. */
    longestStatement: () => longestIn(statements),
  };
}
