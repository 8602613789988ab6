import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runProgram } from "../test/support/commands/program.ts";
import { newDatabaseUrl } from "../test/support/postgresql/databases.ts";
import { newTestServer } from "../test/support/postgresql/server.ts";
import { type ServerProcess, startServerProcess } from "../test/programs/durability/server.ts";

/**
 * Runs a server under mixed load for some minutes: memory and open files must not grow, nor on SQLite, with
 * backups, the write-ahead log. `bun bench/soak.ts [--minutes 3] [--clients 16] [--postgresql]` prints a sample
 * every ten seconds, and at the end what has grown; the exit status is then 1.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "3" },
    clients: { type: "string", default: "16" },
    postgresql: { type: "boolean", default: false },
  },
});
const duration = Number(values.minutes) * 60_000;
const clients = Number(values.clients);

const SAMPLING_INTERVAL = 10_000;
const BACKUP_INTERVAL = 30_000;

/** The allowed growth between the medians of the first and last third, and the absolute maximum. */
const MEMORY_GROWTH = 1.1;
const MAX_LOG_BYTES = 16 * 1024 * 1024;
const MORE_FILES = 4;

const folder = mkdtempSync(join(tmpdir(), "caseload-soak-"));
const postgresql = values.postgresql ? await newTestServer() : undefined;
const path = join(folder, "caseload.db");
const database = postgresql ? await newDatabaseUrl(postgresql.url, "soak", "template0") : path;

async function caseload(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runProgram(args, { cwd: folder });
  if (status !== 0) throw new Error(`caseload ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Creates the demo practice and an ADMIN key, and says which records there are. */
async function prepare(): Promise<{ key: string; ids: Ids }> {
  const file = join(folder, "demo.ndjson");
  const demo = await caseload("demo");
  await Bun.write(file, demo);
  await caseload("import", file, "--database", database);
  const idsOf = (type: string) =>
    demo
      .trimEnd()
      .split("\n")
      .map((line): { type: string; publicId: string } => JSON.parse(line))
      .flatMap((record) => (record.type === type ? [record.publicId] : []));
  const [organization = ""] = idsOf("organization");
  const holder = ["--organization", organization, "--role", "ADMIN", "--name", "soak"];
  const key = await caseload("keys", "create", ...holder, "--database", database);
  return {
    key: key.trim(),
    ids: {
      sessions: idsOf("session").slice(0, 500),
      authorizations: idsOf("authorization").slice(0, 100),
      plans: idsOf("treatmentPlan"),
    },
  };
}

interface Ids {
  sessions: string[];
  authorizations: string[];
  plans: string[];
}

interface Traffic {
  requests: number;
  /** Answers by status. */
  statuses: Map<number, number>;
  /** Durations of the requests since the last sample, in milliseconds. */
  latencies: number[];
}

/** A client that sends mixed requests until it is stopped, some of which are refused. */
async function load(
  url: string,
  key: string,
  ids: Ids,
  traffic: Traffic,
  isOver: () => boolean,
): Promise<void> {
  let number = 0;
  const request = async (method: string, route: string, body?: object, headers: object = {}) => {
    const started = performance.now();
    const response = await fetch(`${url}${route}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    traffic.requests += 1;
    traffic.latencies.push(performance.now() - started);
    traffic.statuses.set(response.status, (traffic.statuses.get(response.status) ?? 0) + 1);
    return text;
  };
  const get = (route: string) => request("GET", `/api/v1${route}`);
  while (!isOver()) {
    number += 1;
    await get(`/users?pageSize=25&page=${number % 5}`);
    await get(`/users?search=${["mar", "lee", "soaked", "ruiz", "ana"][number % 5]}`);
    await get(`/sessions?page=${1 + (number % 40)}`);
    await get(`/sessions/${anyOf(ids.sessions)}`);
    await get(`/authorization-utilization/${anyOf(ids.authorizations)}?timezone=America/New_York`);
    await get("/specializations");
    await get("/sessions/apt_none");
    await request("GET", "/livez");
    await request("GET", "/api/v1/users", undefined, { Authorization: "Bearer none" });
    const retryKey = { "Idempotency-Key": crypto.randomUUID() };
    await request("POST", "/api/v1/intake-leads", newLead(), retryKey);
    const user = { firstName: "Soaked", lastName: "Through" };
    await request("POST", "/api/v1/users", user, retryKey);
    await request("POST", "/api/v1/users", user, retryKey);
    const treatmentPlanId = anyOf(ids.plans);
    const goal = { type: "rating", title: "Stays dry", treatmentPlanId };
    const { publicId } = JSON.parse(await request("POST", "/api/v1/goals", goal));
    await request("PATCH", `/api/v1/goals/${publicId}`, { description: "Under load" });
    await request("DELETE", `/api/v1/goals/${publicId}`);
  }
}

