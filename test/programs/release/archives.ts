import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { unzipSync } from "fflate";
import { extract } from "tar";
import packageJson from "../../../package.json" with { type: "json" };
import { isWindows, type Platform, platforms } from "../../../src/release/platforms.ts";
import { check, expectEqual, printSum } from "../../support/checks.ts";

/**
 * Checks the archives that `bun run release` made: `bun run test:release`. Each archive is unpacked
 * and inspected. Programs for this machine are run: import, serve, backup. Programs for other
 * platforms are run if a runner is given, such as
 *
 *     bun run test:release --runner "linux-arm64=qemu-aarch64-static -L /usr/aarch64-linux-gnu"
 *
 * For all others, only the system and the processor of the program are checked, which is printed.
 */

const RELEASE = join(import.meta.dir, "../../../dist/release");
const { version } = packageJson;

/** An emulated server is slow. */
const TIMEOUT = 120_000;

const { values } = parseArgs({
  options: { runner: { type: "string", multiple: true, default: [] } },
});
const runners = new Map(
  values.runner.map((text) => {
    const [name = "", command = ""] = text.split(/=(.*)/);
    return [name, command.split(" ")];
  }),
);

/** The command that runs a platform's program on this machine; undefined if there is none. */
function runnerOf({ name }: Platform): string[] | undefined {
  const given = runners.get(name);
  if (given !== undefined) return given;
  const system = process.platform === "win32" ? "windows" : process.platform;
  const libc = process.platform === "linux" && isMusl() ? "-musl" : "";
  return name === `${system}-${process.arch}${libc}` ? [] : undefined;
}

function isMusl(): boolean {
  const { glibcVersionRuntime } = (
    process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  ).header;
  return glibcVersionRuntime === undefined;
}

/**
 * The system, processor and C library of a program, read from its first bytes, in the terms of
 * `platforms`.
 */
function kindOf(program: Buffer): string {
  const magic = program.readUInt32LE(0);
  if (magic === 0x464c457f) {
    const processor = { 0x3e: "x64", 0xb7: "arm64" }[program.readUInt16LE(18)];
    const libc = program.subarray(0, 4096).includes("/lib/ld-musl-") ? "-musl" : "";
    return `linux-${processor}${libc}`;
  }
  if (magic === 0xfeedfacf)
    return `darwin-${{ 0x1000007: "x64", 0x100000c: "arm64" }[program.readUInt32LE(4)]}`;
  const header = program.readUInt32LE(0x3c);
  const processor = { 0x8664: "x64" }[program.readUInt16LE(header + 4)];
  return program.toString("latin1", header, header + 4) === "PE\0\0" ? `windows-${processor}` : "?";
}

async function unpack(archive: string, folder: string): Promise<void> {
  if (archive.endsWith(".tar.gz")) return extract({ file: archive, cwd: folder });
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(archive)))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
}

/** Imports a practice, serves it, and makes a backup meanwhile. */
async function use(command: string[], cwd: string): Promise<void> {
  const env = { PATH: process.env.PATH ?? "" };
  const run = async (args: string[], stdin = ""): Promise<string> => {
    const program = Bun.spawn([...command, ...args], {
      ...{ cwd, env, timeout: TIMEOUT, stdout: "pipe", stderr: "pipe" },
      stdin: new TextEncoder().encode(stdin),
    });
    const [stdout, stderr] = await Promise.all([program.stdout.text(), program.stderr.text()]);
    if ((await program.exited) !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const practice = await run(["demo", "--sessions", "1"]);
  await run(["import", "-"], practice);
  const role = ["--organization", "org_maple", "--role", "ADMIN", "--name", "x"];
  const key = (await run(["keys", "create", ...role])).trim();
  const server = Bun.spawn([...command, "serve", "--port", "0"], {
    ...{ cwd, env, timeout: TIMEOUT, stdout: "pipe", stderr: "ignore" },
  });
  try {
    const { value } = await server.stdout.getReader().read();
    const [, url = ""] = /answers at (\S+)/.exec(new TextDecoder().decode(value)) ?? [];
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await fetch(`${url}/api/v1/sessions?pageSize=1`, { headers });
    const { pagination } = (await answer.json()) as { pagination: { totalCount: number } };
    expectEqual(pagination.totalCount, practice.split('"type":"session"').length - 1);
    expectEqual((await fetch(`${url}/`)).status, 200);
    expectEqual(await run(["health", "--url", url]), "ok\n");
    expectEqual(await run(["backup", "backup.db"]), "backup.db\n");
  } finally {
    server.kill();
    await server.exited;
  }
  expectEqual(
    await run(["--database", "backup.db", "export", "org_maple"]),
    await run(["export", "org_maple"]),
  );
}

const sums = readFileSync(join(RELEASE, "SHA256SUMS"), "utf8").trim().split("\n");
const notRun: string[] = [];

await check("SHA256SUMS has the right checksum of every file", () => {
  for (const line of sums) {
    const [hash = "", name = ""] = line.split("  ");
    const bytes = readFileSync(join(RELEASE, name));
    expectEqual(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"), hash);
  }
  expectEqual(
    sums.map((line) => line.slice(66)),
    readdirSync(RELEASE)
      .filter((name) => name !== "SHA256SUMS")
      .sort(),
  );
});

await check(
  "the bill of materials is CycloneDX and lists Bun and the packages of the program",
  () => {
    const bill = JSON.parse(readFileSync(join(RELEASE, "sbom.cdx.json"), "utf8"));
    expectEqual([bill.bomFormat, bill.metadata.component.version], ["CycloneDX", version]);
    const names = bill.components.map(({ name }: { name: string }) => name);
    for (const name of ["bun", "elysia", "kysely", "preact"])
      expectEqual([name, names.includes(name)], [name, true]);
  },
);

for (const platform of platforms) {
  const name = `caseload-${version}-${platform.name}`;
  const archive = join(RELEASE, `${name}${isWindows(platform) ? ".zip" : ".tar.gz"}`);
  const folder = mkdtempSync(join(tmpdir(), "caseload-release-"));
  const program = join(folder, name, isWindows(platform) ? "caseload.exe" : "caseload");
  await check(
    `the archive for ${platform.name} has the expected files and a program for that platform`,
    async () => {
      await unpack(archive, folder);
      expectEqual(readdirSync(folder), [name]);
      expectEqual(
        readdirSync(join(folder, name)).sort(),
        [
          ...[
            "LICENSE",
            "README.txt",
            "THIRD-PARTY",
            isWindows(platform) ? "caseload.exe" : "caseload",
          ],
          ...(platform.isLinux ? ["nginx", "systemd"] : []),
        ].sort(),
      );
      expectEqual(kindOf(readFileSync(program)), platform.name);
    },
  );
  const runner = runnerOf(platform);
  if (runner === undefined) notRun.push(platform.name);
  else
    await check(`the program for ${platform.name} imports, serves and backs up`, async () => {
      const cwd = join(folder, "practice");
      mkdirSync(cwd);
      await use([...runner, program], cwd);
    });
  rmSync(folder, { recursive: true, force: true });
}
if (notRun.length > 0) console.log(`Not run here: ${notRun.join(", ")}`);
printSum();
