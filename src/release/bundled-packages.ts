import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The npm packages in the program, according to the bundler. */

const ROOT = join(import.meta.dir, "../..");

export interface BundledPackage {
  name: string;
  version: string;
  /** The SPDX expression in its package.json. */
  license: string;
  /** The folder in which it is installed. */
  folder: string;
}

/** The program, and the page, which is bundled separately for browsers. */
const bundles = [
  ["src/main.ts", "--target=bun", "--splitting"],
  ["src/page/app/main.tsx", "--target=browser"],
];

/** The packages with at least one file in the program, ordered by name, then version. */
export function bundledPackages(): BundledPackage[] {
  const folders = new Set(
    bundles
      .flatMap(inputsOf)
      .map((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? "")
      .filter(Boolean),
  );
  return [...folders]
    .map((folder) => packageIn(join(ROOT, folder)))
    .sort((a, b) => Bun.semver.order(a.version, b.version))
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

/** The files of a bundle, as paths from the root of the checkout. */
function inputsOf(bundle: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "caseload-bundle-"));
  const metafile = join(folder, "metafile.json");
  try {
    const { exitCode, stderr } = Bun.spawnSync(
      [process.execPath, "build", ...bundle, "--outdir", folder, `--metafile=${metafile}`],
      { cwd: ROOT },
    );
    if (exitCode !== 0) throw new Error(stderr.toString());
    return Object.keys(JSON.parse(readFileSync(metafile, "utf8")).inputs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function packageIn(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (typeof license !== "string") throw new Error(`${folder} says no license`);
  return { name, version, license, folder };
}

/**
 * The license texts of a package: its license and notice files, or else the section of its README.
 *
 * @throws Error for a package without a license text.
 */
export function licenseTexts({ name, folder }: BundledPackage): string[] {
  const files = readdirSync(folder).sort();
  const licenses = files.filter((file) => /(^|\.)(licen[cs]e|copying|notice)\b/i.test(file));
  const texts = licenses.map((file) => readFileSync(join(folder, file), "utf8"));
  if (texts.length > 0) return texts;
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const [section] = /^#+ licen[cs]e\b[^]*/im.exec(readme) ?? [];
  if (section === undefined) throw new Error(`${name} has no license text`);
  return [section];
}
