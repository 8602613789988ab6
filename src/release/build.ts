import { join } from "node:path";
import { parseArgs } from "node:util";
import { commitOf } from "../version.ts";
import { writeClientTypes } from "./client-types.ts";

/**
 * Builds the program as a single file, and the package of its types in `dist/types`:
 * `bun run build [--outfile FILE]`.
 */

const ROOT = join(import.meta.dir, "../..");

/** For another platform than this one. */
export interface Foreign {
  /** The value of `bun build --target`. */
  target: string;
  /** The path of Bun for that platform, which would otherwise be downloaded from GitHub. */
  runtime: string;
}

/**
 * Bundles and compiles the program. Reproducible for the same commit and version of Bun.
 *
 * @throws Error with the bundler's output.
 */
export function build(outfile: string, foreign?: Foreign): void {
  const { exitCode, stderr } = Bun.spawnSync(
    [
      ...[
        process.execPath,
        "build",
        "src/main.ts",
        "src/worker.ts",
        "--compile",
        "--splitting",
        "--bytecode",
      ],
      ...["--format=esm", "--outfile", outfile],
      // Most code of a start runs once and is not worth compiling. `main.ts` sets the usual policy after it.
      "--compile-jit-policy=16",
      // Otherwise it would load .env and bunfig.toml from the folder in which it is started.
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
  // Together with its types, for clients in TypeScript.
  writeClientTypes(join(ROOT, "dist/types"));
}
