import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { check, expectEqual, printSum } from "../../support/checks.ts";
import { runProgram, startServer } from "../../support/commands/program.ts";

/**
 * The tools for agents over the wire: `bun run test:mcp`. The official conformance suite, and the official clients in
 * TypeScript and Python. Requires npm's registry, and Python with PyPI for the last one.
 */

const SUITE = "@modelcontextprotocol/conformance@0.1.16";
const PYTHON_CLIENT = "mcp==2.3.0";
const NAMES = [
  ...["authorizations_at_a_glance", "delivered", "explain_authorization", "find_person"],
  ...["goals_at_a_look", "sessions_of", "supervision", "what_needs_attention", "would_it_fit"],
];
const PERSON = {
  data: [
    {
      ...{ id: "usr_patient_000012", name: "Lucy Carver", role: "PATIENT" },
      ...{ recordNumber: "MRN-000012", status: "ACTIVE" },
    },
  ],
};
const NO_MONTH = "400: month: Must be a calendar month, written YYYY-MM";

const folder = mkdtempSync(join(tmpdir(), "caseload-mcp-"));
const { program, url } = await startServer(["--demo", "--mcp"], {
  ...{ cwd: folder, env: { DATABASE_URL: "caseload.db" } },
});
const holder = ["--organization", "org_maple", "--role", "ADMIN", "--name", "agent"];
const { stdout } = await runProgram(["keys", "create", "--agent", ...holder], { cwd: folder });
const key = stdout.trim();

/** The suite cannot send a key: this adds it, and passes everything else on as it is. */
const keyring = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${key}`);
    const { method, body } = request;
    return fetch(`${url}/mcp`, { method, headers, body, decompress: false });
  },
});

async function run(command: string[], cwd = folder): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "pipe" });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${output}${errors}`);
  return output;
}

const suite = (...args: string[]) =>
  run([
    ...[process.execPath, "x", "--bun", SUITE, "server"],
    ...["--url", `http://localhost:${keyring.port}/mcp`, ...args],
  ]);

// The first requests after a start, when nothing is loaded yet.
for (const scenario of ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"])
  await check(`the conformance suite passes ${scenario}`, async () => {
    await suite("--scenario", scenario);
  });

await check("of the whole suite, only what these tools do not have fails", async () => {
  await suite("--expected-failures", join(import.meta.dir, "expected-failures.yml"));
});

await check("the client in TypeScript", async () => {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  const { tools } = await client.listTools();
  expectEqual(tools.map(({ name }) => name).sort(), NAMES);
  const textOf = async (name: string, args: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: args });
    const [first] = content;
    return first?.type === "text" ? first.text : "";
  };
  expectEqual(JSON.parse(await textOf("find_person", { search: "MRN-000012" })), PERSON);
  expectEqual(await textOf("delivered", { month: "2026-13" }), NO_MONTH);
  await client.close();
});

await check("the client in Python", async () => {
  const environment = join(folder, "python");
  await run(["python3", "-m", "venv", environment]);
  await run([join(environment, "bin/pip"), "install", "--quiet", PYTHON_CLIENT]);
  const script = join(import.meta.dir, "client.py");
  const printed = await run([join(environment, "bin/python"), script, `${url}/mcp`, key]);
  expectEqual(JSON.parse(printed), [NAMES, PERSON, NO_MONTH]);
});

await keyring.stop(true);
program.kill();
await program.exited;
rmSync(folder, { recursive: true });
printSum();
