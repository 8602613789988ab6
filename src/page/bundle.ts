import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  billingRoles,
  creatableRoles,
  limitedRoles,
  practiceFileReach,
} from "../access/permissions.ts";
import { MAX_SHORT_TEXT } from "../schema/fields.ts";
import { csvColumns, recordDescriptions } from "./record-fields.ts";

/**
 * Bundles a file of the page for browsers: itself, and the parts of it that are loaded later, by their names. Runs as a
 * macro: when `assets.ts` is loaded from a checkout, or once during the build of the binary, which then contains only
 * the texts.
 *
 * A macro cannot call `Bun.build`: it would wait for the bundler, which waits for the macro.
 *
 * @throws Error with the bundler's output.
 */
export function bundled(file: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "caseload-page-"));
  try {
    const { stderr, exitCode } = Bun.spawnSync([
      process.execPath,
      "build",
      join(import.meta.dir, "app", file),
      `--outdir=${folder}`,
      "--target=browser",
      "--format=esm",
      "--minify",
      "--splitting",
      // By their content: a page that was opened before an update finds none of another version.
      "--chunk-naming=part-[hash].[ext]",
      // Fonts are files of their own.
      "--external=*.woff2",
      "--define=process.env.NODE_ENV='production'",
      `--define=RECORD_DESCRIPTIONS=${JSON.stringify(recordDescriptions())}`,
      `--define=CSV_COLUMNS=${JSON.stringify(csvColumns())}`,
      `--define=MAX_SHORT_TEXT=${MAX_SHORT_TEXT}`,
      `--define=CREATABLE_ROLES=${JSON.stringify(creatableRoles)}`,
      `--define=BILLING_ROLES=${JSON.stringify(billingRoles)}`,
      `--define=LIMITED_ROLES=${JSON.stringify(limitedRoles)}`,
      `--define=PRACTICE_FILE_REACH=${JSON.stringify(practiceFileReach)}`,
    ]);
    if (exitCode !== 0) throw new Error(stderr.toString());
    const names = readdirSync(folder).sort();
    return Object.fromEntries(
      names.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
