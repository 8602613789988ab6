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
    /** For how long the event loop did not turn since the last call, at most, in milliseconds. */
    longestHold(): number {
      const holds = readFileSync(file, "utf8").split("\n");
      writeFileSync(file, "");
      return Math.max(...holds.map(Number));
    },
  };
}
