import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { connectFile } from "../../db/sqlite/connect.ts";
import { newOrganization, newUser } from "../support/factories.ts";
import { temporaryFolder } from "../support/harness.ts";
import { type ProgramResult, runInProcess, startServer } from "../support/commands/program.ts";

const cwd = temporaryFolder();
const run = (...args: string[]): Promise<ProgramResult> => runInProcess(args, { cwd });
const create = (...args: string[]) => run("keys", "create", "--organization", "org_maple", ...args);
const list = async () => JSON.parse((await run("keys", "list", "--json")).stdout);

beforeAll(async () => {
  await run("migrate");
  const database = connectFile(join(cwd, "caseload.db"), "existing");
  await newOrganization(database, { public_id: "org_maple" });
  await newUser(database, "org_maple", { public_id: "usr_tech", role: "TECHNICIAN" });
  await newUser(database, "org_maple", { public_id: "usr_gone", is_active: 0 });
  await database.close();
});

describe("keys create", () => {
  test("prints the key alone on standard output, and stores only its hash", async () => {
    const made = await create("--role", "ADMIN", "--name", "front desk");
    expect(made.stdout).toMatch(/^caseload_[0-9a-hjkmnp-tv-z]{39}\n$/);
    expect(made.stderr).toMatch(
      /^Created the key key_\w+\. It is not stored and cannot be shown again\.\n$/,
    );
    expect(made.status).toBe(0);
    const file = await Bun.file(join(cwd, "caseload.db")).bytes();
    expect(Buffer.from(file).includes(made.stdout.trim())).toBe(false);
  });

  test("creates a key for a user, with the user's role", async () => {
    await create("--user", "usr_tech", "--name", "tablet", "--expires", "2030-01-31");
    const [key] = (await list()).filter(({ name }: { name: string }) => name === "tablet");
    expect(key).toEqual({
      id: expect.stringMatching(/^key_/),
      name: "tablet",
      organizationId: "org_maple",
      role: "TECHNICIAN",
      userId: "usr_tech",
      createdAt: expect.any(String),
      lastUsedAt: null,
      expiresAt: "2030-01-31T23:59:59.999Z",
      revokedAt: null,
      isReadOnly: false,
      kind: "API",
      ownPatientsOnly: false,
    });
  });

  test("--read-only is shown in the list and the audit trail, and inherited by a successor", async () => {
    await create("--role", "ADMIN", "--name", "mirror", "--read-only");
    const [key] = (await list()).filter(({ name }: { name: string }) => name === "mirror");
    expect(key.isReadOnly).toBe(true);
    await run("keys", "rotate", key.id);
    const keys = (await list()).filter(({ name }: { name: string }) => name === "mirror");
    expect(keys.map(({ isReadOnly }: { isReadOnly: boolean }) => isReadOnly)).toEqual([true, true]);
    const { stdout } = await run("keys", "list", "--organization", "org_maple");
    expect(stdout).toMatch(/mirror .* yes\n/);
    const trail = await run("audit", "list", "--key", key.id, "--json");
    const acts = trail.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(acts.map(({ route, target }) => [route, target])).toEqual([
      ["keys create", "--read-only"],
      ["keys rotate", "--read-only"],
    ]);
  });

  test("--agent is shown in the list and the audit trail, inherited by a successor, and opens no path of the API", async () => {
    const text = (
      await create("--user", "usr_tech", "--name", "assistant", "--agent")
    ).stdout.trim();
    const agents = async () =>
      (await list()).filter(({ name }: { name: string }) => name === "assistant");
    const [key] = await agents();
    expect(key).toMatchObject({ kind: "AGENT", isReadOnly: true, role: "TECHNICIAN" });
    const rotated = (await run("keys", "rotate", key.id)).stdout.trim();
    expect((await agents()).map(({ kind }: { kind: string }) => kind)).toEqual(["AGENT", "AGENT"]);
    const trail = await run("audit", "list", "--key", key.id, "--json");
    expect(trail.stdout).toContain('"target":"--agent"');
    const { program, url } = await startServer([], { cwd });
    for (const path of ["me", "sessions", "", "nothing"])
      for (const token of [text, rotated]) {
        const headers = { Authorization: `Bearer ${token}` };
        const response = await fetch(`${url}/api/v1/${path}`, { headers });
        expect(response.status).toBe(403);
        expect(await response.text()).toContain("Access denied");
      }
    program.kill();
    await program.exited;
  });

  const refused: [string[], number, RegExp][] = [
    [["--role", "ADMIN"], 2, /required option '--name <text>' not specified/],
    [["--name", "x"], 2, /give either --role or --user/],
    [["--name", "x", "--role", "ADMIN", "--user", "usr_tech"], 2, /give either --role or --user/],
    [["--name", " ", "--role", "ADMIN"], 2, /must not be empty/],
    [["--name", "x", "--role", "BOSS"], 2, /It must be one of ADMIN, /],
    [["--name", "x", "--role", "ADMIN", "--expires", "2026-02-30"], 2, /a date such as/],
    [["--name", "x", "--role", "ADMIN", "--expires", "2020-01-01"], 1, /already have expired/],
    [["--name", "x", "--user", "usr_none"], 1, /has no user usr_none/],
    [["--name", "x", "--user", "usr_gone"], 1, /usr_gone is inactive/],
    [["--name", "x", "--role", "ADMIN", "--colour", "red"], 2, /unknown option '--colour'/],
  ];
  for (const [args, status, message] of refused)
    test(`refuses ${args.join(" ")}`, async () => {
      const result = await create(...args);
      expect(result).toEqual({ status, stdout: "", stderr: expect.stringMatching(message) });
    });

  test("refuses an unknown organization", async () => {
    const result = await run(
      "keys",
      "create",
      "--organization",
      "org_x",
      "--role",
      "ADMIN",
      "--name",
      "x",
    );
    expect(result.stderr).toBe(
      'error: There is no organization org_x; "caseload organizations list" shows them.\n',
    );
    expect(result.status).toBe(1);
  });
});

