import { Database as SqliteFile } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { printedHeads } from "../../src/audit/repository.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import { backUpCommand } from "../../src/commands/backup.ts";
import { newApiKey, newGoal, newOrganization, newSession, newUser } from "../support/factories.ts";
import { NOW } from "../support/harness.ts";
import { contentsOf, newPractice, onDatabase } from "../support/commands/practice.ts";
import {
  runInProcess,
  runProgram,
  startServer,
  withoutRootsRights,
} from "../support/commands/program.ts";

type Practice = Awaited<ReturnType<typeof newPractice>>;

const backUp = (practice: Practice, target: string) =>
  onDatabase(practice.url, (database) => backUpCommand({ ...practice, database }, { target }));

describe("backup", () => {
  test("copies every row into one file with mode 600, and prints its path", async () => {
    const practice = await newPractice();
    await onDatabase(practice.url, async (database) => {
      await newUser(database, practice.organization);
      await newSession(database, practice.organization);
      await newGoal(database, practice.organization);
    });
    const before = contentsOf(practice.url);
    const target = join(practice.cwd, "monday.db");
    await backUp(practice, target);

    expect(contentsOf(target)).toEqual(before);
    expect(before.goals).toHaveLength(1);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    const beside = readdirSync(practice.cwd).filter((name) => name.startsWith("monday"));
    expect(beside).toEqual(["monday.db"]);
    expect(practice.output.results).toEqual([target]);
    expect(practice.output.said).toEqual([
      "The backup is complete and verified. It contains patients' data: protect it like the database.",
    ]);
  });

  test("needs no file beside the database", async () => {
    const practice = await newPractice();
    // A name so long that the note about the backup, which doctor reads, is not possible.
    const url = join(practice.cwd, "x".repeat(240));
    renameSync(practice.url, url);
    const target = join(practice.cwd, "monday.db");
    await backUp({ ...practice, url }, target);
    expect(contentsOf(target).organizations).toEqual(contentsOf(url).organizations);
  });

  test("writes an entry in the audit trail of the database, with the time of its data", async () => {
    const practice = await newPractice();
    await backUp(practice, join(practice.cwd, "monday.db"));
    expect(contentsOf(practice.url).audit_entries).toEqual([
      {
        organization_id: "",
        sequence: 1,
        time: NOW,
        request_id: expect.any(String),
        key_id: null,
        user_id: null,
        role: null,
        method: "COMMAND",
        route: "backup",
        status: 0,
        patient_ids: "[]",
        hash: expect.any(String),
        target: join(practice.cwd, "monday.db"),
        address: null,
        operator: "ana",
        requests: null,
      },
    ]);
    expect(contentsOf(join(practice.cwd, "monday.db")).audit_entries).toEqual([]);
  });

  test("copies one snapshot of a server that continues to write", async () => {
    const { cwd, url, organization } = await newPractice();
    const key = await onDatabase(url, async (database) => {
      // A copy of tens of megabytes takes long enough for writes to happen meanwhile.
      await newOrganization(database, { name: "x".repeat(30_000_000) });
      return newApiKey(database, organization);
    });
    const server = await startServer([], { cwd });
    const acknowledged: string[] = [];
    let done = false;
    const createUsers = async () => {
      while (!done) {
        const response = await fetch(`${server.url}/api/v1/users`, {
          method: "POST",
          headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
          body: JSON.stringify({ firstName: "Ana", lastName: "Ruiz" }),
        });
        if (response.status !== 200) throw new Error(await response.text());
        const { user } = (await response.json()) as { user: { publicId: string } };
        acknowledged.push(user.publicId);
      }
    };
    const writers = Promise.all([createUsers(), createUsers(), createUsers()]);
    while (acknowledged.length < 10) await Bun.sleep(1);

    const before = [...acknowledged];
    const result = await runInProcess(["backup", "monday.db"], { cwd });
    done = true;
    await writers;
    server.program.kill();
    expect(await server.program.exited).toBe(0);

    expect(result).toEqual({
      status: 0,
      stdout: "monday.db\n",
      stderr: expect.stringContaining("The backup is complete and verified."),
    });
    await onDatabase(join(cwd, "monday.db"), async (copy) => {
      const users = await copy.read((db) =>
        db.selectFrom("users").select("public_id").orderBy("created_at").execute(),
      );
      const ids = users.map((row) => row.public_id);
      expect(ids).toEqual(expect.arrayContaining(before));
      expect(acknowledged).toEqual(expect.arrayContaining(ids));
      expect(acknowledged.length).toBeGreaterThan(ids.length);
      const chains = await copy.read((db) => verifyChains(db));
      expect(chains.filter((chain) => chain.fault !== undefined)).toEqual([]);
    });
  });
});

