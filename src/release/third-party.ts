import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages, licenseTexts } from "./bundled-packages.ts";

/** The licenses of all packages in the program. `bun run third-party` generates the text from the installed packages. */

const ROOT = join(import.meta.dir, "../..");
const FILE = join(import.meta.dir, "THIRD-PARTY.txt");

const HEAD = `Caseload is licensed under the Apache License 2.0 (LICENSE). The program also contains the following
packages, each under its own license.
`;

const RULE = "=".repeat(100);

/** The text for the installed packages, which are those of bun.lock. */
export function thirdParty(): string {
  const bun = { title: `Bun ${Bun.version}`, license: "MIT", texts: [licenseOfBun()] };
  const packages = bundledPackages().map((bundled) => ({
    title: `${bundled.name} ${bundled.version}`,
    license: bundled.license,
    texts: licenseTexts(bundled),
  }));
  const sections = [bun, ...packages].map(
    ({ title, license, texts }) =>
      `${RULE}\n${title} (${license})\n${RULE}\n\n${texts.map(plain).join("\n\n")}\n`,
  );
  return [HEAD, ...sections].join("\n");
}

/** The licenses of Bun and of the libraries that are linked into it are from its documentation. */
function licenseOfBun(): string {
  const page = join(ROOT, "node_modules/bun-types/docs/project/license.mdx");
  return readFileSync(page, "utf8").replace(/^---\n[^]*?\n---\n/, "");
}

function plain(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(/[ \t]+$/gm, "")
    .trim();
}

if (import.meta.main) await Bun.write(FILE, thirdParty());
