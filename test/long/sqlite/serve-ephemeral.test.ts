import { describe, expect, test } from "bun:test";
import type { CalendarDate } from "../../../src/lib/calendar-date.ts";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../support/harness.ts";
import { runProgram, startProgram } from "../../support/commands/program.ts";
import { demoText, recordsOf } from "../../support/demo/demo-file.ts";
import { fullPractice } from "../../support/practice-file/full-practice.ts";
import { fileOf } from "../../support/practice-file/practice-file.ts";

/** `serve --ephemeral` is a server for tests of clients. It leaves nothing behind. */

interface Ephemeral {
  cwd: string;
  /** The folder in which it creates its temporary folder. */
  temporary: string;
  organizationId: string;
  url: string;
  key: string;
  port: number;
  keys: { role: string; readOnly: boolean; key: string }[];
  stdout: string;
  stop(signal?: NodeJS.Signals): Promise<{ status: number; stderr: string }>;
}

/** Starts one with `--json`, in an environment with another database and port. */
async function startEphemeral(args: string[] = [], stdin = ""): Promise<Ephemeral> {
  const cwd = temporaryFolder();
  const temporary = join(cwd, "temporary");
  mkdirSync(temporary);
  const env = { TMPDIR: temporary, DATABASE_URL: join(cwd, "own.db"), PORT: "1" };
  const program = startProgram(["serve", "--ephemeral", "--json", ...args], { cwd, env, stdin });
  const reader = program.stdout.getReader();
  const { value } = await reader.read();
  const stdout = new TextDecoder().decode(value);
  if (stdout === "") throw new Error(await program.stderr.text());
  return {
    cwd,
    temporary,
    ...(JSON.parse(stdout) as Pick<Ephemeral, "organizationId" | "url" | "key" | "port" | "keys">),
    stdout,
    async stop(signal = "SIGTERM") {
      program.kill(signal);
      const stderr = await program.stderr.text();
      expect(await reader.read()).toMatchObject({ done: true });
      return { status: await program.exited, stderr };
    },
  };
}

async function get({ key, port }: Ephemeral, path: string): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

