import { join } from "node:path";

/**
 * Bundles a file of the page for browsers. It runs as a macro: where `assets.ts` is loaded from a checkout, and
 * once, while the binary is built, which then holds nothing but the text.
 *
 * A macro may not call `Bun.build`, which would wait for the bundler that waits for the macro.
 *
 * @throws Error with what the bundler said.
 */
export function bundled(file: string): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([
    process.execPath,
    "build",
    join(import.meta.dir, "app", file),
    "--target=browser",
    "--format=esm",
    "--minify",
    "--define=process.env.NODE_ENV='production'",
  ]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}
