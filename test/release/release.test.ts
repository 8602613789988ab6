import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { pack } from "../../src/release/archive.ts";
import { bundledPackages } from "../../src/release/bundled-packages.ts";
import { withoutSignature } from "../../src/release/mach-o.ts";
import { platforms } from "../../src/release/platforms.ts";
import { billOf } from "../../src/release/sbom.ts";
import { thirdParty } from "../../src/release/third-party.ts";
import { otherVersions } from "../../src/release/version-check.ts";
import { commitOf, versionLine } from "../../src/version.ts";
import { runInProcess } from "../support/commands/program.ts";
import { temporaryFolder } from "../support/harness.ts";

/** Parts of `bun run release`. `bun run test:release` builds a complete release and runs it. */

const ROOT = join(import.meta.dir, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

describe("the version", () => {
  test("is the same in package.json, --version, the changelog and the tag", () => {
    const { version } = packageJson;
    const tagged = Bun.spawnSync(["git", "tag", "--points-at", "HEAD"], { cwd: ROOT });
    const tags = tagged.stdout.toString().trim().split("\n");
    expect(otherVersions({ version, changelog: read("CHANGELOG.md"), tags })).toEqual([]);
    expect(versionLine()).toStartWith(`${version} (commit `);
  });

  test("is reported where it differs", () => {
    const others = (changelog: string, ...tags: string[]) =>
      otherVersions({ version: "1.2.0", changelog, tags });
    expect(others("# Changelog\n\n## 1.2.0\n\n## 1.1.0\n", "v1.2.0", "nightly", "")).toEqual([]);
    expect(others("# Changelog\n\n## 1.1.0\n", "v1.1.0")).toEqual([
      "CHANGELOG.md: 1.1.0",
      "tag: v1.1.0",
    ]);
    expect(others("# Changelog\n")).toEqual(["CHANGELOG.md: none"]);
    const unreleased = "# Changelog\n\n## Unreleased\n\n- More.\n\n## 1.2.0\n";
    expect(others(unreleased)).toEqual([]);
    expect(others(unreleased, "v1.2.0")).toEqual(["CHANGELOG.md: Unreleased"]);
  });

  test("has the commit and whether files have changed since", async () => {
    const cwd = temporaryFolder();
    expect(commitOf(cwd)).toBe("unknown");
    const git = (...args: string[]) => {
      const identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"];
      return Bun.spawnSync(["git", ...identity, ...args], { cwd })
        .stdout.toString()
        .trim();
    };
    git("init");
    writeFileSync(join(cwd, "a.txt"), "1");
    git("add", ".");
    git("commit", "--message=first");
    git("tag", "v1.0.0");
    const commit = git("rev-parse", "--short=12", "HEAD");
    expect(commitOf(cwd)).toBe(commit);
    writeFileSync(join(cwd, "a.txt"), "2");
    expect(commitOf(cwd)).toBe(`${commit}-dirty`);
  });
});

describe("THIRD-PARTY", () => {
  test("lists every part of the program with its license text, and is printed by `caseload licenses`", async () => {
    const text = read("src/release/THIRD-PARTY.txt");
    // If this fails: `bun run third-party`.
    expect(text).toBe(thirdParty());
    for (const name of [`Bun ${Bun.version}`, "elysia", "kysely", "preact", "swagger-ui-dist"])
      expect(text).toContain(`\n${name} `);
    expect(text).toContain("JavaScriptCore");
    expect(await runInProcess(["licenses"], { cwd: temporaryFolder() })).toEqual({
      status: 0,
      stdout: text,
      stderr: "",
    });
  });

  test("contains only licenses that are compatible with Apache-2.0, Caseload's license", () => {
    expect(packageJson.license).toBe("Apache-2.0");
    expect(read("LICENSE")).toContain("Apache License\n                           Version 2.0");
    const licenses = new Set(bundledPackages().map(({ license }) => license));
    // The last one is of the page's font, which may be shipped with any program.
    const compatible = ["0BSD", "Apache-2.0", "BSD-3-Clause", "ISC", "MIT", "OFL-1.1"];
    expect([...licenses].sort()).toEqual(compatible);
  });
});

test("the runtimes of all platforms are locked to the version that builds the project", () => {
  const runtimes = JSON.parse(read("src/release/runtimes/package.json"));
  const version = packageJson.devDependencies["bun-types"];
  expect(runtimes.dependencies).toEqual(
    Object.fromEntries(platforms.map(({ runtime }) => [runtime, version])),
  );
  const lock = read("src/release/runtimes/bun.lock");
  for (const { runtime } of platforms)
    expect(lock).toMatch(new RegExp(`"${runtime}": \\["${runtime}@${version}".*"sha512-`));
});

describe("an archive", () => {
  test.each(["tar.gz", "zip"])("as %s has the same bytes for the same files", async (suffix) => {
    const date = new Date("2026-03-02T15:00:00.000Z");
    const packed: string[] = [];
    for (const [index, names] of [
      ["b", "a", "c/d"],
      ["c/d", "a", "b"],
    ].entries()) {
      const folder = join(temporaryFolder(), "caseload");
      mkdirSync(join(folder, "c"), { recursive: true });
      for (const name of names) {
        writeFileSync(join(folder, name), name);
        chmodSync(join(folder, name), name === "a" ? 0o755 : 0o644 + index * 0o20);
        utimesSync(join(folder, name), index, index);
      }
      const file = join(folder, `../caseload.${suffix}`);
      await pack(folder, file, date);
      packed.push(readFileSync(file).toHex());
    }
    expect(packed[1] === packed[0]).toBe(true);
  });

  test("as tar has sorted files, one date, no owner, and executable programs", async () => {
    const folder = join(temporaryFolder(), "caseload");
    mkdirSync(folder);
    for (const name of ["README.txt", "caseload"]) writeFileSync(join(folder, name), name);
    chmodSync(join(folder, "caseload"), 0o755);
    await pack(folder, `${folder}.tar.gz`, new Date("2026-03-02T15:00:00.000Z"));
    const listed = Bun.spawnSync(["tar", "tvzf", `${folder}.tar.gz`, "--utc"]);
    expect(listed.stdout.toString().replaceAll(/ +/g, " ")).toBe(
      "-rw-r--r-- 0/0 10 2026-03-02 15:00 caseload/README.txt\n-rwxr-xr-x 0/0 8 2026-03-02 15:00 caseload/caseload\n",
    );
  });
});

describe("the bill of materials", () => {
  const component = (name: string, version: string, group = "") => ({
    ...{ type: "library", group, name, version },
    "bom-ref": `pkg:npm/${group ? `${group}/` : ""}${name}@${version}`,
    properties: [{ name: "SrcFile", value: "folder/bun.lock" }],
  });
  const lock = {
    ...{ bomFormat: "CycloneDX", serialNumber: "urn:uuid:1", annotations: [] },
    metadata: {
      timestamp: "2026-11-22T16:00:00Z",
      component: component("caseload", "1.0.0"),
      properties: [{ name: "cdx:bom:componentSrcFiles", value: "folder/bun.lock" }],
    },
    components: [
      component("types", "1.0.0", "@scalar"),
      component("types", "2.0.0", "@scalar"),
      component("typescript", "5.9.3"),
    ],
    dependencies: [
      {
        ref: "pkg:npm/caseload@1.0.0",
        dependsOn: ["pkg:npm/@scalar/types@2.0.0", "pkg:npm/typescript@5.9.3"],
      },
      { ref: "pkg:npm/typescript@5.9.3", dependsOn: [] },
      { ref: "pkg:npm/@scalar/types@2.0.0", dependsOn: [] },
    ],
  };
  const types = { name: "@scalar/types", version: "2.0.0", license: "MIT", folder: "" };

  test("lists Bun and all packages of the program, and is reproducible", () => {
    const date = new Date("2026-03-02T15:00:00.000Z");
    const { properties, ...found } = component("types", "2.0.0", "@scalar");
    const { properties: _, ...program } = component("caseload", "1.0.0");
    const bun = `pkg:npm/bun@${Bun.version}`;
    expect(billOf([types], lock, date) as unknown).toEqual({
      bomFormat: "CycloneDX",
      metadata: {
        timestamp: "2026-03-02T15:00:00.000Z",
        component: { ...program, licenses: [{ expression: "Apache-2.0" }] },
      },
      components: [
        {
          ...{ type: "platform", name: "bun", version: Bun.version, purl: bun, "bom-ref": bun },
          licenses: [{ expression: "MIT" }],
        },
        { ...found, licenses: [{ expression: "MIT" }] },
      ],
      dependencies: [
        { ref: "pkg:npm/caseload@1.0.0", dependsOn: [bun, "pkg:npm/@scalar/types@2.0.0"] },
        { ref: "pkg:npm/@scalar/types@2.0.0", dependsOn: [] },
      ],
    });
  });

  test("fails for a package of the program that is not in the lock file", () => {
    const strange = { ...types, version: "3.0.0" };
    expect(() => billOf([strange], lock, new Date(0))).toThrow(
      "bun.lock has no @scalar/types@3.0.0",
    );
  });
});

test("a macOS executable loses only its signature, which is at its end", () => {
  const file = new Uint8Array(300);
  const view = new DataView(file.buffer);
  view.setUint32(16, 2, true);
  view.setUint32(20, 72 + 16, true);
  // A segment from 200 to the end, and the signature from 260.
  view.setUint32(32, 0x19, true);
  view.setUint32(36, 72, true);
  view.setBigUint64(72, 200n, true);
  view.setBigUint64(80, 100n, true);
  view.setUint32(104, 0x1d, true);
  view.setUint32(108, 16, true);
  view.setUint32(112, 260, true);
  view.setUint32(116, 40, true);
  const expected = file.slice(0, 260);
  const changed = new DataView(expected.buffer);
  changed.setUint32(16, 1, true);
  changed.setUint32(20, 72, true);
  changed.setBigUint64(80, 60n, true);
  expected.fill(0, 104, 120);
  expect(withoutSignature(file)).toEqual(expected);
  expect(() => withoutSignature(expected)).toThrow("no signature");
  expect(() => withoutSignature(new Uint8Array([...file, 0]))).toThrow("not the end");
});
