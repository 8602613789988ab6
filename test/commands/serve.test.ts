import { describe, expect, spyOn, test } from "bun:test";
import { closeSync, mkdirSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { connectFile } from "../../db/sqlite/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { recordCommand } from "../../src/audit/trail.ts";
import { printedHeads } from "../../src/audit/repository.ts";
import { serve } from "../../src/commands/serve.ts";
import { serverConfiguration } from "../../src/config.ts";
import type { LogLine } from "../../src/http/context.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { newOrganization } from "../support/factories.ts";
import { NOW, newDatabase, temporaryFolder, TestClock } from "../support/harness.ts";
import { captureOutput } from "../support/commands/practice.ts";
import { runInProcess, runProgram, startServer } from "../support/commands/program.ts";
import { laterStep, withSteps } from "../support/steps.ts";

describe("serve", () => {
  test("creates the database, prints one line with the address, and exits with status 0 on SIGTERM and SIGINT", async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const cwd = temporaryFolder();
      const { program, url } = await startServer([], { cwd });
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(await (await fetch(`${url}/livez`)).json()).toEqual({ status: "ok" });
      expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
        status: "ok",
        temporaryFolder: true,
      });
      program.kill(signal);
      expect(await program.exited).toBe(0);
      expect(await Bun.file(join(cwd, "caseload.db")).exists()).toBe(true);
      expect(await Bun.file(join(cwd, "caseload.db-wal")).exists()).toBe(false);
    }
  });

  test("logs one JSON line per request on standard error, without the query", async () => {
    const { program, url } = await startServer([], { cwd: temporaryFolder() });
    await fetch(`${url}/api/v1/users?search=Secret`, { headers: { "X-Request-Id": "r-1" } });
    program.kill();
    await program.exited;
    const lines = (await program.stderr.text()).trim().split("\n");
    // On a busy machine, the heads of the audit trail are logged before the server has stopped.
    const requests = lines
      .map((line) => JSON.parse(line))
      .filter(({ message }) => message !== "audit heads");
    expect(requests).toEqual([
      {
        time: expect.any(String),
        level: "info",
        message: "request",
        requestId: "r-1",
        method: "GET",
        route: "/v1/users",
        status: 401,
        milliseconds: expect.any(Number),
      },
    ]);
  });

  test("exits on SIGTERM although nobody reads its log and the pipe is full", async () => {
    const cwd = temporaryFolder();
    expect(Bun.spawnSync(["mkfifo", join(cwd, "log")]).exitCode).toBe(0);
    const pipe = openSync(join(cwd, "log"), "r+");
    const runner = ["sh", "-c", 'exec "$0" "$@" 2> log'];
    const { program, url } = await startServer([], { cwd, runner });
    // Each request logs about 150 bytes, and the pipe holds 65,536.
    for (let turn = 0; turn < 12; turn += 1)
      await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/unknown`)));
    program.kill("SIGTERM");
    expect(await program.exited).toBe(0);
    closeSync(pipe);
  });

  test("reads PORT and HOST; flags take precedence", async () => {
    const env = { PORT: "1", HOST: "127.0.0.2", DATABASE_URL: "by-variable.db" };
    const cwd = temporaryFolder();
    const { program, url } = await startServer(["--host", "127.0.0.1"], { cwd, env });
    expect(url).toStartWith("http://127.0.0.1:");
    program.kill();
    await program.exited;
    expect(await Bun.file(join(cwd, "by-variable.db")).exists()).toBe(true);
  });

  test("responds to HTTP/1.0 clients, which send no Host header", async () => {
    const { program, url } = await startServer([], { cwd: temporaryFolder() });
    const { port, hostname } = new URL(url);
    for (const [path, status] of [
      ["/livez", 200],
      ["/api/v1/users", 401],
    ] as const) {
      let received = "";
      const socket = connectSocket(Number(port), hostname, () =>
        socket.write(`GET ${path} HTTP/1.0\r\n\r\n`),
      );
      for await (const chunk of socket) received += chunk;
      expect(received).toStartWith(`HTTP/1.1 ${status} `);
    }
    program.kill();
    await program.exited;
  });

  test("refuses a port in use with one line, also with a practice in the database", async () => {
    const { program, url } = await startServer([], { cwd: temporaryFolder() });
    const { port } = new URL(url);
    const cwd = temporaryFolder();
    const practice = connectFile(join(cwd, "caseload.db"), "create");
    await migrate(practice, NOW as Instant);
    await newOrganization(practice);
    await practice.close();
    const second = await runProgram(["serve", "--port", port], { cwd });
    expect(second).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: Port ${port} of 127.0.0.1 is in use. Stop what listens there, or choose another with --port.\n`,
    });
    program.kill();
    await program.exited;
  });

  test("refuses a database of a newer version and a file that is not a database", async () => {
    const cwd = temporaryFolder();
    const newer = connectFile(join(cwd, "newer.db"), "create");
    await withSteps([laterStep], () => migrate(newer, NOW as Instant));
    await newer.close();
    writeFileSync(join(cwd, "letter.txt"), "Dear colleague, ".repeat(1000));
    mkdirSync(join(cwd, "folder.db"));
    const refused: [string, RegExp][] = [
      [
        "newer.db",
        /^error: The database is of Caseload 1\.0\.0 \(commit \S+\), which is newer than this one, 1\.0\.0 \(commit \S+\)\. Use that version/,
      ],
      [
        "letter.txt",
        /^error: Cannot open the database letter\.txt: it is not readable and writable/,
      ],
      ["folder.db", /^error: folder\.db is not a file\./],
      ["no/such/folder.db", /^error: Cannot create the database no\/such\/folder\.db: its folder/],
      [
        "letter.txt/file.db",
        /^error: Cannot use \S*letter\.txt\/file\.db \(ENOTDIR\): check its name, its folder, and whether this user may use them\.\n/,
      ],
    ];
    for (const [file, message] of refused) {
      const result = await runInProcess(["serve", "--port", "0", "--database", file], { cwd });
      expect(result).toEqual({ status: 1, stdout: "", stderr: expect.stringMatching(message) });
      expect(result.stderr.trim().split("\n")).toHaveLength(1);
    }
  });

  const wrong: [string[], Record<string, string>, RegExp][] = [
    [["--port", "65536"], {}, /The port must be a number from 0 to 65535, not "65536"/],
    [["--port", "http"], {}, /not "http"/],
    [[], { PORT: "-1" }, /not "-1"/],
    [[], { CORS_ORIGINS: "app.example" }, /CORS_ORIGINS must be origins/],
    [[], { CORS_ORIGINS: "https://*.app.example" }, /CORS_ORIGINS must be origins/],
    [["--origin", "http://localhost.evil.example"], {}, /The origin must be https:/],
    [[], { ORIGIN: "https://caseload.example/page" }, /The origin must be https:/],
    [["--porrt", "1"], {}, /unknown option '--porrt'/],
    [["--ephemeral", "--now", "1969-12-31T23:59:59Z"], {}, /from 1970 to 9998/],
    [["--ephemeral", "--date", "9999-01-01"], {}, /from 1970 to 9998/],
    [["now"], {}, /too many arguments/],
  ];
  for (const [args, env, message] of wrong)
    test(`ends with status 2 for ${[...args, ...Object.values(env)].join(" ")}`, async () => {
      const result = await runInProcess(["serve", ...args], { cwd: temporaryFolder(), env });
      expect(result).toEqual({ status: 2, stdout: "", stderr: expect.stringMatching(message) });
    });

  test("allows configured origins only, and their preflight requests without a key", async () => {
    const env = { CORS_ORIGINS: "https://app.example" };
    const { program, url } = await startServer([], { cwd: temporaryFolder(), env });
    const from = (Origin: string) => fetch(`${url}/api/v1/users`, { headers: { Origin } });
    const allowed = await from("https://app.example");
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(allowed.status).toBe(401);
    const other = await from("https://other.example");
    expect(other.headers.get("access-control-allow-origin")).toBeNull();
    const preflight = await fetch(`${url}/api/v1/users`, {
      method: "OPTIONS",
      headers: { Origin: "https://app.example", "Access-Control-Request-Method": "POST" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
    program.kill();
    await program.exited;
  });
});

describe("serve --demo", () => {
  /** The key and the curl command that a start prints. */
  const introduction = async (server: Awaited<ReturnType<typeof startServer>>) => {
    const [, curl = "", key = ""] = await server.readUntil(
      /\n(curl -H "Authorization: Bearer (\S+)".+)\n/,
    );
    return { curl, key };
  };
  const stop = async ({ program }: Awaited<ReturnType<typeof startServer>>) => {
    program.kill();
    expect(await program.exited).toBe(0);
  };

  test("prints an ADMIN key and a working curl command, and keeps the data over a restart", async () => {
    const cwd = temporaryFolder();
    const first = await startServer(["--demo"], { cwd });
    const { curl, key } = await introduction(first);
    const shell = Bun.spawn(["sh", "-c", `${curl} --silent`], { stdout: "pipe" });
    const page = JSON.parse(await shell.stdout.text());
    expect(page.data).toHaveLength(2);
    expect((await fetch(`${first.url}/`)).headers.get("content-type")).toContain("text/html");
    const authorization = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ firstName: "Newly", lastName: "Hired" });
    await fetch(`${first.url}/api/v1/users`, { method: "POST", headers: authorization, body });
    await stop(first);
    expect(await first.program.stderr.text()).toContain(`Open ${first.url}/ in a browser`);
    // In a file of its own.
    expect(readdirSync(cwd).sort()).toEqual(["demo.db", "demo.db-lock"]);

    const second = await startServer(["--demo"], { cwd });
    const another = await introduction(second);
    expect(another.key).not.toBe(key);
    for (const either of [key, another.key]) {
      const headers = { Authorization: `Bearer ${either}` };
      const answer = await fetch(`${second.url}/api/v1/users?search=newly`, { headers });
      expect(await answer.json()).toMatchObject({ pagination: { totalCount: 1 } });
    }
    await stop(second);
  });

  test("does not change a database with another practice", async () => {
    const cwd = temporaryFolder();
    await runInProcess(["migrate"], { cwd });
    const database = connectFile(join(cwd, "caseload.db"), "existing");
    await newOrganization(database, { public_id: "org_real" });
    await database.close();
    const server = await startServer(["--demo"], { cwd, env: { DATABASE_URL: "caseload.db" } });
    await stop(server);
    const printed = await server.program.stderr.text();
    expect(printed).toContain("already has a practice");
    expect(printed.match(/a key with/g)).toHaveLength(1);
    const keys = await runInProcess(["keys", "list", "--json"], { cwd });
    expect(keys.stdout).toBe("[]\n");
  });
});

