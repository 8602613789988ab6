import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../../support/harness.ts";
import { programFile, runInProcess, startServer } from "../../support/commands/program.ts";

/** The output of `serve` on a terminal, or with `--log text`. */

/** Runs `caseload serve …` on a pseudo terminal and returns its screen. */
function serveOnTerminal(args: string[], cwd: string) {
  let screen = "";
  const program = Bun.spawn([process.execPath, programFile(), "serve", "--port", "0", ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "" },
    terminal: {
      cols: 200,
      data: (_terminal, bytes) => {
        screen += Buffer.from(bytes).toString();
      },
    },
  });
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(screen.replaceAll("\r", ""));
      if (found !== null) return found;
      if (program.exitCode !== null) throw new Error(`The server ended: ${screen}`);
      await Bun.sleep(10);
    }
  };
  return { program, until, screen: () => screen.replaceAll("\r", "") };
}

test("a terminal shows the address, the data file and the key, which stays last until a request", async () => {
  const cwd = temporaryFolder();
  const { program, until, screen } = serveOnTerminal(["--demo"], cwd);
  const [, key = ""] = await until(/ADMIN key of the demo practice: (\S+)\n/);
  // The JSON log has the heads of the audit trail after the start. The text log must not.
  await Bun.sleep(1_500);
  const [, url = ""] = /answers at (\S+)\n/.exec(screen()) ?? [];
  expect(screen()).toBe(
    [
      `Caseload answers at ${url}`,
      `People sign in with passkeys at ${url.replace("127.0.0.1", "localhost")}/`,
      `The data are in ${join(cwd, "demo.db")}.`,
      `Open ${url}/ in a browser and sign in with the key.`,
      `curl -H "Authorization: Bearer ${key}" "${url}/api/v1/users?pageSize=2"`,
      `ADMIN key of the demo practice: ${key}\n`,
    ].join("\n"),
  );
  await fetch(`${url}/api/v1/users?search=Secret`, { headers: { Authorization: `Bearer ${key}` } });
  await fetch(`${url}/api/v1/users`);
  const [, lines = ""] = await until(new RegExp(`${key}\n(.*\n.*\n)$`));
  expect(lines).toMatch(
    /^\d\d:\d\d:\d\d GET \/v1\/users: 200 OK, [\d.]+ ms\n\d\d:\d\d:\d\d GET \/v1\/users: 401 Unauthorized, [\d.]+ ms\n$/,
  );
  program.kill();
  expect(await program.exited).toBe(0);
});

test("without --demo it explains how to create a key; --log json logs JSON on a terminal", async () => {
  const first = serveOnTerminal([], temporaryFolder());
  await until(
    first,
    'Invite people with "caseload invite", and create keys for programs with "caseload keys create".\n',
  );
  const second = serveOnTerminal(["--log", "json"], temporaryFolder());
  const [, url = "", page] = await second.until(/answers at (\S+)\n.* at (\S+)\n/);
  expect(page).toBe(`${url.replace("127.0.0.1", "localhost")}/`);
  expect(second.screen()).toBe(
    `Caseload answers at ${url}\nPeople sign in with passkeys at ${page}\n`,
  );
  await fetch(`${url}/livez`);
  const [line = ""] = await second.until(/\{.*\}\n/);
  expect(JSON.parse(line)).toMatchObject({ message: "request", route: "/livez", status: 200 });
  // SIGHUP is what a terminal sends that is closed.
  for (const [{ program }, signal] of [
    [first, "SIGTERM"],
    [second, "SIGHUP"],
  ] as const) {
    program.kill(signal);
    expect(await program.exited).toBe(0);
  }
});

async function until(server: ReturnType<typeof serveOnTerminal>, text: string): Promise<void> {
  await server.until(new RegExp(`${text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`));
}

test("without a terminal the log is JSON, unless --log text is given, and SIGHUP does not end the server", async () => {
  const { program, url } = await startServer(["--log", "text"], { cwd: temporaryFolder() });
  // What "systemctl reload" sends: without a certificate, there is nothing to reload.
  program.kill("SIGHUP");
  await fetch(`${url}/livez`);
  program.kill();
  await program.exited;
  expect(await program.stderr.text()).toMatch(/\n\d\d:\d\d:\d\d GET \/livez: 200 OK, [\d.]+ ms\n$/);
  const { status, stderr } = await runInProcess(["serve", "--log", "xml"], {
    cwd: temporaryFolder(),
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining("Allowed choices are json, text")]);
});
