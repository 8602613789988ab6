import { afterAll, expect, test } from "bun:test";
import { Client } from "pg";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { startServer } from "../support/commands/program.ts";
import { issueKey, newOrganization } from "../support/factories.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newProxy } from "../support/postgresql/proxy.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/** A PostgreSQL server that accepts connections and bytes, and never responds. */

const postgresql = await newTestServer();
const direct = new URL(await newDatabaseUrl(postgresql.url, "hanging", "template0"));

const proxy = await newProxy(direct);

const database = await connect(direct.href, "existing");
await migrate(database, NOW as Instant);
const organization = await newOrganization(database);
const { key } = await issueKey(database, organization, { holder: { role: "ADMIN" } });
const node = await startServer([], { cwd: temporaryFolder(), env: { DATABASE_URL: proxy.url } });

afterAll(async () => {
  node.program.kill("SIGKILL");
  proxy.close();
  await database.close();
  await postgresql.remove();
});

async function ask(path: string, init: RequestInit = {}, within = 8_000) {
  const started = performance.now();
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const { status, headers: answered } = await fetch(node.url + path, { ...init, headers });
  const isInTime = performance.now() - started < within;
  return { status, retryAfter: answered.get("retry-after"), isInTime };
}

const body = JSON.stringify({ firstName: "Ana", lastName: "Ruiz", role: "CAREGIVER" });

const good = { status: 200, retryAfter: null, isInTime: true };
const refused = { status: 503, retryAfter: "1", isInTime: true };

/** Requests at intervals of 10 ms, so that each takes a connection of its own. */
async function askMany(count: number, path: string, init?: RequestInit, within?: number) {
  const answers: ReturnType<typeof ask>[] = [];
  for (let asked = 0; asked < count; asked += 1) {
    answers.push(ask(path, init, within));
    await Bun.sleep(10);
  }
  return Promise.all(answers);
}

async function expectRecovery(): Promise<void> {
  const deadline = performance.now() + 15_000;
  while ((await ask("/api/v1/users")).status !== 200 && performance.now() < deadline)
    await Bun.sleep(100);
  expect(await ask("/api/v1/users")).toEqual(good);
}

test("requests respond 503 with Retry-After within 8 s, and 200 when the server responds again", async () => {
  expect(await ask("/api/v1/users")).toEqual(good);
  proxy.hang(true);
  const asked = () => [
    ask("/api/v1/users"),
    ask("/api/v1/users", { method: "POST", body }),
    ask("/readyz"),
  ];
  expect(await Promise.all(asked())).toEqual([refused, refused, refused]);
  // Requests at a later moment, when the node knows that the server does not respond.
  expect(await Promise.all(asked())).toEqual([refused, refused, refused]);
  proxy.hang(false);
  await expectRecovery();
}, 60_000);

test("hundreds of concurrent requests respond 503 within 8 s as well", async () => {
  proxy.hang(true);
  const [reads, writes] = await Promise.all([
    askMany(200, "/api/v1/users"),
    askMany(100, "/api/v1/users", { method: "POST", body }),
  ]);
  expect([...reads, ...writes]).toEqual(Array.from({ length: 300 }, () => refused));
  proxy.hang(false);
  await expectRecovery();
}, 60_000);

test("requests respond within 8 s while slow reads use all connections, and 200 afterwards", async () => {
  const holder = new Client({ connectionString: direct.href });
  await holder.connect();
  await holder.query("begin");
  await holder.query("lock table sessions in access exclusive mode");
  const [slow, others] = await Promise.all([
    askMany(100, "/api/v1/sessions"),
    askMany(100, "/api/v1/users"),
  ]);
  expect(slow).toEqual(Array.from({ length: 100 }, () => refused));
  expect(others.filter(({ isInTime }) => !isInTime)).toEqual([]);
  expect(others.filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toEqual(
    [],
  );
  await holder.query("commit");
  await holder.end();
  const answers = await Promise.all([
    askMany(20, "/api/v1/sessions"),
    askMany(20, "/api/v1/users"),
  ]);
  expect(answers.flat()).toEqual(Array.from({ length: 40 }, () => good));
}, 60_000);

test("while another node writes the organization, reads respond without waiting, and writes 503 within 13 s", async () => {
  const holder = new Client({ connectionString: direct.href });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from organizations where public_id = $1 for no key update", [
    organization,
  ]);
  const linked = JSON.stringify({
    ...{ firstName: "Ana", lastName: "Ruiz", role: "CLINICIAN" },
    careTeamTechnicianIds: ["usr_none"],
  });
  const [reads, writes] = await Promise.all([
    askMany(100, "/api/v1/users", {}, 4_000),
    askMany(100, "/api/v1/users", { method: "POST", body: linked }, 13_000),
  ]);
  expect(reads).toEqual(Array.from({ length: 100 }, () => good));
  expect(writes).toEqual(Array.from({ length: 100 }, () => refused));
  await holder.query("rollback");
  await holder.end();
  expect(await ask("/api/v1/users", { method: "POST", body: linked })).toEqual(good);
}, 60_000);

test("a write waits for the lock of the audit trail longer than one attempt at the organization's", async () => {
  const holder = new Client({ connectionString: direct.href });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select pg_advisory_xact_lock(hashtextextended($1, 1))", [organization]);
  const user = JSON.stringify({ firstName: "Ana", lastName: "Ruiz" });
  const writing = ask("/api/v1/users", { method: "POST", body: user });
  await Bun.sleep(1_500);
  await holder.query("rollback");
  await holder.end();
  expect(await writing).toEqual(good);
}, 60_000);
