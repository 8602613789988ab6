import { join } from "node:path";
import { creatableRoles, practiceFileReach } from "../access/permissions.ts";
import { csvColumns, recordDescriptions } from "./record-fields.ts";

/**
 * Bundles a file of the page for browsers. Runs as a macro: when `assets.ts` is loaded from a checkout, or once during
 * the build of the binary, which then contains only the text.
 *
 * A macro cannot call `Bun.build`: it would wait for the bundler, which waits for the macro.
 *
 * @throws Error with the bundler's output.
 */
export function bundled(file: string): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([
    process.execPath,
    "build",
    join(import.meta.dir, "app", file),
    "--target=browser",
    "--format=esm",
    "--minify",
    // Fonts are files of their own.
    "--external=*.woff2",
    "--define=process.env.NODE_ENV='production'",
    `--define=RECORD_DESCRIPTIONS=${JSON.stringify(recordDescriptions())}`,
    `--define=CSV_COLUMNS=${JSON.stringify(csvColumns())}`,
    `--define=CREATABLE_ROLES=${JSON.stringify(creatableRoles)}`,
    `--define=PRACTICE_FILE_REACH=${JSON.stringify(practiceFileReach)}`,
  ]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}