describe("keys list", () => {
  test("prints a table without keys", async () => {
    const { stdout, status } = await run("keys", "list", "--organization", "org_maple");
    const [head, ...rows] = stdout.trimEnd().split("\n");
    expect(head?.split(/ {2,}/)).toEqual([
      ..."ID NAME KIND ROLE USER CREATED".split(" "),
      "LAST USED",
      "EXPIRES",
      "REVOKED",
      "READ-ONLY",
      "OWN PATIENTS ONLY",
    ]);
    expect(rows.length).toBeGreaterThan(0);
    expect(stdout).not.toContain("caseload_");
    expect(status).toBe(0);
  });

  test("prints no keys of another organization", async () => {
    const { stdout } = await run("keys", "list", "--organization", "org_other", "--json");
    expect(stdout).toBe("[]\n");
  });
});

describe("a running server", () => {
  const ask = async (url: string, key: string) => {
    const headers = { Authorization: `Bearer ${key}` };
    return (await fetch(`${url}/api/v1/specializations`, { headers })).status;
  };

  test("accepts a new key and its successor, accepts the old key during the overlap, and refuses a revoked key", async () => {
    const { program, url } = await startServer([], { cwd });
    const first = (await create("--role", "ADMIN", "--name", "rotated")).stdout.trim();
    expect(await ask(url, first)).toBe(200);

    const id = (await list()).find(({ name }: { name: string }) => name === "rotated").id;
    const second = (await run("keys", "rotate", id, "--overlap", "1h")).stdout.trim();
    expect([await ask(url, first), await ask(url, second)]).toEqual([200, 200]);

    expect((await run("keys", "revoke", id)).status).toBe(0);
    expect([await ask(url, first), await ask(url, second)]).toEqual([401, 200]);

    const keys = (await list()).filter(({ name }: { name: string }) => name === "rotated");
    expect(keys).toHaveLength(2);
    expect(keys[0].lastUsedAt).not.toBeNull();
    expect(keys[0].revokedAt).not.toBeNull();
    program.kill();
    expect(await program.exited).toBe(0);
  });

  test("rotate --help prints the default overlap in a readable form", async () => {
    const { stdout } = await run("keys", "rotate", "--help");
    expect(stdout).toContain("(default: 24h)");
    expect(stdout).not.toContain("86400000");
  });

  test("refuses the old key after the overlap", async () => {
    const { program, url } = await startServer([], { cwd });
    const first = (await create("--role", "ADMIN", "--name", "short")).stdout.trim();
    const id = (await list()).find(({ name }: { name: string }) => name === "short").id;
    const rotated = await run("keys", "rotate", id, "--overlap", "0s");
    expect([await ask(url, first), await ask(url, rotated.stdout.trim())]).toEqual([401, 200]);
    program.kill();
    await program.exited;
  });
});

describe("keys rotate and keys revoke", () => {
  test("refuse an unknown key", async () => {
    for (const verb of ["rotate", "revoke"])
      expect(await run("keys", verb, "key_none")).toEqual({
        status: 1,
        stdout: "",
        stderr: 'error: There is no key key_none; "caseload keys list" shows the ids.\n',
      });
  });

  test("refuse to rotate a revoked key", async () => {
    await create("--role", "ADMIN", "--name", "dead");
    const id = (await list()).find(({ name }: { name: string }) => name === "dead").id;
    await run("keys", "revoke", id);
    const { status, stderr } = await run("keys", "rotate", id);
    expect([status, stderr]).toEqual([
      1,
      `error: The key ${id} is no longer valid; create a new one with "keys create".\n`,
    ]);
  });

  test("refuse an invalid overlap", async () => {
    const { status, stderr } = await run("keys", "rotate", "key_1", "--overlap", "a day");
    expect(status).toBe(2);
    expect(stderr).toContain("90s, 30m, 24h or 7d");
  });
});
