import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };

/** The commit of a binary; defined by `bun run build`. Undefined when run from a checkout. */
declare const CASELOAD_COMMIT: string;

/**
 * The output of `--version`: version, commit and platform.
 *
 * @example
 * versionLine(); // "1.0.0 (commit 3f9c1a7b20de, linux-x64)"
 */
export function versionLine(): string {
  const commit = typeof CASELOAD_COMMIT === "string" ? CASELOAD_COMMIT : commitOf(CHECKOUT);
  return `${packageJson.version} (commit ${commit}, ${process.platform}-${process.arch})`;
}

const CHECKOUT = join(import.meta.dir, "..");

/** The commit of a checkout as described by Git, with `-dirty` for local changes; `unknown` without Git. */
export function commitOf(checkout: string): string {
  if (Bun.which("git") === null) return "unknown";
  const { exitCode, stdout } = Bun.spawnSync(
    [
      ...["git", `--git-dir=${join(checkout, ".git")}`, `--work-tree=${checkout}`],
      // No tags, which would name a release; fixed length, since the usual abbreviation grows with the repository.
      ...["describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"],
    ],
    { cwd: checkout, stderr: "ignore" },
  );
  return exitCode === 0 ? stdout.toString().trim() : "unknown";
}
