import { Database as SqliteFile } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runInProcess } from "../support/commands/program.ts";
import { newPracticeFile } from "../programs/durability/practice.ts";
import { startServerProcess } from "../programs/durability/server.ts";
import { temporaryFolder } from "../support/harness.ts";

/**
 * A server is killed while another process, such as a long import, holds the lock of its database.
 */

const ANSWERS = 40;

test("every answered read has exactly one audit entry after SIGKILL and restart", async () => {
  const folder = temporaryFolder();
  const practice = await newPracticeFile(join(folder, "caseload.db"));
  const server = await startServerProcess(practice.path);
  const otherConnection = new SqliteFile(practice.path);
  otherConnection.run("pragma busy_timeout = 5000");
  otherConnection.run("begin immediate");
  const answered: string[] = [];
  const read = async (id: string): Promise<void> => {
    const response = await fetch(`${server.url}/api/v1/users`, {
      headers: { Authorization: `Bearer ${practice.key}`, "X-Request-Id": id },
    });
    await response.text();
    if (response.status === 200) answered.push(id);
  };
  await Promise.all(Array.from({ length: ANSWERS }, (_, index) => read(`read-${index}`)));
  server.process.kill("SIGKILL");
  await server.process.exited;
  otherConnection.run("commit");
  otherConnection.close();

  expect(answered).toHaveLength(ANSWERS);
  const audit = (...args: string[]) =>
    runInProcess(["audit", ...args, "--database", practice.path], { cwd: folder });
  expect((await audit("verify")).status).toBe(0);
  const rows = (await audit("list", "--json")).stdout.trim().split("\n");
  const recorded = rows.map((row): string => JSON.parse(row).requestId);
  expect(recorded.filter((id) => id.startsWith("read-")).toSorted()).toEqual(answered.toSorted());
  expect(existsSync(`${practice.path}-spool`)).toBe(false);
});