function anyOf(ids: string[]): string {
  return ids[Math.floor(Math.random() * ids.length)] ?? "";
}

function newLead(): object {
  return {
    client: { firstName: "Soaked", lastName: "Child", birthdate: "2019-04-02" },
    caregiver: {
      firstName: "Soaked",
      lastName: "Parent",
      relationship: "GUARDIAN",
      email: `${crypto.randomUUID()}@soak.example`,
      phone: "+14155552671",
    },
  };
}

interface Sample {
  seconds: number;
  requestsPerSecond: number;
  p99: number;
  residentMegabytes: number;
  logBytes: number;
  openFiles: number;
}

function sample(server: ServerProcess, traffic: Traffic, started: number, before: number): Sample {
  const { pid } = server.process;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const latencies = traffic.latencies.splice(0).toSorted((a, b) => a - b);
  return {
    seconds: Math.round((performance.now() - started) / 1000),
    requestsPerSecond: Math.round((traffic.requests - before) / (SAMPLING_INTERVAL / 1000)),
    p99: Math.round((latencies[Math.floor(latencies.length * 0.99)] ?? 0) * 10) / 10,
    residentMegabytes: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
    logBytes: postgresql ? 0 : statSync(`${path}-wal`).size,
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
  };
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Values that grew from the first to the last third of the samples, or exceed their maximum. */
function growth(samples: Sample[], traffic: Traffic): string[] {
  const third = Math.floor(samples.length / 3);
  const [first, last] = [samples.slice(0, third), samples.slice(-third)];
  const medians = (name: "residentMegabytes" | "openFiles") =>
    [first, last].map((part) => median(part.map((one) => one[name]))) as [number, number];
  const [memoryBefore, memoryAfter] = medians("residentMegabytes");
  const [filesBefore, filesAfter] = medians("openFiles");
  const mostLog = Math.max(...samples.map(({ logBytes }) => logBytes));
  const failures = [...traffic.statuses].filter(([status]) => status >= 500);
  return [
    ...(third === 0 ? ["too short to tell; give it a minute at least"] : []),
    ...(memoryAfter > memoryBefore * MEMORY_GROWTH
      ? [`memory grew from ${memoryBefore} to ${memoryAfter} MB`]
      : []),
    ...(filesAfter > filesBefore + MORE_FILES
      ? [`open files grew from ${filesBefore} to ${filesAfter}`]
      : []),
    ...(mostLog > MAX_LOG_BYTES ? [`the log grew to ${mostLog} bytes`] : []),
    ...failures.map(([status, count]) => `${count} requests were answered ${status}`),
  ];
}

const { key, ids } = await prepare();
const server = await startServerProcess(database, { log: "/dev/null" });
const traffic: Traffic = { requests: 0, statuses: new Map(), latencies: [] };
const started = performance.now();
const isOver = () => performance.now() - started > duration;
const running = Array.from({ length: clients }, () => load(server.url, key, ids, traffic, isOver));

const samples: Sample[] = [];
let backups = 0;
const backingUp = (async () => {
  // Backups of PostgreSQL are its own programs' work.
  while (postgresql === undefined) {
    await Bun.sleep(BACKUP_INTERVAL);
    if (isOver()) return;
    backups += 1;
    await caseload("backup", join(folder, `${backups}.backup`));
    rmSync(join(folder, `${backups}.backup`));
  }
})();
console.log("seconds  requests/s  p99 ms  memory MB  log KiB  open files");
while (performance.now() - started + SAMPLING_INTERVAL <= duration) {
  const before = traffic.requests;
  await Bun.sleep(SAMPLING_INTERVAL);
  const taken = sample(server, traffic, started, before);
  samples.push(taken);
  const { seconds, requestsPerSecond, p99, residentMegabytes, logBytes, openFiles } = taken;
  const cells = [seconds, requestsPerSecond, p99, residentMegabytes, logBytes >> 10, openFiles];
  const widths = [7, 10, 6, 9, 7, 10];
  console.log(cells.map((cell, index) => String(cell).padStart(widths[index] ?? 0)).join("  "));
}
await Promise.all([...running, backingUp]);
server.process.kill();
const status = await server.process.exited;
const statuses = Object.fromEntries([...traffic.statuses].toSorted(([a], [b]) => a - b));
console.log(
  `${traffic.requests} requests, by status: ${JSON.stringify(statuses)}; ${backups} backups`,
);

const grown = growth(samples, traffic);
if (status !== 0) grown.push(`the server ended with status ${status}`);
await caseload("audit", "verify", "--database", database);
await postgresql?.remove();
rmSync(folder, { recursive: true, force: true });
console.log(grown.length === 0 ? "All stayed flat." : `Not flat: ${grown.join("; ")}.`);
process.exitCode = grown.length === 0 ? 0 : 1;
