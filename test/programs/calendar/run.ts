import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, expectEqual, printSum } from "../../support/checks.ts";
import { runProgram, startServer } from "../../support/commands/program.ts";

/** A feed of the demo practice, read by the Python package icalendar: `bun run test:calendar`. Requires PyPI. */

const PACKAGE = "icalendar==7.3.0";
const USER = "usr_clinician_000001";

const folder = mkdtempSync(join(tmpdir(), "caseload-calendar-"));
const { program, url, readUntil } = await startServer(["--demo"], {
  ...{ cwd: folder, env: { DATABASE_URL: "caseload.db" } },
});
const [key = ""] = (await readUntil(/caseload_\w+/)).slice(0, 1);

async function run(command: string[], stdin = ""): Promise<string> {
  const child = Bun.spawn(command, {
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${errors}`);
  return output;
}

await check("icalendar reads the sessions of a feed as the API has them", async () => {
  const flags = ["--organization", "org_maple", "--user", USER, "--url", url];
  const { stdout } = await runProgram(["calendars", "create", ...flags], { cwd: folder });
  const feed = await (await fetch(stdout.trim())).text();
  const environment = join(folder, "python");
  await run(["python3", "-m", "venv", environment]);
  await run([join(environment, "bin/pip"), "install", "--quiet", PACKAGE]);
  const script = join(import.meta.dir, "read.py");
  const printed = JSON.parse(await run([join(environment, "bin/python"), script], feed));
  expectEqual([printed.name, printed.errors], ["Maple Street ABA", []]);
  if (printed.events.length < 20) throw new Error("The feed has too few events");
  const headers = { Authorization: `Bearer ${key}` };
  for (const { id, start, end, summary, errors } of printed.events) {
    const response = await fetch(`${url}/api/v1/sessions/${id}`, { headers });
    const session = (await response.json()) as { startTime: string; endTime: string };
    expectEqual(
      [new Date(start).toISOString(), new Date(end).toISOString(), errors],
      [session.startTime, session.endTime, []],
    );
    if (!/^(Supervision: )?[^\\]+, [a-z ]+( \(cancellation requested\))?$/.test(summary))
      throw new Error(`Not a summary: ${summary}`);
  }
});

program.kill();
await program.exited;
rmSync(folder, { recursive: true });
printSum();
