import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { RULES_VERSION } from "../lib/zone-rules.ts";
import { commitOf } from "../version.ts";
import { pack } from "./archive.ts";
import { build } from "./build.ts";
import { withoutSignature } from "./mach-o.ts";
import { isWindows, type Platform, platforms } from "./platforms.ts";
import { softwareBillOfMaterials } from "./sbom.ts";
import { otherVersions } from "./version-check.ts";

/**
 * Creates the release in `dist/release`, and the contents of the image in `dist/image`: `bun run release [PLATFORM …]`.
 * Needs only Git and npm's registry. Reproducible for the same commit.
 */

const ROOT = join(import.meta.dir, "../..");
const TARGET = join(ROOT, "dist/release");
const IMAGE = join(ROOT, "dist/image");
const RUNTIMES = join(ROOT, "dist/runtimes");
const { version } = packageJson;

/** The system-specific part of an archive's README. */
const ofLinux = `    systemd/, nginx/     the service, and two of them behind nginx; each file says where it goes
`;
const ofMacOs = `
macOS blocks downloaded programs until you allow them:

    xattr -d com.apple.quarantine caseload
`;

const ofWindows = `
Keep the database in a folder that only you can read: on Windows, the program cannot restrict access itself.
`;
const wanted = process.argv.slice(2);
const chosen = platforms.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const unknown = wanted.filter((name) => !platforms.some((platform) => platform.name === name));
if (unknown.length > 0)
  throw new Error(
    `No platform: ${unknown.join(" ")}. Known: ${platforms.map(({ name }) => name).join(" ")}`,
  );

const others = otherVersions({
  version,
  changelog: readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"),
  tags: git("tag", "--points-at", "HEAD").split("\n"),
});
if (others.length > 0) throw new Error(`package.json is ${version}, but ${others.join(", ")}`);

const date = new Date(Number(git("log", "-1", "--format=%ct")) * 1000);
for (const folder of [TARGET, IMAGE]) rmSync(folder, { recursive: true, force: true });
mkdirSync(TARGET, { recursive: true });
mkdirSync(join(IMAGE, "data"), { recursive: true });
installRuntimes();
const files: string[] = [];
for (const platform of chosen) files.push(await release(platform));
writeFileSync(join(TARGET, "sbom.cdx.json"), softwareBillOfMaterials(date));
writeFileSync(join(TARGET, "SHA256SUMS"), sums([...files, join(TARGET, "sbom.cdx.json")]));
console.log(`${TARGET}: ${version}, commit ${commitOf(ROOT)}, time zones ${RULES_VERSION}`);

/** Bun for all platforms, checked against the hashes of the lock file. */
function installRuntimes(): void {
  cpSync(join(import.meta.dir, "runtimes"), RUNTIMES, { recursive: true });
  run([process.execPath, "install", "--frozen-lockfile", "--os=*", "--cpu=*"], RUNTIMES);
}

/** @returns the path of the archive. */
async function release(platform: Platform): Promise<string> {
  const name = `caseload-${version}-${platform.name}`;
  const folder = join(TARGET, name);
  const suffix = isWindows(platform) ? ".exe" : "";
  const archive = `${folder}${isWindows(platform) ? ".zip" : ".tar.gz"}`;
  const program = join(folder, `caseload${suffix}`);
  build(program, {
    target: platform.target,
    runtime: join(RUNTIMES, "node_modules", platform.runtime, `bin/bun${suffix}`),
  });
  if (platform.name === "darwin-x64")
    writeFileSync(program, withoutSignature(readFileSync(program)));
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  cpSync(join(import.meta.dir, "THIRD-PARTY.txt"), join(folder, "THIRD-PARTY"));
  writeFileSync(join(folder, "README.txt"), readme(platform));
  if (platform.isLinux)
    for (const files of ["systemd", "nginx"])
      cpSync(join(ROOT, "src", files), join(folder, files), { recursive: true });
  chmodSync(program, 0o755);
  await pack(folder, archive, date);
  if (platform.image !== undefined) fillImage(folder, platform.image);
  rmSync(folder, { recursive: true });
  return archive;
}

function readme(platform: Platform): string {
  const notes = platform.isLinux ? ofLinux : isWindows(platform) ? ofWindows : ofMacOs;
  const text = readFileSync(join(import.meta.dir, "README.txt"), "utf8")
    .replace(/^Caseload VERSION for PLATFORM\n=*/, () => {
      const title = `Caseload ${version} for ${platform.name}`;
      return `${title}\n${"=".repeat(title.length)}`;
    })
    .replace("OF PLATFORM\n", `${notes}\n`);
  return isWindows(platform)
    ? text.replaceAll("./caseload", ".\\caseload.exe").replaceAll("\n", "\r\n")
    : text;
}

/** The files that the Containerfile copies. */
function fillImage(folder: string, processor: string): void {
  for (const file of ["caseload", "LICENSE", "THIRD-PARTY"])
    cpSync(join(folder, file), join(IMAGE, processor, file));
}

function sums(paths: string[]): string {
  const lines = paths.map((path) => {
    const hash = new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");
    return `${hash}  ${basename(path)}\n`;
  });
  return lines.sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1)).join("");
}

function git(...args: string[]): string {
  return run(["git", ...args], ROOT).trim();
}

function run(command: string[], cwd: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
  return stdout.toString();
}