describe("caseload", () => {
  test("prints help, and version, commit and platform, with status 0", async () => {
    const cwd = temporaryFolder();
    expect(await runProgram(["--version"], { cwd })).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /^1\.0\.0 \(commit ([0-9a-f]{12}(-dirty)?|unknown), \w+-\w+, time zones \d{4}[a-z]\)\n$/,
      ),
      stderr: "",
    });
    for (const args of [["--help"], ["serve", "--help"], ["keys", "create", "--help"]]) {
      const { status, stdout, stderr } = await runInProcess(args, { cwd });
      expect([status, stderr]).toEqual([0, ""]);
      expect(stdout).toStartWith("Usage: caseload");
    }
  });

  test("exits with status 2 without a command, or for an unknown one", async () => {
    const cwd = temporaryFolder();
    const without = await runProgram([], { cwd });
    expect([without.status, without.stdout]).toEqual([2, ""]);
    const unknown = await runProgram(["bogus"], { cwd });
    expect(unknown).toEqual({ status: 2, stdout: "", stderr: "error: unknown command 'bogus'\n" });
  });

  test("refuses a missing database in commands that do not create one", async () => {
    const { status, stderr } = await runProgram(["keys", "list"], { cwd: temporaryFolder() });
    expect([status, stderr]).toEqual([
      1,
      'error: There is no database at caseload.db. Create one with "caseload migrate" or "caseload import", or name another with --database.\n',
    ]);
  });
});