describe("backup refuses", () => {
  const damagePage = (path: string): void => {
    const bytes = readFileSync(path);
    bytes.fill(0xff, 4096 * 9, 4096 * 10);
    writeFileSync(path, bytes);
  };
  const refused: [string, string, (practice: Practice) => void, RegExp][] = [
    [
      "a target that exists",
      "monday.db",
      ({ cwd }) => writeFileSync(join(cwd, "monday.db"), "last week"),
      /monday\.db exists, and a backup never replaces a file/,
    ],
    [
      "a folder that does not exist",
      "no/such/monday.db",
      () => {},
      /Cannot write in the folder .*no\/such: it must exist and be writable/,
    ],
    [
      "a file instead of a folder",
      "letter.txt/monday.db",
      ({ cwd }) => writeFileSync(join(cwd, "letter.txt"), "Dear colleague"),
      /Cannot write in the folder .*letter\.txt: it must exist/,
    ],
    [
      "a damaged database",
      "monday.db",
      ({ url }) => damagePage(url),
      /caseload\.db is damaged .*use an earlier backup/,
    ],
    [
      "a database with a dangling reference",
      "monday.db",
      ({ url }) => {
        const file = new SqliteFile(url);
        file.run(
          "insert into locations (organization_id, public_id, name) values ('org_none', 'loc_1', 'Main clinic')",
        );
        file.close(true);
      },
      /caseload\.db is damaged \(a row refers to one that does not exist\)/,
    ],
  ];
  test.each(refused)("%s, and changes nothing", async (_, target, prepare, message) => {
    const practice = await newPractice();
    prepare(practice);
    const files = readdirSync(practice.cwd);
    const before = readFileSync(practice.url);
    await expect(backUp(practice, join(practice.cwd, target))).rejects.toThrow(message);
    expect(readdirSync(practice.cwd)).toEqual(files);
    expect(readFileSync(practice.url).equals(before)).toBe(true);
    expect(practice.output.results).toEqual([]);
  });

  test("a read-only folder", async () => {
    const { cwd } = await newPractice();
    mkdirSync(join(cwd, "archive"));
    chmodSync(join(cwd, "archive"), 0o500);
    afterAll(() => chmodSync(join(cwd, "archive"), 0o700));
    const result = await runProgram(["backup", "archive/monday.db"], {
      cwd,
      runner: withoutRootsRights,
    });
    expect(result).toEqual({
      status: 1,
      stdout: "",
      stderr: "error: Cannot write in the folder archive: it must exist and be writable.\n",
    });
  });

  test("a disk without space for the copy, and leaves no part of it", async () => {
    const { cwd } = await newPractice();
    const limited = ["bash", "-c", 'trap "" XFSZ; ulimit -f 100; exec "$@"', "bash"];
    const files = readdirSync(cwd);
    const result = await runProgram(["backup", "monday.db"], { cwd, runner: limited });
    expect(result).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^error: Cannot copy caseload\.db into the folder \. \(.*\n$/),
    });
    expect(readdirSync(cwd)).toEqual(files);
  });

  test("wrong usage", async () => {
    const { cwd } = await newPractice();
    const wrong: [string[], string][] = [
      [["backup"], "error: missing required argument 'file'\n"],
      [["backup", "a.db", "--fast"], "error: unknown option '--fast'\n"],
      [["backup", "a.db", "b.db"], expect.stringContaining("too many arguments")],
    ];
    for (const [args, stderr] of wrong)
      expect(await runInProcess(args, { cwd })).toEqual({ status: 2, stdout: "", stderr });
  });
});

test("a backup prints the heads of its chains in the form that audit verify takes", async () => {
  const practice = await newPractice();
  const monday = join(practice.cwd, "monday.db");
  await backUp(practice, monday);
  await backUp(practice, join(practice.cwd, "tuesday.db"));
  const [head] = await onDatabase(practice.url, (database) => database.read(printedHeads));
  expect(head).toMatch(/^-:2:[0-9a-f]{64}$/);
  const first = practice.output.said.find((line) => line.includes("-:1:"))?.split(": ")[1] ?? "";
  const verify = ["audit", "verify", "--head", first];
  expect((await runInProcess(verify, { cwd: practice.cwd })).status).toBe(0);
});
