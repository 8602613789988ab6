import { afterAll, expect, test } from "bun:test";
import { Client } from "pg";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { runInProcess, startServer } from "../support/commands/program.ts";
import { issueKey, newOrganization, newPatient, newUser } from "../support/factories.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newProxy } from "../support/postgresql/proxy.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/**
 * A failover: the name leads to another server, which has the same data, while the connections to the one before stay open.
 * That one takes no changes any more, but answers reads for ever, with what it had.
 */

const [before, after] = [await newTestServer(), await newTestServer()];
const old = new URL(await newDatabaseUrl(before.url, "caseload", "template0"));
const next = new URL(await newDatabaseUrl(after.url, "caseload", "template0"));

const name = await newProxy(old);

const database = await connect(old.href, "existing");
await migrate(database, NOW as Instant);
const organization = await newOrganization(database);
await newPatient(database, organization);
const { key } = await issueKey(database, organization, { holder: { role: "ADMIN" } });
const copied = await runInProcess(["copy", next.href], {
  cwd: temporaryFolder(),
  env: { DATABASE_URL: old.href },
});
const node = await startServer([], { cwd: temporaryFolder(), env: { DATABASE_URL: name.url } });

afterAll(async () => {
  node.program.kill("SIGKILL");
  name.close();
  await database.close();
  await Promise.all([before.remove(), after.remove()]);
});

async function ask(path: string, body?: object) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(node.url + path, { ...init, headers });
  return { status: answer.status, text: await answer.text() };
}

/** Opens several connections, by requests at a time. */
const askMany = (path: string) => Promise.all(Array.from({ length: 30 }, () => ask(path)));

const newPerson = (firstName: string) =>
  ask("/api/v1/users", { firstName, lastName: "Ruiz", role: "CAREGIVER" });

test("is over within ten seconds, for writes, short reads and long ones, and nothing is read from the server before", async () => {
  expect(copied.status).toBe(0);
  await askMany("/api/v1/users");
  // A worker has its connections, too.
  expect((await ask("/api/v1/checks")).status).toBe(200);
  expect((await newPerson("Before")).status).toBe(200);

  const admin = new Client({ connectionString: before.url });
  await admin.connect();
  await admin.query("alter system set default_transaction_read_only = on");
  await admin.query("select pg_reload_conf()");
  await admin.end();
  await Bun.sleep(200);
  const refused = await newPerson("Refused");
  expect(refused.status).toBe(503);
  name.leadTo(next);

  const moved = performance.now();
  while ((await newPerson("After")).status !== 200 && performance.now() - moved < 10_000)
    await Bun.sleep(50);
  expect(performance.now() - moved).toBeLessThan(10_000);
  const users = await askMany("/api/v1/users?role=CAREGIVER");
  for (const { status, text } of users) {
    expect(status).toBe(200);
    expect(text).toContain('"After"');
    expect(text).not.toContain('"Before"');
  }
  // What is booked on the new one is seen by a worker.
  const other = await connect(next.href, "existing");
  await newUser(other, organization, { public_id: "usr_leaver", is_active: 0 });
  await other.close();
  for (;;) {
    const { status, text } = await ask(`/api/v1/practice-file?types=user`);
    expect(status).toBe(200);
    if (text.includes("usr_leaver")) break;
    expect(performance.now() - moved).toBeLessThan(30_000);
    await Bun.sleep(200);
  }
}, 60_000);

test("a new connection to a server that takes no changes is refused, since what it shows may be old", async () => {
  const fenced = await connect(old.href, "existing");
  const names = fenced.read((db) => db.selectFrom("organizations").select("name").execute());
  await expect(names).rejects.toMatchObject({ name: "ConnectionLost", code: "25006" });
  await fenced.close();
});