test("the heads of the audit chains are logged after the start and every hour", async () => {
  const database = await newDatabase();
  const organization = await newOrganization(database, { public_id: "org_maple" });
  const log: LogLine[] = [];
  const timers = [spyOn(globalThis, "setTimeout"), spyOn(globalThis, "setInterval")];
  const server = await serve({
    database,
    clock: new TestClock(),
    operator: "ana",
    log: (line) => log.push(line),
    output: captureOutput(),
    configuration: serverConfiguration({ port: "0" }, {}),
  });
  const works = timers
    .flatMap(({ mock }) =>
      mock.calls.map(([work, delay], index) => ({
        work,
        delay,
        timer: mock.results[index]?.value,
      })),
    )
    .filter(({ delay }) => delay === 1_000 || delay === 3_600_000)
    .map(({ work, timer }) => {
      // On a busy machine it would log once more.
      clearTimeout(timer as Timer);
      return work as () => void;
    });
  for (const timer of timers) timer.mockRestore();
  const act = { organizationId: organization, command: "export", operator: "ana" };
  await database.write((trx) => recordCommand(trx, { ...act, time: NOW as Instant }), {
    organizationId: organization,
  });
  for (const work of works) work();
  await server.stop();
  const [head] = await database.read(printedHeads);
  expect(head).toMatch(/^org_maple:1:[0-9a-f]{64}$/);
  const line = { time: NOW, level: "info", message: "audit heads", heads: [head] };
  expect(log as unknown[]).toEqual([line, line]);
});
