import { describe, expect, test } from "bun:test";
import { temporaryFolder } from "../../support/harness.ts";
import { programFile, runInProcess } from "../../support/commands/program.ts";

/** Commands whose output is not read. */

const cwd = temporaryFolder();
await runInProcess(["import", "-"], {
  cwd,
  stdin: (await runInProcess(["demo", "--sessions", "3000"], { cwd })).stdout,
});

/** Runs a shell command in which `caseload` is the program. */
async function shell(line: string): Promise<{ status: number; stdout: string; stderr: string }> {
  const script = `set -o pipefail; caseload() { "${process.execPath}" "${programFile()}" "$@"; }; ${line}`;
  const program = Bun.spawn(["bash", "-c", script], { cwd, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, status] = await Promise.all([
    program.stdout.text(),
    program.stderr.text(),
    program.exited,
  ]);
  return { status, stdout, stderr };
}

const commands = ["demo --sessions 3000", "export org_maple", "audit list", "organizations list"];

test("get --fail exits with status 1 for a list that is not empty, when its reader closes the pipe", async () => {
  expect(await shell("caseload get sessions --csv --fail | head -c 8")).toEqual({
    status: 1,
    stdout: "publicId",
    stderr: expect.stringMatching(/^error: \d+ rows of sessions\n$/),
  });
});

describe("a command", () => {
  test.each(commands)("%s exits with status 0 when its reader closes the pipe", async (command) => {
    const { status, stdout, stderr } = await shell(`caseload ${command} | head -n 1`);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")).toHaveLength(2);
  });

  test.each(commands)(
    "%s fails with a message if its output cannot be written",
    async (command) => {
      expect(await shell(`caseload ${command} > /dev/full`)).toEqual({
        status: 1,
        stdout: "",
        stderr: "error: Cannot write to standard output (ENOSPC); the output is incomplete.\n",
      });
    },
  );

  const unwritable = [
    ["a full disk", "exec 3> /dev/full", "ENOSPC"],
    ["a reader that is gone", "exec 3> >(true); wait $!", "EPIPE"],
  ];

  test.each(unwritable)("says for %s what to do for a lost secret", async (_, opened, code) => {
    const commands = [
      ["keys create --role ADMIN --name lost", "the key is lost: revoke it with"],
      [`webhooks add --name lost http://127.0.0.1:9/${code}`, "the secret is lost: make another"],
      ["calendars create --user usr_technician_000001", "the address is lost: create another"],
      ["invite usr_technician_000001", "the link is lost: make another"],
    ].map(([command, whatToDo]) => ({
      line: `caseload ${command} --organization org_maple >&3; echo $?`,
      whatToDo: `error: Cannot write to standard output (${code}); ${whatToDo}`,
    }));
    const { stdout, stderr } = await shell(
      `${opened}; ${commands.map(({ line }) => line).join("; ")}`,
    );
    expect(stdout).toBe("1\n1\n1\n1\n");
    for (const { whatToDo } of commands) expect(stderr).toContain(whatToDo);
  });

  test.each(unwritable)(
    "billing --bill says for %s how to print what was handed over",
    async (_, opened, code) => {
      const days = "--start 2026-01-01 --end 2026-12-31";
      expect(await shell(`${opened}; caseload billing ${days} --bill "W ${code}" >&3`)).toEqual({
        status: 1,
        stdout: "",
        stderr: `error: Cannot write to standard output (${code}); what was handed over is printed by: caseload billing --batch "W ${code}" --as-billed\n`,
      });
    },
  );
});
