import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { runProgram, startServer } from "../support/commands/program.ts";
import { canRun, Follower, writePracticeFile } from "../support/follower/follower.ts";
import { type EngineBackup, fileBackup, serverBackup } from "../support/follower/backup.ts";
import { randomNumbers, writeAtRandom } from "../support/follower/writes.ts";
import { temporaryFolder } from "../support/harness.ts";
import { newTestDatabaseUrl, onPostgresql } from "../support/postgresql/databases.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";

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
  return stdout.trim();
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

/** What an export of the copy writes, once it has been imported into a database of its own. */
async function exportOf(follower: Follower): Promise<string> {
  const file = join(cwd, `${crypto.randomUUID()}.ndjson`);
  await Bun.write(file, follower.file);
  const database = `${file}.db`;
  await caseload("--database", database, "import", file);
  return caseload("--database", database, "export", "org_maple");
}

async function until(isDone: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!isDone()) {
    if (performance.now() > deadline) throw new Error("A copy does not catch up");
    await Bun.sleep(20);
  }
}

/** A port that nobody has; the doorbell's follower listens on it whenever it runs. */
function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  void server.stop(true);
  return server.port as number;
}

test("a copy equals the practice after crashes, concurrent writes and a restored backup", async () => {
  await caseload("import", writePracticeFile(cwd, fullPractice));
  const port = freePort();
  const of = ["--organization", "org_maple", "--name", "x"];
  const key = await caseload("keys", "create", ...of, "--role", "ADMIN");
  const secret = await caseload("webhooks", "add", ...of, `http://127.0.0.1:${port}/`);
  const readOnlyKey = await caseload("keys", "create", ...of, "--role", "ADMIN", "--read-only");
  await startNodes();

  /** Followers ask different nodes. */
  const start = (follower: Follower, settings = {}) => {
    const { url } = nodes[followers.indexOf(follower) % NODES] as { url: string };
    follower.start({ url, key: readOnlyKey, secret, port, ...settings });
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
    await until(() => followers.every((follower) => follower.sequence === sequence));
    const exported = await caseload("export", "org_maple");
    const copies = await Promise.all(followers.map(exportOf));
    for (const copy of copies) expect(copy).toBe(exported);
  };

  // The one that waits for calls is killed once, the others all the time.
  let isWriting = true;
  const killing = followers.map(async (follower, index) => {
    const random = randomNumbers(index + 7);
    start(follower);
    while (isWriting) {
      await Bun.sleep(20 + random(300));
      if (follower.name === "doorbell" && random(10) > 0) continue;
      await follower.kill();
      start(follower);
    }
  });
  await write(60, 1);
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

  // A doorbell that is switched off by mistake: the copy is kept by asking now and then.
  const [webhook] = JSON.parse(await caseload("webhooks", "list", "--json")) as [{ id: string }];
  await caseload("webhooks", "remove", webhook.id);
  for (const follower of followers) await follower.kill();
  for (const follower of followers) start(follower, { interval: 500 });
  await write(8, 7);
  await expectCopies();
}, 180_000);
