import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeClientTypes } from "../../../src/release/client-types.ts";
import { check, printSum } from "../../support/checks.ts";
import { blockOf } from "../../support/documentation/printed.ts";

/**
 * Clients generated from the OpenAPI document: `bun run test:clients [LANGUAGE …]`. For each
 * language of `docs/clients.md` whose tools are installed, the commands of the page are run as
 * printed, and its program is run against the demo practice. Requires the registries of the tools:
 * npm, PyPI, the Go proxy, Maven Central.
 */

const ROOT = join(import.meta.dir, "../../..");

/** The path of the package that `bun run build` makes, as printed on the page. */
const TYPES = "../caseload/dist/types";

const MODULE =
  'echo \'{ "type": "module" }\' > package.json && npm install --silent typescript @types/node';

interface Language {
  /** The heading of the language's section. */
  heading: string;
  /** Programs that are required; the language is skipped without them. */
  tools: string[];
  file: string;
  /** Commands that the page presupposes. */
  before?: string;
  /** The command that runs the program. */
  run: string;
  /** The language and the first words of a block that continues the program. */
  continued?: [string, string];
  /** The expected output besides "User not found". */
  prints: RegExp[];
}

const STRICT =
  "--strict --noUnusedLocals --noPropertyAccessFromIndexSignature --exactOptionalPropertyTypes --noUncheckedIndexedAccess";
const EDEN = {
  heading: "## TypeScript: Eden Treaty",
  file: "client.ts",
  continued: ["ts", "// Eden: a missed session"] as [string, string],
  prints: [/^usr_\w+ CLINICIAN /m, /changed: 1/],
};

const languages: Record<string, Language> = {
  "eden-npm": {
    ...EDEN,
    tools: ["node", "npm", "npx"],
    before: MODULE,
    run: `npx tsc ${STRICT} --lib esnext,dom --module esnext --moduleResolution bundler --target esnext --skipLibCheck --types node client.ts && node client.js`,
  },
  "eden-bun": {
    ...EDEN,
    tools: ["bun", "npm"],
    before: "bun init -y",
    run: `bun x tsc --noEmit ${STRICT} && bun client.ts`,
  },
  typescript: {
    heading: "### TypeScript: openapi-typescript",
    tools: ["node", "npm", "npx"],
    file: "client.ts",
    before: MODULE,
    run: "npx tsc --strict --module esnext --moduleResolution bundler --target esnext --skipLibCheck --types node client.ts && node client.js",
    continued: ["ts", "// openapi-fetch: a missed session"],
    prints: [/^usr_\w+ CLINICIAN /m, /changed: 1/],
  },
  python: {
    heading: "### Python: openapi-python-client",
    tools: ["python3"],
    file: "client.py",
    before: "python3 -m venv venv",
    run: "python client.py",
    continued: ["python", "# a missed session"],
    prints: [/^usr_\w+ CLINICIAN /m, /changed': 1/, /^\['pageSize'\]$/m],
  },
  go: {
    heading: "### Go: oapi-codegen",
    tools: ["go", "curl"],
    file: "main.go",
    run: "go run .",
    prints: [/^caseload\.ClinicianUser$/m, /^200 OK .*changed":1/m],
  },
  java: {
    heading: "### Java: openapi-generator",
    tools: ["java", "mvn"],
    file: "caseload-java/src/main/java/Main.java",
    run: "cd caseload-java && mvn -q -DskipTests compile && mvn -q org.codehaus.mojo:exec-maven-plugin:3.5.0:java -Dexec.mainClass=Main",
    prints: [/^class ClinicianUser/m, /^\{"goalStatement":"Calm"\}$/m, /changed: 1$/m],
  },
};

/** The commands and the program of a language's section. */
async function partOf({
  heading,
  continued,
}: Language): Promise<{ commands: string; program: string }> {
  const page = await Bun.file(join(ROOT, "docs/clients.md")).text();
  const part = page.slice(page.indexOf(heading));
  const [, commands, , program] = /```text\n(.*?)^```$.*?```(\w+)\n(.*?)^```$/ms.exec(part) ?? [];
  if (commands === undefined || program === undefined) throw new Error(`No such part: ${heading}`);
  return { commands, program: program + (continued ? blockOf(page, ...continued) : "") };
}

async function follow(language: Language, { key, port }: { key: string; port: number }) {
  const folder = mkdtempSync(join(tmpdir(), "caseload-client-"));
  try {
    const types = join(folder, "types");
    writeClientTypes(types);
    const here = (text: string) =>
      text.replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`).replaceAll(TYPES, types);
    const { commands, program } = await partOf(language);
    const shell = (script: string) => run(folder, script, key);
    await shell(`${language.before ?? ":"}\n${here(commands)}`);
    const file = join(folder, language.file);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, here(program));
    // The packages of the Go program are known only when it exists.
    if (language.file.endsWith(".go")) await shell("go mod tidy");
    const printed = await shell(language.run);
    for (const expected of [/User not found/, ...language.prints])
      if (!expected.test(printed)) throw new Error(`${expected} is not in\n${printed}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The output of a script. @throws Error with the output if a command fails. */
async function run(folder: string, script: string, key: string): Promise<string> {
  const path = `${join(folder, "venv/bin")}:${process.env.PATH}`;
  const program = Bun.spawn(["bash", "-ec", script], {
    cwd: folder,
    env: { ...process.env, PATH: path, CASELOAD_KEY: key },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [printed, said] = await Promise.all([program.stdout.text(), program.stderr.text()]);
  if ((await program.exited) !== 0) throw new Error(`${printed}\n${said}`);
  return printed;
}

const server = Bun.spawn(
  [process.execPath, "src/main.ts", "serve", "--ephemeral", "--json", "--port", "0"],
  { cwd: ROOT, stdout: "pipe", stderr: "ignore" },
);
try {
  const { value } = await server.stdout.getReader().read();
  const address = JSON.parse(new TextDecoder().decode(value)) as { key: string; port: number };
  const asked = process.argv.slice(2);
  for (const [name, language] of Object.entries(languages)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const missing = language.tools.filter((tool) => Bun.which(tool) === null);
    if (missing.length > 0) console.log(`left out: ${name}, without ${missing.join(", ")}`);
    else await check(`a client in ${name}`, () => follow(language, address));
  }
  printSum();
} finally {
  server.kill();
  await server.exited;
}
