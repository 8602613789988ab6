import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "../../db/connect.ts";
import type { OpenDatabase } from "../../db/database.ts";
import { migrate } from "../../db/migrate.ts";
import type { Instant } from "../../src/lib/instant.ts";
import { recordCommand } from "../../src/audit/trail.ts";
import { verifyChains } from "../../src/audit/verification.ts";
import { runProgram, startServer } from "../support/commands/program.ts";
import { issueKey, newOrganization, newTreatmentPlan } from "../support/factories.ts";
import { type Json, required, step } from "../support/goals/bodies.ts";
import { NOW, temporaryFolder } from "../support/harness.ts";
import { newDatabaseUrl } from "../support/postgresql/databases.ts";
import { newTestServer } from "../support/postgresql/server.ts";

/** Two nodes on one database are one service, also while one of them or PostgreSQL fails. */

const postgresql = await newTestServer();
const url = await newDatabaseUrl(postgresql.url, "nodes", "template0");
const cwd = temporaryFolder();
const options = { cwd, env: { DATABASE_URL: url } };

type Node = Awaited<ReturnType<typeof startServer>>;

let database: OpenDatabase;
let organization: string;
let key: string;
let nodes: [Node, Node];

beforeAll(async () => {
  database = await connect(url, "existing");
  await migrate(database, NOW as Instant);
  organization = await newOrganization(database);
  ({ key } = await issueKey(database, organization, { holder: { role: "ADMIN" } }));
  nodes = await Promise.all([startServer([], options), startServer([], options)]);
}, 60_000);

afterAll(async () => {
  for (const { program } of nodes) program.kill("SIGKILL");
  await database.close();
  await postgresql.remove();
});

interface Sent {
  status: number;
  text: string;
  headers: Headers;
}

