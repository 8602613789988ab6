import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, printSum } from "../../support/checks.ts";
import { blockOf } from "../../support/documentation/printed.ts";

/** Runs the tests of `docs/testing-against-it.md` as printed, with the program `caseload` on the path: `bun run test:docs`. */

const ROOT = join(import.meta.dir, "../../..");
const page = readFileSync(join(ROOT, "docs/testing-against-it.md"), "utf8");

/** @throws Error with its output if the command fails, or does not run so many tests. */
async function run(
  command: string[],
  tests: RegExp,
  files: Record<string, [language: string, words: string]>,
): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), "caseload-fixtures-"));
  for (const [name, [language, words]] of Object.entries(files))
    writeFileSync(join(cwd, name), blockOf(page, language, words));
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
  const status = await program.exited;
  rmSync(cwd, { recursive: true });
  if (status !== 0 || !tests.test(printed + said)) throw new Error(printed + said);
}

await check("the tests for bun:test pass", () =>
  run([process.execPath, "test", "--timeout", "60000"], / 3 pass\n/, {
    "client.ts": ["ts", "// client.ts"],
    "client.test.ts": ["ts", "// client.test.ts"],
  }),
);

const hasPytest = Bun.spawnSync(["sh", "-c", "python3 -m pytest --version"]).exitCode === 0;
if (hasPytest)
  await check("the tests for pytest pass, where it exists", () =>
    run(["python3", "-m", "pytest", "-q"], /\b4 passed\b/, {
      "client.py": ["python", "# client.py"],
      "conftest.py": ["python", "# conftest.py"],
      "test_client.py": ["python", "# test_client.py"],
    }),
  );

printSum();
