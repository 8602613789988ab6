import { expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blockOf } from "../support/documentation/printed.ts";
import { temporaryFolder } from "../support/harness.ts";

/** The fixtures of `docs/testing-against-it.md`, as printed, with the program `caseload` on the path. */

const ROOT = join(import.meta.dir, "../..");
const page = readFileSync(join(ROOT, "docs/testing-against-it.md"), "utf8");

async function run(
  command: string[],
  files: Record<string, string>,
): Promise<{ status: number; output: string }> {
  const cwd = temporaryFolder();
  for (const [name, source] of Object.entries(files)) writeFileSync(join(cwd, name), source);
  const caseload = join(cwd, "caseload");
  writeFileSync(caseload, `#!/bin/sh\nexec ${process.execPath} ${ROOT}/src/main.ts "$@"\n`);
  chmodSync(caseload, 0o755);
  const program = Bun.spawn(command, {
    cwd,
    env: { ...process.env, PATH: `${cwd}:${process.env.PATH}` },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [printed, said] = await Promise.all([program.stdout.text(), program.stderr.text()]);
  return { status: await program.exited, output: `${printed}${said}` };
}

test("the fixture for bun:test starts and stops a server", async () => {
  const { status, output } = await run([process.execPath, "test"], {
    "sessions.test.ts": blockOf(page, "ts", "// sessions.test.ts"),
  });
  expect([status, output]).toEqual([0, expect.stringContaining(" 1 pass")]);
}, 60_000);

const hasPytest = Bun.spawnSync(["sh", "-c", "python3 -m pytest --version"]).exitCode === 0;

if (hasPytest)
  test("the fixture for pytest, where it exists, starts and stops a server", async () => {
    const { status, output } = await run(["python3", "-m", "pytest", "-q"], {
      "conftest.py": blockOf(page, "python", "# conftest.py"),
      "test_sessions.py": blockOf(page, "python", "# test_sessions.py"),
    });
    expect([status, output]).toEqual([0, expect.stringContaining("1 passed")]);
  }, 60_000);