describe("serve --ephemeral", () => {
  test("prints organization, address and keys as one line of JSON, serves the demo practice, and leaves no files", async () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      const server = await startEphemeral();
      const { key, port } = server;
      const line = { organizationId: "org_maple", url: `http://127.0.0.1:${port}`, key, port };
      expect(server.stdout).toBe(`${JSON.stringify({ ...line, keys: [] })}\n`);
      expect(server.port).toBeGreaterThan(1);
      // Now and then a file is beside it, by which the server sees that it can write there.
      const [folder = ""] = readdirSync(server.temporary).filter((name) =>
        statSync(join(server.temporary, name)).isDirectory(),
      );
      expect(statSync(join(server.temporary, folder)).mode & 0o777).toBe(0o700);
      expect(readdirSync(join(server.temporary, folder))).toContain("caseload.db");
      const { pagination } = await get(server, "/api/v1/sessions?pageSize=1");
      expect((pagination as { totalCount: number }).totalCount).toBeGreaterThan(1_000);
      expect((await server.stop(signal)).status).toBe(0);
      expect(readdirSync(server.temporary)).toEqual([]);
      expect(existsSync(join(server.cwd, "own.db"))).toBe(false);
    }
  });

  test("--key creates more keys, of any role, also ones that only read", async () => {
    const roles = ["TECHNICIAN", "ADMIN:read-only", "TECHNICIAN"];
    const server = await startEphemeral(roles.flatMap((role) => ["--key", role]));
    expect(server.keys).toEqual([
      { role: "TECHNICIAN", readOnly: false, key: expect.stringMatching(/^caseload_/) },
      { role: "ADMIN", readOnly: true, key: expect.stringMatching(/^caseload_/) },
      { role: "TECHNICIAN", readOnly: false, key: expect.stringMatching(/^caseload_/) },
    ]);
    expect(new Set([server.key, ...server.keys.map(({ key }) => key)]).size).toBe(4);
    for (const { role, readOnly, key } of server.keys)
      expect(await get({ ...server, key }, "/api/v1/me")).toMatchObject({
        key: { role, isReadOnly: readOnly },
      });
    await server.stop();
  });

  test("--import serves a practice file or standard input", async () => {
    const file = join(temporaryFolder(), "practice.ndjson");
    await Bun.write(file, fileOf(fullPractice));
    for (const server of [
      await startEphemeral(["--import", file]),
      await startEphemeral(["--import", "-"], fileOf(fullPractice)),
    ]) {
      const totalCount = fullPractice.filter(({ type }) => type === "session").length;
      expect(await get(server, "/api/v1/sessions")).toMatchObject({ pagination: { totalCount } });
      await server.stop();
    }
  });

  test("refuses an invalid file and leaves no files", async () => {
    const cwd = temporaryFolder();
    const temporary = join(cwd, "temporary");
    mkdirSync(temporary);
    await Bun.write(join(cwd, "bad.ndjson"), '{"type":"organization"}\n');
    for (const [file, message] of [
      ["bad.ndjson", /^bad\.ndjson:1: organization: /],
      ["missing.ndjson", /^error: There is no file missing\.ndjson\.\n$/],
    ] as const) {
      const args = ["serve", "--ephemeral", "--import", file];
      const result = await runProgram(args, { cwd, env: { TMPDIR: temporary } });
      expect(result).toEqual({ status: 1, stdout: "", stderr: expect.stringMatching(message) });
      expect(readdirSync(temporary)).toEqual([]);
    }
  });

  test("--now stops the clock, for the demo practice and for written records", async () => {
    const now = "2026-03-02T15:00:00Z";
    const server = await startEphemeral(["--now", now]);
    // Four weeks before and after today.
    const checks = await get(server, "/api/v1/checks?pageSize=1");
    expect(checks).toMatchObject({ startDate: "2026-02-02", endDate: "2026-03-30" });
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/users`, {
      method: "POST",
      headers: { Authorization: `Bearer ${server.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ firstName: "Newly", lastName: "Hired", role: "TECHNICIAN" }),
    });
    expect(await answer.json()).toMatchObject({
      user: { createdAt: "2026-03-02T15:00:00.000Z" },
    });
    const { stderr } = await server.stop();
    for (const line of stderr.trim().split("\n"))
      expect(JSON.parse(line)).toMatchObject({ time: "2026-03-02T15:00:00.000Z" });
  });

  test("PUT /test/clock moves the clock forward, with any key, if it was stopped by --now", async () => {
    const server = await startEphemeral([
      ...["--now", "2026-03-02T15:00:00Z", "--key", "PATIENT:read-only"],
    ]);
    const [{ key = "" } = {}] = server.keys;
    const put = async (body: unknown, authorization = `Bearer ${key}`) => {
      const response = await fetch(`${server.url}/test/clock`, {
        method: "PUT",
        headers: { Authorization: authorization, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      return [response.status, await response.json()];
    };
    const refusal = (code: string, message: string) => [
      400,
      {
        ...{ message: "Validation Error", statusCode: 400 },
        validationErrors: [{ code, message, path: ["now"] }],
      },
    ];
    const today = async () => (await get(server, "/api/v1/checks?pageSize=1")).startDate;
    expect(await today()).toBe("2026-02-02");
    expect(await put({ now: "2026-03-09T23:00:00+01:00" })).toEqual([
      200,
      { now: "2026-03-09T22:00:00.000Z" },
    ]);
    expect(await today()).toBe("2026-02-09");
    expect(await put({ now: "2026-03-09T22:00:00Z" })).toEqual([
      200,
      { now: "2026-03-09T22:00:00.000Z" },
    ]);
    expect(await put({ now: "2026-03-09T21:59:59.999Z" })).toEqual(
      refusal("custom", "Must not be before the present time"),
    );
    expect(await put({})).toEqual(refusal("invalid_type", "Required"));
    expect((await put({ now: "2026-03-10" }))[0]).toBe(400);
    expect((await put({ now: "2026-03-10T00:00:00Z" }, "Bearer x"))[0]).toBe(401);
    expect(await today()).toBe("2026-02-09");
    await server.stop();
  });

  test("when the clock is 400 days after a deletion, changes since before it are no longer known", async () => {
    const server = await startEphemeral(["--now", "2026-03-02T15:00:00Z"]);
    const call = (method: string, path: string, type: string, body: string) =>
      fetch(`${server.url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${server.key}`, "Content-Type": type },
        body,
      });
    const lines = [
      { type: "organization", publicId: "org_maple" },
      { type: "intakeLead", publicId: "lead_000001", deleted: true },
    ];
    const ndjson = lines.map((line) => JSON.stringify(line)).join("\n");
    const deletion = await call("POST", "/api/v1/practice-file", "application/x-ndjson", ndjson);
    expect(await deletion.json()).toMatchObject({ changes: { intakeLead: { deleted: 1 } } });
    const statuses = [];
    for (const now of ["2027-04-06T15:00:00Z", "2027-04-06T15:00:00.001Z"]) {
      await call("PUT", "/test/clock", "application/json", JSON.stringify({ now }));
      const changes = `${server.url}/api/v1/practice-file?after=1`;
      const headers = { Authorization: `Bearer ${server.key}` };
      statuses.push((await fetch(changes, { headers })).status);
    }
    expect(statuses).toEqual([200, 410]);
    await server.stop();
  });

  test("without --now, there is no /test/clock", async () => {
    const server = await startEphemeral();
    const { status } = await fetch(`${server.url}/test/clock`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${server.key}`, "Content-Type": "application/json" },
      body: '{"now":"2099-01-01T00:00:00Z"}',
    });
    expect(status).toBe(404);
    await server.stop();
  });

  const wrong: [string[], string][] = [
    [["--now", "2026-03-02T15:00:00Z"], "--import, --now and --key go with --ephemeral."],
    [["--import", "practice.ndjson"], "--import, --now and --key go with --ephemeral."],
    [["--key", "ADMIN"], "--import, --now and --key go with --ephemeral."],
    [["--date", "2026-03-02"], "--date is for the demo practice: add --demo."],
    [
      ["--ephemeral", "--import", "-", "--date", "2026-03-02"],
      "--date is for the demo practice: add --demo.",
    ],
    [["--ephemeral", "--demo", "--import", "-"], "Give either --demo or --import."],
  ];
  for (const [args, message] of wrong)
    test(`ends with status 2 for ${args.join(" ")}`, async () => {
      const result = await runProgram(["serve", ...args], { cwd: temporaryFolder() });
      expect(result).toEqual({ status: 2, stdout: "", stderr: `error: ${message}\n` });
    });

  test("exits with status 2 for --database, and for a time without an offset", async () => {
    const cwd = temporaryFolder();
    const named = await runProgram(["--database", "own.db", "serve", "--ephemeral"], { cwd });
    expect(named).toEqual({
      status: 2,
      stdout: "",
      stderr:
        "error: --ephemeral creates its own database and cannot be combined with --database.\n",
    });
    const { status, stderr } = await runProgram(["serve", "--ephemeral", "--now", "2026-03-02"], {
      cwd,
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining("It must be an instant such as")]);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe("serve --demo", () => {
  test("accepts the --date of `caseload demo`", async () => {
    const cwd = temporaryFolder();
    const args = ["serve", "--demo", "--json", "--port", "0"];
    const server = startProgram([...args, "--date", "2026-03-02"], { cwd });
    const { value } = await server.stdout.getReader().read();
    expect(Object.keys(JSON.parse(new TextDecoder().decode(value)))).toEqual([
      ...["organizationId", "url", "key", "port", "keys"],
    ]);
    server.kill();
    await server.exited;
    const exported = await runProgram(["--database", "demo.db", "export", "org_maple"], { cwd });
    const records = recordsOf(demoText({ today: "2026-03-02" as CalendarDate }));
    expect(
      exported.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject(records as object[]);
  });
});

test("a database in memory is refused in each of its spellings, and one without a name", async () => {
  const cwd = temporaryFolder();
  for (const url of [":memory:", "file::memory:", "file::memory:?cache=shared"]) {
    const result = await runProgram(["migrate", "--database", url], { cwd });
    expect(result).toEqual({
      status: 1,
      stdout: "",
      stderr: "error: The database must be a file: name one with --database or DATABASE_URL.\n",
    });
  }
  const { status, stderr } = await runProgram(["migrate", "--database", ""], { cwd });
  expect(status).toBe(1);
  expect(stderr).toBe(
    "error: The name of the database is empty: give a file or a postgres: URL.\n",
  );
  expect(readdirSync(cwd)).toEqual([]);
});

test("caseload openapi prints the document that a server shows", async () => {
  const server = await startEphemeral();
  const printed = await runProgram(["openapi"], { cwd: temporaryFolder() });
  expect([printed.status, printed.stderr]).toEqual([0, ""]);
  expect(JSON.parse(printed.stdout)).toEqual(await get(server, "/swagger/json"));
  await server.stop();
});