/** Sends a request to a node. The result is undefined if the node stopped. */
async function send(
  node: Node,
  [method, path]: [method: string, path: string],
  { body, headers = {} }: { body?: Json; headers?: Record<string, string> } = {},
): Promise<Sent | undefined> {
  try {
    const response = await fetch(`${node.url}/api/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  } catch {
    return undefined;
  }
}

/** Creates a caregiver on a node. */
function create(node: Node, email: string, headers = {}): Promise<Sent | undefined> {
  const body = { firstName: "Ana", lastName: "Ruiz", role: "CAREGIVER", email };
  return send(node, ["POST", "users"], { body, headers });
}

async function emails(): Promise<string[]> {
  const rows = await database.read((db) =>
    db.selectFrom("users").select("email").where("organization_id", "=", organization).execute(),
  );
  return rows.map(({ email }) => email ?? "");
}

async function expectValidTrail(): Promise<void> {
  const chains = await database.read((db) => verifyChains(db));
  expect(chains.filter(({ fault }) => fault !== undefined)).toEqual([]);
}

/**
 * Sends writes to both nodes, several at a time, until `stop`. Collects the acknowledged emails and
 * the other statuses.
 */
function load(name: string) {
  const acknowledged: string[] = [];
  const refused: Sent[] = [];
  let going = true;
  const worker = async (number: number) => {
    for (let count = 0; going; count += 1) {
      const email = `${name}.${number}.${count}@maple.example`;
      const sent = await create(nodes[number % 2] as Node, email);
      if (sent?.status === 200) acknowledged.push(email);
      else if (sent !== undefined) refused.push(sent);
      else await Bun.sleep(20);
    }
  };
  const workers = Array.from({ length: 6 }, (_, number) => worker(number));
  return {
    acknowledged,
    refused,
    async stop() {
      going = false;
      await Promise.all(workers);
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error("It has not come about in 30 s");
    await Bun.sleep(20);
  }
}

test("concurrent requests to both nodes create one user per email address", async () => {
  for (let round = 0; round < 5; round += 1) {
    const email = `same.${round}@maple.example`;
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, index) => create(nodes[index % 2] as Node, email)),
    );
    expect(sent.map((each) => each?.status).sort()).toEqual([200, ...Array(7).fill(400)]);
    expect((await emails()).filter((each) => each === email)).toEqual([email]);
  }
  await expectValidTrail();
}, 60_000);

test("concurrent requests to both nodes with one Idempotency-Key get one response", async () => {
  const sent = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      create(nodes[index % 2] as Node, "again@maple.example", { "Idempotency-Key": "again" }),
    ),
  );
  expect(sent.map((each) => each?.status)).toEqual(Array(8).fill(200));
  expect(new Set(sent.map((each) => each?.text)).size).toBe(1);
  expect(sent.filter((each) => !each?.headers.has("Idempotency-Replayed"))).toHaveLength(1);
}, 60_000);

test("reads of an organization are answered on every node during a long write of it", async () => {
  const ended = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const long = database.write(
    async (trx) => {
      begun.resolve();
      await ended.promise;
      const act = { command: "import", operator: "anna", time: NOW as Instant };
      await recordCommand(trx, { organizationId: organization, ...act });
    },
    { organizationId: organization, isLong: true },
  );
  await begun.promise;
  const waiting = create(nodes[0], "after@maple.example");
  // Reads that waited would be refused after five seconds.
  const reads = Array.from({ length: 40 }, (_, index) =>
    send(nodes[index % 2] as Node, ["GET", "users"]),
  );
  expect((await Promise.all(reads)).map((sent) => sent?.status)).toEqual(Array(40).fill(200));
  expect(Bun.peek.status(waiting)).toBe("pending");
  ended.resolve();
  await long;
  expect((await waiting)?.status).toBe(200);
  const routes = await database.read((db) =>
    db
      .selectFrom("audit_entries")
      .select("route")
      .where("organization_id", "=", organization)
      .orderBy("sequence", "desc")
      .limit(42)
      .execute(),
  );
  expect(routes.map(({ route }) => route)).toEqual([
    ...["/v1/users", "import"],
    ...Array<string>(40).fill("/v1/users"),
  ]);
  await expectValidTrail();
}, 60_000);

test("entries of one chain are added under the lock of any organization, and none is lost", async () => {
  const other = await newOrganization(database);
  const act = { organizationId: "", operator: "anna", time: NOW as Instant };
  const rows = Array.from({ length: 30 }, (_, index) =>
    database.write((trx) => recordCommand(trx, { ...act, command: `mixed ${index}` }), {
      organizationId: [organization, other, ""][index % 3] as string,
    }),
  );
  const refused = nodes.map((node) => fetch(`${node.url}/api/v1/users`));
  expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([401, 401]);
  await Promise.all(rows);
  const kept = await database.read((db) =>
    db.selectFrom("audit_entries").select("route").where("route", "like", "mixed %").execute(),
  );
  expect(kept).toHaveLength(30);
  await expectValidTrail();
}, 60_000);

test("a revoked key is refused by every node at once", async () => {
  const issued = await issueKey(database, organization, { holder: { role: "ADMIN" } });
  const statuses = () =>
    Promise.all(
      nodes.map(async (node) => {
        const headers = { Authorization: `Bearer ${issued.key}` };
        return (await fetch(`${node.url}/api/v1/users`, { headers })).status;
      }),
    );
  expect(await statuses()).toEqual([200, 200]);
  await runProgram(["keys", "revoke", issued.id], options);
  expect(await statuses()).toEqual([401, 401]);
}, 60_000);

test("concurrent updates on both nodes leave a goal with the children of one update", async () => {
  const treatmentPlanId = await newTreatmentPlan(database, organization);
  const childGoals = [step("a"), step("b"), step("c")];
  const body = { ...required.opportunity, treatmentPlanId, childGoals };
  const made = JSON.parse((await send(nodes[0], ["POST", "goals"], { body }))?.text ?? "");
  const path = `goals/${made.publicId}`;
  const writing = load("children");
  for (let round = 0; round < 5; round += 1) {
    const now = JSON.parse((await send(nodes[1], ["GET", path]))?.text ?? "");
    const kept = now.childGoals
      .slice(1)
      .map(({ publicId }: { publicId: string }) => ({ publicId }));
    // Four equal updates, each of which creates two children, and two different ones.
    const updates = [0, 0, 0, 0, 1, 2].map((kind) => [...kept, step(`${kind}`), step("more")]);
    const sent = await Promise.all(
      updates.map((children, index) =>
        send(nodes[index % 2] as Node, ["PATCH", path], { body: { childGoals: children } }),
      ),
    );
    expect(sent.map((each) => each?.status)).toEqual(Array(updates.length).fill(200));
    const stored = await send(nodes[0], ["GET", path]);
    expect(sent.map((each) => each?.text)).toContain(stored?.text);
    expect(JSON.parse(stored?.text ?? "").childGoals).toHaveLength(kept.length + 2);
  }
  await writing.stop();
  const rows = await database.read((db) =>
    db
      .selectFrom("child_goals")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("organization_id", "=", organization)
      .executeTakeFirstOrThrow(),
  );
  expect(rows.count).toBe(3 + 5);
  expect(writing.refused).toEqual([]);
  await expectValidTrail();
}, 60_000);

test("a PostgreSQL crash loses no acknowledged write: requests respond 503, and both nodes continue afterwards", async () => {
  const writing = load("crash");
  await until(() => writing.acknowledged.length > 20);
  await postgresql.stop("immediate");
  await until(() => writing.refused.some(({ status }) => status === 503));
  for (const { url: address } of nodes)
    expect([
      (await fetch(`${address}/livez`)).status,
      (await fetch(`${address}/readyz`)).status,
    ]).toEqual([200, 503]);
  await postgresql.start();
  const before = writing.acknowledged.length;
  await until(() => writing.acknowledged.length > before + 20);
  await writing.stop();
  expect(new Set(writing.refused.map(({ status }) => status))).toEqual(new Set([503]));
  expect(writing.refused.filter(({ headers }) => !headers.has("Retry-After"))).toEqual([]);
  const stored = new Set(await emails());
  expect(writing.acknowledged.filter((email) => !stored.has(email))).toEqual([]);
  expect(
    await Promise.all(
      nodes.map(({ url: address }) => fetch(`${address}/readyz`).then((r) => r.status)),
    ),
  ).toEqual([200, 200]);
  await expectValidTrail();
}, 120_000);

test("a killed node loses no acknowledged write, and the other one continues", async () => {
  const writing = load("killed");
  await until(() => writing.acknowledged.length > 20);
  nodes[0].program.kill("SIGKILL");
  await nodes[0].program.exited;
  const before = writing.acknowledged.length;
  await until(() => writing.acknowledged.length > before + 20);
  await writing.stop();
  const stored = new Set(await emails());
  expect(writing.acknowledged.filter((email) => !stored.has(email))).toEqual([]);
  await expectValidTrail();
}, 120_000);
