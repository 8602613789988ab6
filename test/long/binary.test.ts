import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { versionLine } from "../../src/version.ts";
import { temporaryFolder } from "../support/harness.ts";

/** The single binary that `bun run build` makes, alone in a folder. */

const ROOT = join(import.meta.dir, "../..");
// Not in the checkout, where the test would replace a developer's build.
const BINARY = join(temporaryFolder(), "caseload");

async function run(command: string[], cwd: string, stdin = ""): Promise<string> {
  const program = Bun.spawn(command, {
    cwd,
    env: { PATH: process.env.PATH ?? "" },
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, status] = await Promise.all([
    program.stdout.text(),
    program.stderr.text(),
    program.exited,
  ]);
  expect({ command, status, stderr: status === 0 ? "" : stderr }).toEqual({
    command,
    status: 0,
    stderr: "",
  });
  return stdout;
}

/** Starts `serve` on a free port and returns its address. */
async function serve(cwd: string) {
  const program = Bun.spawn([BINARY, "serve", "--port", "0"], {
    cwd,
    env: {},
    stdout: "pipe",
    stderr: "pipe",
  });
  const { value } = await program.stdout.getReader().read();
  const [, url = ""] = /answers at (\S+)/.exec(new TextDecoder().decode(value)) ?? [];
  return { program, url };
}

beforeAll(() => run([process.execPath, "run", "build", "--outfile", BINARY], ROOT), 60_000);

describe("the binary", () => {
  test("imports a practice, creates a key, and serves the API, the page and the documentation", async () => {
    const cwd = temporaryFolder();
    const practice = await run([BINARY, "demo", "--sessions", "1"], cwd);
    await run([BINARY, "import", "-"], cwd, practice);
    const made = [
      "keys",
      "create",
      "--organization",
      "org_maple",
      "--role",
      "ADMIN",
      "--name",
      "x",
    ];
    const key = (await run([BINARY, ...made], cwd)).trim();

    const { program, url } = await serve(cwd);
    const headers = { Authorization: `Bearer ${key}` };
    const page = await fetch(`${url}/api/v1/sessions?pageSize=2`, { headers });
    expect(await page.json()).toMatchObject({
      data: [{ publicId: expect.any(String) }, { publicId: expect.any(String) }],
      pagination: {
        page: 1,
        pageSize: 2,
        totalCount: practice.split('"type":"session"').length - 1,
      },
    });
    // Its workers are in it.
    const checks = await fetch(`${url}/api/v1/checks?pageSize=1`, { headers });
    expect([checks.status, await checks.json()]).toMatchObject([200, { pagination: { page: 1 } }]);
    const exported = await fetch(`${url}/api/v1/practice-file`, { headers });
    const lines = (text: string) =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    // An export also says the fields without a value.
    expect([exported.status, lines(await exported.text())]).toMatchObject([200, lines(practice)]);
    const imported = await fetch(`${url}/api/v1/practice-file`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/x-ndjson" },
      body: practice,
    });
    expect([imported.status, practice.length > 64 * 1024]).toEqual([200, true]);
    const patients = await fetch(`${url}/api/v1/users?role=PATIENT&pageSize=1`, { headers });
    expect(patients.status).toBe(200);
    for (const path of ["", "/json", "/swagger-ui-bundle.js", "/swagger-ui.css"])
      expect((await fetch(`${url}/swagger${path}`)).status).toBe(200);
    const html = await (await fetch(url)).text();
    const paths = [...html.matchAll(/"(page\/[^"]+)"/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(3);
    for (const path of paths) expect((await fetch(`${url}/${path}`)).status).toBe(200);
    program.kill();
    expect(await program.exited).toBe(0);
    expect(readdirSync(cwd).filter((name) => !name.startsWith("caseload.db"))).toEqual([]);
  });

  test("does not read .env or bunfig.toml of its folder", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, ".env"), "DATABASE_URL=other.db\nPORT=1\n");
    writeFileSync(join(cwd, "bunfig.toml"), 'preload = ["./preloaded.ts"]\n');
    writeFileSync(join(cwd, "preloaded.ts"), 'await Bun.write("preloaded", "");\n');
    await run([BINARY, "migrate"], cwd);
    const found = readdirSync(cwd);
    expect(found).toContain("caseload.db");
    expect(found).not.toContain("other.db");
    expect(found).not.toContain("preloaded");
  });

  test("prints the version, commit and platform of its checkout", async () => {
    const version = await run([BINARY, "--version"], temporaryFolder());
    expect(version).toBe(await run([process.execPath, "src/main.ts", "--version"], ROOT));
    expect(version).toBe(`${versionLine()}\n`);
  });
});
