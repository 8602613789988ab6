import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ProgramOptions, startServer } from "../commands/program.ts";

/** Starts a server whose event loop is watched by `hold-preload.ts`. */
export async function startHeldServer(args: string[], options: ProgramOptions) {
  const file = join(options.cwd, "holds");
  writeFileSync(file, "");
  const preload = join(import.meta.dir, "hold-preload.ts");
  const env = { ...options.env, HOLDS: file, BUN_OPTIONS: `--preload ${preload}` };
  return {
    ...(await startServer(args, { ...options, env })),
    /** The longest processor time of a turn of the event loop since the last call, in milliseconds. */
    longestHold(): number {
      const holds = readFileSync(file, "utf8").split("\n");
      writeFileSync(file, "");
      return Math.max(0, ...holds.map(Number));
    },
  };
}
