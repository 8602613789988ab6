import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BundledPackage, bundledPackages } from "./bundled-packages.ts";

/** The list of what is in the program, as CycloneDX: read from bun.lock by OWASP's cdxgen, less what is not in it. */

const ROOT = join(import.meta.dir, "../..");
const CDXGEN = "@cyclonedx/cdxgen@12.8.4";

interface Component {
  group?: string;
  name: string;
  version: string;
  "bom-ref": string;
  licenses?: { expression: string }[];
  properties?: unknown;
  evidence?: unknown;
}

interface Bom {
  serialNumber?: string;
  metadata: { timestamp: string; component: Component; properties?: unknown };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
  annotations?: unknown;
}

/**
 * @param date is written into it, so that the same commit gives the same text.
 * @throws Error where a package of the program is not in bun.lock, or cdxgen fails.
 */
export function softwareBillOfMaterials(date: Date): string {
  return `${JSON.stringify(billOf(bundledPackages(), readLock(), date), null, 2)}\n`;
}

/** The part of a bill for all packages of the lock that is about those in the program, and Bun. */
export function billOf(packages: readonly BundledPackage[], whole: Bom, date: Date): Bom {
  const inLock = new Map(whole.components.map((each) => [nameOf(each), each]));
  const components = packages.map(({ name, version, license }) => {
    const found = inLock.get(`${name}@${version}`);
    if (found === undefined) throw new Error(`bun.lock has no ${name}@${version}`);
    // They say where cdxgen read it, which is a folder that is gone.
    const { properties, evidence, ...component } = found;
    return { ...component, licenses: [{ expression: license }] };
  });
  const bun = runtime(Bun.version);
  const { serialNumber, annotations, ...bill } = whole;
  const { properties: readFrom, ...metadata } = whole.metadata;
  const { properties, ...program } = metadata.component;
  const refs = new Set([bun, ...components, program].map((one) => one["bom-ref"]));
  return {
    ...bill,
    metadata: {
      ...metadata,
      timestamp: date.toISOString(),
      component: { ...program, licenses: [{ expression: "Apache-2.0" }] },
    },
    components: [bun, ...components],
    dependencies: whole.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: [
          ...(ref === program["bom-ref"] ? [bun["bom-ref"]] : []),
          ...dependsOn.filter((each) => refs.has(each)),
        ],
      })),
  };
}

function nameOf({ group, name, version }: Component): string {
  return `${group ? `${group}/` : ""}${name}@${version}`;
}

function runtime(version: string) {
  const purl = `pkg:npm/bun@${version}`;
  const licenses = [{ expression: "MIT" }];
  return { type: "platform", name: "bun", version, purl, "bom-ref": purl, licenses };
}

/** Reads the lock alone, in a folder without the packages. */
function readLock(): Bom {
  const folder = mkdtempSync(join(tmpdir(), "caseload-sbom-"));
  try {
    for (const file of ["package.json", "bun.lock"])
      copyFileSync(join(ROOT, file), join(folder, file));
    const { exitCode, stderr } = Bun.spawnSync(
      [
        ...[process.execPath, "x", "--package", CDXGEN, "cdxgen"],
        ...["--type", "bun", "--no-install-deps", "--no-recurse", "--output", "sbom.json", "."],
      ],
      { cwd: folder },
    );
    if (exitCode !== 0) throw new Error(stderr.toString());
    return JSON.parse(readFileSync(join(folder, "sbom.json"), "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
