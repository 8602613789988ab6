import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { healthCommand } from "../../src/commands/health.ts";
import { captureOutput } from "../support/commands/practice.ts";
import { temporaryFolder } from "../support/harness.ts";
import { runInProcess, runProgram, startServer } from "../support/commands/program.ts";

/**
 * `caseload health` prints one line and exits with status 0 or 1, for service managers and
 * monitoring.
 */

const cwd = temporaryFolder();
const health = (args: string[], env: Record<string, string> = {}) =>
  runInProcess(["health", ...args], { cwd, env });

test("prints ok for a healthy server, located by --url or PORT", async () => {
  const { program, url } = await startServer([], { cwd: temporaryFolder() });
  const ok = { status: 0, stdout: "ok\n", stderr: "" };
  expect(await health(["--url", url])).toEqual(ok);
  expect(await health(["--url", `${url}/`])).toEqual(ok);
  expect(await health([], { PORT: new URL(url).port })).toEqual(ok);
  program.kill();
  await program.exited;
  expect(await health(["--url", url])).toEqual({
    status: 1,
    stdout: "",
    stderr: `error: Nothing answers at ${url} (ECONNREFUSED).\n`,
  });
});

test("reports the server's message about its database", async () => {
  const folder = temporaryFolder();
  const { program, url } = await startServer([], { cwd: folder });
  rmSync(join(folder, "caseload.db"));
  for (let time = 0; time < 200 && (await fetch(`${url}/livez`)).ok; time++) await Bun.sleep(50);
  // In this process: the server ends in three seconds, in which a busy machine may not start one.
  await expect(healthCommand({ output: captureOutput() }, url)).rejects.toThrow(
    `${url} answers 503: The database file was removed`,
  );
  program.kill();
  await program.exited;
});

test("reports a nearly full disk, and detects programs that are not Caseload", async () => {
  const answers = [
    [() => Response.json({ status: "ok", disk: "nearly full" }), 0],
    [() => new Response("It works!"), 1],
    [() => Response.json({ status: 7 }, { status: 404 }), 1],
  ] as const;
  const said: string[] = [];
  for (const [fetch, expected] of answers) {
    const other = Bun.serve({ port: 0, fetch });
    const { status, stdout, stderr } = await health(["--url", `http://127.0.0.1:${other.port}`]);
    expect(status).toBe(expected);
    said.push((stdout + stderr).replace(`:${other.port}`, ""));
    await other.stop(true);
  }
  expect(said).toEqual([
    "ok, but the disk is nearly full\n",
    "error: http://127.0.0.1 answers 200: not as Caseload does.\n",
    "error: http://127.0.0.1 answers 404: not as Caseload does.\n",
  ]);
});

test("asks a server of this machine directly, although the environment names a proxy", async () => {
  const server = Bun.serve({ port: 0, fetch: () => Response.json({ status: "ok" }) });
  const url = `http://127.0.0.1:${server.port}`;
  const env = { HTTP_PROXY: "http://127.0.0.1:9" };
  const result = await runProgram(["health", "--url", url], { cwd, env });
  expect(result).toEqual({ status: 0, stdout: "ok\n", stderr: "" });
  await server.stop(true);
});

test("refuses an invalid address with status 2", async () => {
  for (const url of ["caseload.example", "ftp://caseload.example", ""]) {
    const { status, stderr } = await health(["--url", url]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("--url must be an address")]);
  }
  expect((await health([], { PORT: "http" })).status).toBe(2);
});
