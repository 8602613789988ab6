import { afterAll, expect, test } from "bun:test";
import { runProgram, startServer } from "../support/commands/program.ts";
import { canRun, Follower, writePracticeFile } from "../support/follower/follower.ts";
import { type EngineBackup, fileBackup, serverBackup } from "../support/follower/backup.ts";
import { randomNumbers, writeAtRandom } from "../support/follower/writes.ts";
import { newDatabase, temporaryFolder } from "../support/harness.ts";
import { unusedPort } from "../support/ports.ts";
import { newTestDatabaseUrl, onPostgresql } from "../support/postgresql/databases.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";
import { exportText, mustImport } from "../support/practice-file/practice-file.ts";

/**
 * The programs of `docs/clients.md` keep a copy of a practice (practice file, Changed since): from nothing, killed at
 * random, beside random writes by the API and imports, on two nodes with PostgreSQL, and over a restored backup. At rest,
 * an import of the copy equals an export of the practice byte for byte.
 */

const cwd = temporaryFolder();
const databaseUrl = onPostgresql ? await newTestDatabaseUrl() : undefined;
const env = databaseUrl === undefined ? undefined : { DATABASE_URL: databaseUrl };
const options = { cwd, ...(env !== undefined && { env }) };
const backup: EngineBackup =
  databaseUrl === undefined ? fileBackup(caseload) : serverBackup(databaseUrl);

async function caseload(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runProgram(args, options);
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const NODES = onPostgresql ? 2 : 1;
let nodes: Awaited<ReturnType<typeof startServer>>[] = [];

async function startNodes(): Promise<void> {
  nodes = await Promise.all(Array.from({ length: NODES }, () => startServer([], options)));
}

async function stopNodes(): Promise<void> {
  for (const { program } of nodes) program.kill();
  await Promise.all(nodes.map(({ program }) => program.exited));
}

const followers = await Promise.all(
  (["ts", "python", "doorbell"] as const).filter(canRun).map((name) => Follower.in(cwd, name)),
);

afterAll(async () => {
  for (const { program } of nodes) program.kill("SIGKILL");
  await Promise.all(followers.map((follower) => follower.kill()));
  await backup.remove();
});

/** The export of a database into which the copy was imported. */
async function exportOf(follower: Follower): Promise<string> {
  const database = await newDatabase();
  await mustImport(database, follower.file);
  return exportText(database, "org_maple");
}

async function untilAllHave(sequence: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  const late = () => followers.filter((follower) => follower.sequence !== sequence);
  while (late().length > 0) {
    if (performance.now() > deadline)
      throw new Error(`${late().map(({ name }) => name)} did not catch up with ${sequence}`);
    await Bun.sleep(20);
  }
}

test("a copy equals the practice after crashes, concurrent writes and a restored backup", async () => {
  await caseload("import", writePracticeFile(cwd, fullPractice));
  // The follower by webhook listens on it whenever it runs.
  const port = unusedPort();
  const of = ["--organization", "org_maple", "--name", "x"];
  const key = (await caseload("keys", "create", ...of, "--role", "ADMIN")).trim();
  const secret = (await caseload("webhooks", "add", ...of, `http://127.0.0.1:${port}/`)).trim();
  await startNodes();

  /** Followers ask different nodes. */
  const start = (follower: Follower, settings = {}) => {
    const { url } = nodes[followers.indexOf(follower) % NODES] as { url: string };
    follower.start({ url, key, secret, port, ...settings });
  };
  /** Two programs write at the same time, each to all nodes. */
  const write = (writes: number, seed: number) => {
    const practice = { urls: nodes.map(({ url }) => url), key, ...options };
    return Promise.all([
      writeAtRandom(practice, writes / 2, randomNumbers(seed)),
      writeAtRandom(practice, writes / 2, randomNumbers(seed + 1)),
    ]);
  };
  /** Waits until all copies have come as far as the practice, and compares them. */
  const expectCopies = async () => {
    const { headers } = await fetch(`${nodes[0]?.url}/api/v1/practice-file`, {
      method: "HEAD",
      headers: { Authorization: `Bearer ${key}` },
    });
    const sequence = Number(headers.get("caseload-sequence"));
    await untilAllHave(sequence);
    const exported = await caseload("export", "org_maple");
    const copies = await Promise.all(followers.map(exportOf));
    for (const copy of copies) expect(copy).toBe(exported);
  };

  // The follower by webhook is killed once: after each failed call, the next one is later.
  let isWriting = true;
  const killing = followers.map(async (follower, index) => {
    const random = randomNumbers(index + 7);
    start(follower);
    do {
      // Long enough that most have begun to read: a program takes a while to start.
      await Bun.sleep(300 + random(900));
      await follower.kill();
      start(follower);
    } while (isWriting && follower.name !== "doorbell");
  });
  await write(40, 1);
  isWriting = false;
  await Promise.all(killing);
  await expectCopies();

  // What is written after the backup is gone with it; its numbers must not mean other writes to those who have seen them.
  await stopNodes();
  await backup.make();
  for (const seed of [3, 5]) {
    await startNodes();
    for (const follower of followers) await follower.kill();
    for (const follower of followers) start(follower);
    await write(8, seed);
    await expectCopies();
    await stopNodes();
    await backup.restore();
  }
  await startNodes();

  // If the webhook is off, polling keeps the copy up to date.
  const [webhook] = JSON.parse(await caseload("webhooks", "list", "--json")) as [{ id: string }];
  await caseload("webhooks", "remove", webhook.id);
  for (const follower of followers) await follower.kill();
  for (const follower of followers) start(follower, { interval: 500 });
  await write(8, 7);
  await expectCopies();
}, 180_000);
