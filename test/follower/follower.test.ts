import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runProgram, startServer } from "../support/commands/program.ts";
import { canRun, Follower, writePracticeFile } from "../support/follower/follower.ts";
import { randomNumbers, writeAtRandom } from "../support/follower/writes.ts";
import { temporaryFolder } from "../support/harness.ts";
import { fullPractice } from "../support/practice-file/full-practice.ts";

/**
 * The programs of `docs/clients.md` keep a copy of a practice: from an empty copy, killed at
 * random, during random writes by the API and imports, and after a restored backup. At rest, the
 * copy equals an export byte for byte.
 */

const cwd = temporaryFolder();

async function caseload(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runProgram(args, { cwd });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** The export of a database into which the copy was imported. */
async function exportOf(follower: Follower): Promise<string> {
  const file = join(cwd, `${crypto.randomUUID()}.ndjson`);
  await Bun.write(file, follower.file);
  const database = `${file}.db`;
  await caseload("--database", database, "import", file);
  return caseload("--database", database, "export", "org_maple");
}

async function until(isDone: () => boolean): Promise<void> {
  for (let waited = 0; !isDone(); waited += 20) {
    if (waited > 20_000) throw new Error("The copy does not catch up");
    await Bun.sleep(20);
  }
}

const languages = (["ts", "python"] as const).filter(canRun);

test("a copy equals the practice after crashes, concurrent writes and a restored backup", async () => {
  await caseload("import", writePracticeFile(cwd, fullPractice));
  const key = (
    await caseload(
      "keys",
      "create",
      "--organization",
      "org_maple",
      "--role",
      "ADMIN",
      "--name",
      "x",
    )
  ).trim();
  const followers = await Promise.all(
    languages.map((language) => {
      mkdirSync(join(cwd, language));
      return Follower.in(join(cwd, language), language);
    }),
  );
  let server = await startServer([], { cwd });
  let isWriting = true;
  const killing = Promise.all(
    followers.map(async (follower, index) => {
      const random = randomNumbers(index + 7);
      while (isWriting) {
        follower.start(server.url, key);
        await Bun.sleep(20 + random(300));
        await follower.kill();
      }
    }),
  );
  await writeAtRandom({ urls: [server.url], key, cwd }, 60, randomNumbers(1));
  isWriting = false;
  await killing;

  /** Starts all followers and waits until they have caught up with the practice. */
  const catchUp = async () => {
    const headers = { Authorization: `Bearer ${key}` };
    const { headers: answered } = await fetch(`${server.url}/api/v1/practice-file`, {
      method: "HEAD",
      headers,
    });
    const sequence = Number(answered.get("caseload-sequence"));
    for (const follower of followers) follower.start(server.url, key);
    await until(() => followers.every((follower) => follower.sequence === sequence));
    for (const follower of followers) await follower.kill();
  };
  await catchUp();
  const exported = await caseload("export", "org_maple");
  for (const follower of followers) expect(await exportOf(follower)).toBe(exported);

  // Writes after the backup are lost with it, and their sequence numbers are used again.
  await caseload("backup", "backup.db");
  await writeAtRandom({ urls: [server.url], key, cwd }, 10, randomNumbers(2));
  await catchUp();
  server.program.kill();
  await server.program.exited;
  await caseload("restore", "backup.db");
  server = await startServer([], { cwd });
  await writeAtRandom({ urls: [server.url], key, cwd }, 10, randomNumbers(3));
  await catchUp();
  const restored = await caseload("export", "org_maple");
  for (const follower of followers) expect(await exportOf(follower)).toBe(restored);
  server.program.kill();
  await server.program.exited;
}, 180_000);
