import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { OpenDatabase } from "../../db/database.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import { openMigrated } from "../../src/commands/database.ts";
import { DEMO_ORGANIZATION } from "../../src/demo/practice.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { runProgram, startServer } from "../support/commands/program.ts";
import { demoText } from "../support/demo/demo-file.ts";
import { issueKey } from "../support/factories.ts";
import { temporaryFolder } from "../support/harness.ts";
import { newTestDatabaseUrl, onPostgresql } from "../support/postgresql/databases.ts";

/** Two nodes answer reads of an organization, each with its row in the audit trail, while a file of it is imported. */

const SESSIONS = 20_000;

/** In bytes. A machine that is busy with other tests would take too long for the largest file that is allowed. */
const MAX_UPLOAD = 3 * 1024 * 1024;

const cwd = temporaryFolder();
const file = join(cwd, "practice.ndjson");
const organization = DEMO_ORGANIZATION;

let url: string;
let database: OpenDatabase;
let key: string;
let nodes: Awaited<ReturnType<typeof startServer>>[];

beforeAll(async () => {
  url = onPostgresql ? await newTestDatabaseUrl() : join(cwd, "caseload.db");
  const text = demoText({ sessions: SESSIONS });
  await Bun.write(file, text);
  await Bun.write(join(cwd, "organization.ndjson"), text.split("\n")[0] ?? "");
  database = await openMigrated({ url, clock: systemClock, output: { result() {}, message() {} } });
  await importFile("organization.ndjson");
  ({ key } = await issueKey(database, organization, { holder: { role: "ADMIN" } }));
  nodes = await Promise.all([
    startServer(["--database", url], { cwd }),
    startServer(["--database", url], { cwd }),
  ]);
}, 60_000);

afterAll(async () => {
  for (const { program } of nodes) program.kill("SIGKILL");
  await database.close();
});

async function importFile(name: string): Promise<void> {
  const { status, stderr } = await runProgram(["import", name, "--database", url], { cwd });
  expect([status, stderr]).toEqual([0, expect.stringContaining(`Imported into ${organization}`)]);
}

async function upload(): Promise<void> {
  const bytes = await Bun.file(file).slice(0, MAX_UPLOAD).bytes();
  const response = await fetch(`${nodes[0]?.url}/api/v1/practice-file`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/x-ndjson" },
    body: bytes.subarray(0, bytes.lastIndexOf(0x0a)),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

interface Read {
  id: string;
  status: number;
  milliseconds: number;
}

/** Reads pages of sessions from a node, one after the other, until `importing` has ended. */
async function readBeside(node: number, importing: Promise<void>): Promise<Read[]> {
  const reads: Read[] = [];
  while (Bun.peek.status(importing) === "pending") {
    const id = `read-${crypto.randomUUID()}`;
    const started = performance.now();
    const response = await fetch(`${nodes[node]?.url}/api/v1/sessions?pageSize=25`, {
      headers: { Authorization: `Bearer ${key}`, "X-Request-Id": id },
    });
    await response.arrayBuffer();
    reads.push({ id, status: response.status, milliseconds: performance.now() - started });
    await Bun.sleep(10);
  }
  return reads;
}

/** How many of these ids the audit trail has, which gets rows of the spool a little later. */
async function recorded(ids: string[]): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const rows = await database.read((db) =>
      db
        .selectFrom("audit_entries")
        .select("request_id")
        .where("organization_id", "=", organization)
        .where("route", "=", "/v1/sessions")
        .execute(),
    );
    const found = new Set(rows.map(({ request_id }) => request_id));
    const count = ids.filter((id) => found.has(id)).length;
    if (count === ids.length || attempt === 100) return count;
    await Bun.sleep(100);
  }
}

describe("reads of an organization go on", () => {
  test.each([
    ["while 3 MiB of its records are imported over HTTP", upload],
    [
      `while the command imports ${SESSIONS.toLocaleString("en-US")} sessions`,
      () => importFile("practice.ndjson"),
    ],
  ])(
    "%s",
    async (_, startImport) => {
      const started = performance.now();
      const importing = startImport();
      const both = await Promise.all([readBeside(0, importing), readBeside(1, importing)]);
      await importing;
      const duration = performance.now() - started;
      const reads = both.flat();
      expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
      // A read that waited for the import's transaction would take most of its time.
      const slowest = Math.max(...reads.map(({ milliseconds }) => milliseconds));
      expect(slowest).toBeLessThan(Math.max(1_000, duration / 2));
      for (const ofNode of both) expect(ofNode.length).toBeGreaterThan(10);
      expect(await recorded(reads.map(({ id }) => id))).toBe(reads.length);
      const chains = await database.read((db) => verifyChains(db));
      expect(chains.filter(({ fault }) => fault !== undefined)).toEqual([]);
    },
    120_000,
  );
});
