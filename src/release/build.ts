import { join } from "node:path";
import { parseArgs } from "node:util";
import { commitOf } from "../version.ts";
import { writeClientTypes } from "./client-types.ts";

/**
 * Makes the program as one file with everything inside, and the package of its types in `dist/types`:
 * `bun run build [--outfile FILE]`.
 */

const ROOT = join(import.meta.dir, "../..");

/** For another machine than this one. */
export interface Foreign {
  /** As `bun build --target` calls it. */
  target: string;
  /** The path of Bun for that machine, which would otherwise come from GitHub. */
  runtime: string;
}

/**
 * Bundles and compiles the program. The same commit and the same Bun give the same bytes.
 *
 * @throws Error with what the bundler said.
 */
export function build(outfile: string, foreign?: Foreign): void {
  const { exitCode, stderr } = Bun.spawnSync(
    [
      ...[process.execPath, "build", "src/main.ts", "--compile", "--splitting", "--bytecode"],
      ...["--format=esm", "--outfile", outfile],
      // It would run a .env and a bunfig.toml of whatever folder it is started in.
      ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"],
      ...["--define", `process.env.NODE_ENV="production"`],
      ...["--define", `CASELOAD_COMMIT=${JSON.stringify(commitOf(ROOT))}`],
      ...(foreign === undefined
        ? []
        : [`--target=${foreign.target}`, `--compile-executable-path=${foreign.runtime}`]),
    ],
    { cwd: ROOT, stdout: "inherit" },
  );
  if (exitCode !== 0) throw new Error(stderr.toString());
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { outfile: { type: "string", default: join(ROOT, "dist/caseload") } },
  });
  build(values.outfile);
  // With its types beside it, for clients in TypeScript.
  writeClientTypes(join(ROOT, "dist/types"));
}
