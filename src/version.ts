import { join } from "node:path";
import { RULES_VERSION } from "./lib/zone-rules.ts";
import packageJson from "../package.json" with { type: "json" };

/** The commit of a binary; defined by `bun run build`. Undefined when run from a checkout. */
declare const CASELOAD_COMMIT: string;

/**
 * The output of `--version`: version, commit, platform, and the version of the rules of time zones.
 *
 * @example
 * versionLine(); // "1.0.0 (commit 3f9c1a7b20de, linux-x64, time zones 2026f)"
 */
export function versionLine(): string {
  const platform = `${process.platform}-${process.arch}`;
  return `${VERSION} (commit ${ownCommit()}, ${platform}, time zones ${RULES_VERSION})`;
}

/** The program's version, as in package.json. */
export const VERSION = packageJson.version;

/** The commit of this program. */
export function ownCommit(): string {
  return typeof CASELOAD_COMMIT === "string" ? CASELOAD_COMMIT : commitOf(CHECKOUT);
}

/** Orders versions such as `1.10.0`: negative if the first is the earlier one. */
export function compareVersions(first: string, second: string): number {
  const [a, b] = [first, second].map((version) => version.split(".").map(Number));
  return a!.map((number, index) => number - (b![index] ?? 0)).find((each) => each !== 0) ?? 0;
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
