import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { connect as connectSocket, type Socket } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { startServer } from "../support/commands/program.ts";
import { demoText } from "../support/demo/demo-file.ts";
import { newApiKey, newOrganization, newSession } from "../support/factories.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { dropDatabase, newTestDatabaseUrl, onPostgresql } from "../support/postgresql/databases.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";

/** Many exports of a large practice at the same time, with clients that read slowly or not at all. */

/** Makes a file of some 12 MB, more than sockets buffer. */
const SESSIONS = 10_000;

/**
 * The slowest response to others, in milliseconds, on a busy machine. Waiting for a connection that exports hold would
 * take longer than this on PostgreSQL, and end in a 503.
 */
const SLOWEST_PAGE = 2_400;

/** How much the server's memory and SQLite's log may grow meanwhile, in bytes. */
const MEMORY_GROWTH = 300 * 2 ** 20;
const LOG_SIZE = 16 * 2 ** 20;

const cwd = temporaryFolder();
const path = join(cwd, "caseload.db");

let url: string;
let node: Awaited<ReturnType<typeof startServer>>;
let admins: string[];
let other: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  url = onPostgresql ? await newTestDatabaseUrl() : path;
  const database = await connect(url, "create");
  await migrate(database, NOW as Instant);
  const text = demoText({ sessions: SESSIONS });
  await mustImport(database, text);
  admins = [await newApiKey(database, organizationOf(text))];
  for (let small = 0; small < 2; small += 1)
    admins.push(await newApiKey(database, await newOrganization(database)));
  const organization = await newOrganization(database);
  for (let session = 0; session < 30; session += 1) await newSession(database, organization);
  other = await newApiKey(database, organization);
  // Also empties SQLite's log.
  await database.close();
  node = await startServer(["--database", url], { cwd });
}, 120_000);

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  node.program.kill();
  await node.program.exited;
  if (onPostgresql) await dropDatabase(url);
});

function organizationOf(text: string): string {
  return (JSON.parse(text.slice(0, text.indexOf("\n"))) as { publicId: string }).publicId;
}

const request = (line: string, key = "", body?: string) => {
  const [method = "", target = ""] = line.split(" ");
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return fetch(node.url + target, { method, headers, ...(body !== undefined && { body }) });
};

/** Pages of another organization and readiness, one after the other, until `work` has ended. */
async function meanwhile(work: Promise<unknown>) {
  let isDone = false;
  void work.finally(() => (isDone = true));
  const statuses = new Set<number>();
  let slowest = 0;
  let pages = 0;
  for (; !isDone; pages += 1) {
    const begun = performance.now();
    for (const answer of [
      await request("GET /api/v1/sessions", other),
      await request("GET /readyz"),
    ]) {
      statuses.add(answer.status);
      await answer.arrayBuffer();
    }
    slowest = Math.max(slowest, performance.now() - begun);
  }
  return { pages, statuses: [...statuses], isFast: slowest < SLOWEST_PAGE };
}

/** Asks for an export and reads only its beginning. */
async function stalledExport(key: string): Promise<number> {
  const { hostname, port } = new URL(node.url);
  const socket = connectSocket(Number(port), hostname);
  sockets.push(socket);
  socket.on("error", () => {});
  socket.write(
    `GET /api/v1/practice-file HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  const beginning = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
  socket.pause();
  return Number(beginning.toString("latin1", 9, 12));
}

/**
 * Waits until no connection of the server has a snapshot. For moments there are some: the audit rows of the last
 * requests are written then. One that an export holds would remain as long as its client does not read.
 */
async function snapshotsClosed(): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const open = async (): Promise<unknown[]> => {
    // Not those of the database itself, such as autovacuum's.
    const { rows } = await client.query(
      `select state, query from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null
         and backend_type = 'client backend'`,
    );
    return rows;
  };
  for (let attempt = 0; attempt < 200 && (await open()).length > 0; attempt += 1)
    await Bun.sleep(50);
  expect(await open()).toEqual([]);
  await client.end();
}

async function residentBytes(): Promise<number> {
  const metrics = await (await request("GET /metrics")).text();
  return Number(/^caseload_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
}

const countsOf = (statuses: number[]) =>
  Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([s, all]) => [s, all.length]),
  );

describe("concurrent exports", () => {
  test("run two at a time per organization; further ones are refused with 429, and others do not notice", async () => {
    const exports = Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await request("GET /api/v1/practice-file", admins[0]);
        const { byteLength } = await answer.arrayBuffer();
        return { status: answer.status, retryAfter: answer.headers.get("retry-after"), byteLength };
      }),
    );
    const { pages, ...others } = await meanwhile(exports);
    expect(others).toEqual({ statuses: [200], isFast: true });
    expect(pages).toBeGreaterThan(3);
    const answers = await exports;
    const whole = answers.filter(({ status }) => status === 200);
    expect(new Set(whole.map(({ byteLength }) => byteLength)).size).toBe(1);
    expect(whole[0]?.byteLength).toBeGreaterThan(10_000_000);
    expect(answers.filter(({ status }) => status !== 200)).toEqual(
      Array.from({ length: 18 }, () => ({
        status: 429,
        retryAfter: "10",
        byteLength: expect.any(Number),
      })),
    );
  }, 60_000);

  test("of clients that do not read hold no snapshot, and little memory", async () => {
    const before = await residentBytes();
    const stalled = Promise.all(Array.from({ length: 400 }, () => stalledExport(admins[0] ?? "")));
    const { pages, ...others } = await meanwhile(stalled);
    expect(others).toEqual({ statuses: [200], isFast: true });
    expect(countsOf(await stalled)).toEqual({ 200: 2, 429: 398 });
    expect((await residentBytes()) - before).toBeLessThan(MEMORY_GROWTH);
    if (onPostgresql) await snapshotsClosed();

    const body = JSON.stringify({ firstName: "Ana", lastName: "Ruiz", role: "CAREGIVER" });
    for (let user = 0; user < 500; user += 1)
      expect((await request("POST /api/v1/users", other, body)).status).toBe(200);
    if (!onPostgresql) expect(statSync(`${path}-wal`).size).toBeLessThan(LOG_SIZE);
  }, 60_000);

  test("do not prevent those of other organizations, and further ones run when they have ended", async () => {
    // Two of the large practice are still being sent.
    const [, first = "", second = ""] = admins;
    const answers = await Promise.all(
      [first, second].map((key) => request("GET /api/v1/practice-file", key)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const answer of answers) await answer.arrayBuffer();
    for (const socket of sockets.splice(0)) socket.destroy();
    const deadline = performance.now() + 5_000;
    for (;;) {
      const answer = await request("GET /api/v1/practice-file", admins[0]);
      await answer.arrayBuffer();
      if (answer.status === 200) break;
      expect(performance.now()).toBeLessThan(deadline);
      await Bun.sleep(50);
    }
  }, 60_000);
});
