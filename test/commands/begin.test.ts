import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { intakeStageKeys } from "../../src/intake-leads/model.ts";
import { runInProcess } from "../support/commands/program.ts";
import { temporaryFolder } from "../support/harness.ts";

const practice = ["--name", "Zuni ABA", "--timezone", "America/Denver", "--admin", "Tara Begaye"];

async function exported(cwd: string): Promise<Record<string, unknown>[]> {
  const { stdout: listed } = await runInProcess(["organizations", "list", "--json"], { cwd });
  const [{ id }] = JSON.parse(listed) as [{ id: string }];
  const { stdout } = await runInProcess(["export", id], { cwd });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("begin", () => {
  test("makes a practice with a location, the stages and an administrator, and prints the invitation alone", async () => {
    const cwd = temporaryFolder();
    const origin = ["--origin", "https://zuni.example"];
    const { status, stdout, stderr } = await runInProcess(["begin", ...practice, ...origin], {
      cwd,
    });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^https:\/\/zuni\.example\/#\/invitation\/\S+\n$/),
    });
    expect(stderr).toMatch(
      /^Made the practice org_\w+, Zuni ABA\.\nThe link registers a passkey of Tara Begaye once, until \S+\. It is not stored\.\n$/,
    );
    const lines = await exported(cwd);
    expect(
      lines.map(({ type, name, key, role, firstName, lastName, timezone }) => ({
        type,
        name,
        key,
        role,
        firstName,
        lastName,
        timezone,
      })),
    ).toEqual(
      [
        { type: "organization", name: "Zuni ABA", timezone: "America/Denver" },
        { type: "location", name: "Zuni ABA" },
        ...intakeStageKeys.map((key) => ({ type: "intakeStage", name: expect.any(String), key })),
        { type: "user", role: "ADMIN", firstName: "Tara", lastName: "Begaye" },
      ].map((line) => expect.objectContaining(line)),
    );
    const { stdout: access } = await runInProcess(["access", "list", "--json"], { cwd });
    expect(JSON.parse(access)).toEqual([
      expect.objectContaining({ invitation: expect.anything() }),
    ]);
  });

  test("names the first location as it is told, and says where the link lacks its address", async () => {
    const cwd = temporaryFolder();
    const { stdout, stderr } = await runInProcess(
      ["begin", ...practice, "--location", "Main clinic"],
      { cwd },
    );
    expect(stdout).toMatch(/^\/#\/invitation\/\S+\n$/);
    expect(stderr).toContain("Put the address of the page in front of it");
    expect((await exported(cwd)).find(({ type }) => type === "location")?.name).toBe("Main clinic");
  });

  test("is refused where there is a practice, and changes nothing", async () => {
    const cwd = temporaryFolder();
    await runInProcess(["begin", ...practice], { cwd });
    const before = await exported(cwd);
    const { status, stdout, stderr } = await runInProcess(["begin", ...practice], { cwd });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(
      /^error: The database has a practice, org_\w+\. caseload invite makes a link/,
    );
    expect(await exported(cwd)).toEqual(before);
  });

  test.each([
    ["--name", " "],
    ["--timezone", "Mountain"],
    ["--admin", "Tara"],
  ])("%s %p is wrong usage, and makes no database", async (flag, value) => {
    const cwd = temporaryFolder();
    const at = practice.indexOf(flag);
    const args = ["begin", ...practice.with(at + 1, value)];
    expect((await runInProcess(args, { cwd })).status).toBe(2);
    expect(await Bun.file(join(cwd, "caseload.db")).exists()).toBe(false);
  });
});
