import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { OpenDatabase } from "../../db/database.ts";
import { openMigrated } from "../../src/commands/database.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { startServer } from "../support/commands/program.ts";
import { demoText } from "../support/demo/demo-file.ts";
import { issueKey, newApiKey, newOrganization, newSession } from "../support/factories.ts";
import { temporaryFolder } from "../support/harness.ts";
import { newTestDatabaseUrl, onPostgresql } from "../support/postgresql/databases.ts";
import { mustImport } from "../support/practice-file/practice-file.ts";

/** A server's workers: what others notice of long requests, and how these end with their clients and with the server. */

const cwd = temporaryFolder();
const SESSIONS = 8_000;
/** In bytes. A machine that is busy with other tests takes its time for it. */
const MAX_UPLOAD = 2 * 1024 * 1024;

let url: string;
let database: OpenDatabase;
let file: Uint8Array<ArrayBuffer>;
let organization: string;
let key: string;
let otherKey: string;
const programs: Bun.Subprocess[] = [];

beforeAll(async () => {
  url = onPostgresql ? await newTestDatabaseUrl() : join(cwd, "caseload.db");
  database = await openMigrated({ url, clock: systemClock, output: { result() {}, message() {} } });
  const text = demoText({ sessions: SESSIONS });
  organization = (JSON.parse(text.slice(0, text.indexOf("\n"))) as { publicId: string }).publicId;
  await mustImport(database, text);
  const bytes = new TextEncoder().encode(text).slice(0, MAX_UPLOAD);
  file = bytes.slice(0, bytes.lastIndexOf(0x0a));
  ({ key } = await issueKey(database, organization, { holder: { role: "ADMIN" } }));
  const other = await newOrganization(database);
  for (let session = 0; session < 30; session += 1) await newSession(database, other);
  otherKey = await newApiKey(database, other);
}, 120_000);

afterAll(async () => {
  for (const program of programs) program.kill("SIGKILL");
  await database.close();
});

async function start() {
  const node = await startServer(["--database", url], { cwd });
  programs.push(node.program);
  return node;
}

const get = (path: string, init: RequestInit = {}) => ({
  path,
  init: { ...init, headers: { Authorization: `Bearer ${key}` } } as RequestInit,
});

const importFile = (init: RequestInit = {}) => ({
  path: "practice-file",
  init: {
    ...{ method: "POST", body: file, ...init },
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/x-ndjson" },
  } as RequestInit,
});

const longRequests: [name: string, request: () => { path: string; init: RequestInit }][] = [
  ["checks", () => get("checks?startDate=2025-06-01&endDate=2026-05-31")],
  ["an overview by share", () => get("authorization-utilization?sort=share")],
  ["delivery", () => get("delivery?startDate=2025-06-01&endDate=2026-05-31")],
  ["supervision", () => get("supervision?month=2026-03")],
  ["an export", () => get("practice-file")],
  ["an import", importFile],
];

describe("short reads are answered while a worker does", () => {
  test.each(longRequests)(
    "%s",
    async (_, request) => {
      const { url, program } = await start();
      const ask = ({ path, init }: ReturnType<typeof get>) => fetch(`${url}/api/v1/${path}`, init);
      const short = { headers: { Authorization: `Bearer ${otherKey}` } };
      let answered = 0;
      // More than once where a busy machine has other work than the short reads while the long one is done.
      for (let attempt = 0; answered <= 3 && attempt < 20; attempt += 1) {
        let isDone = false;
        answered = 0;
        const long = ask(request()).finally(() => (isDone = true));
        while (!isDone) {
          const page = await fetch(`${url}/api/v1/sessions?pageSize=25`, short);
          expect(page.status).toBe(200);
          await page.arrayBuffer();
          if (!isDone) answered += 1;
        }
        const response = await long;
        expect(response.status).toBe(200);
        await response.arrayBuffer();
      }
      expect(answered).toBeGreaterThan(3);
      program.kill("SIGTERM");
      expect(await program.exited).toBe(0);
    },
    60_000,
  );
});

/** The status of the last row of a route in the audit trail. */
async function lastStatus(route: string, status: number): Promise<number | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    const row = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select("status")
        .where("organization_id", "=", organization)
        .where("route", "=", route)
        .orderBy("sequence", "desc")
        .limit(1)
        .executeTakeFirst(),
    );
    if (row?.status === status || attempt === 200) return row?.status;
    await Bun.sleep(50);
  }
}

/** Waits until expensive requests have arrived and run or wait for their turn. */
async function begun(url: string, sort: "read" | "write", count: number): Promise<void> {
  const pattern = new RegExp(`^caseload_request_wait_seconds_count{sort="${sort}"} (\\d+)$`, "m");
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (Number(pattern.exec(metrics)?.[1]) >= count) return;
    await Bun.sleep(10);
  }
}

const sequenceOf = async () =>
  (
    await database.read((db) =>
      db
        .selectFrom("organizations")
        .select("sequence")
        .where("public_id", "=", organization)
        .executeTakeFirstOrThrow(),
    )
  ).sequence;

test("an import whose client disconnects is undone and recorded, and the next one is done", async () => {
  const { url } = await start();
  const before = await sequenceOf();
  const controller = new AbortController();
  const renamed = new TextEncoder().encode(
    new TextDecoder().decode(file).replaceAll('"title":"', '"title":"Renamed '),
  );
  const body = renamed.slice(0, renamed.lastIndexOf(0x0a, MAX_UPLOAD));
  const { path, init } = importFile({ signal: controller.signal, body });
  const gone = fetch(`${url}/api/v1/${path}`, init).catch(() => "gone");
  await begun(url, "write", 1);
  controller.abort();
  expect(await gone).toBe("gone");
  expect(await lastStatus("/v1/practice-file", 499)).toBe(499);
  expect(await sequenceOf()).toBe(before);
  const next = importFile();
  expect((await fetch(`${url}/api/v1/${next.path}`, next.init)).status).toBe(200);
}, 60_000);

test("a server that is told to stop finishes what its workers do", async () => {
  const { url, program } = await start();
  const body = file.slice(0, file.lastIndexOf(0x0a, 256 * 1024));
  const asked = [get("checks?startDate=2025-06-01&endDate=2026-05-31"), importFile({ body })].map(
    async ({ path, init }) => {
      const response = await fetch(`${url}/api/v1/${path}`, init);
      await response.arrayBuffer();
      return response.status;
    },
  );
  await Promise.all([begun(url, "read", 1), begun(url, "write", 1)]);
  program.kill("SIGTERM");
  expect(await Promise.all(asked)).toEqual([200, 200]);
  expect(await program.exited).toBe(0);
}, 60_000);
