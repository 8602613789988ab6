import { existsSync, mkdirSync, rmSync } from "node:fs";
import { connect } from "../db/connect.ts";
import { migrate } from "../db/migrate.ts";
import { systemClock } from "../src/lib/clock.ts";
import { toInstant } from "../src/lib/instant.ts";
import { organizationId } from "../src/demo/organization.ts";
import type { PracticeRecord } from "../src/practice-file/model.ts";
import { newDatabaseUrl } from "../test/support/postgresql/databases.ts";
import type { TestServer } from "../test/support/postgresql/server.ts";
import { importRecords, linesOf, newKey, removeDatabase } from "./data.ts";
import { median, type Work } from "./load.ts";
import { BOTH_CORES } from "./machine.ts";
import { MEASURED_SEED, practiceOf } from "./practice.ts";
import { intakeLead, sessionsPage } from "./requests.ts";
import { memoryOf, type Server, startCaseload } from "./servers.ts";
import type { Size } from "./size.ts";

/** What an import of a whole practice came to. */
export interface ImportFigures {
  engine: "SQLite" | "PostgreSQL";
  sessions: number;
  records: number;
  recordsPerSecond: number;
  /** The most memory that it has had, in MB. */
  memory: number;
  /** How long a page and a lead at a running server took at the most, in milliseconds. */
  slowestRead: number;
  slowestWrite: number;
}

/** Aims: records a second, and for how long nobody waits longer, in milliseconds. */
export const importTargets = { SQLite: 30_000, PostgreSQL: 10_000 };
export const LONGEST_WAIT = 2_000;

/** Of the data sets' sizes, the one that the aims are for. */
const MOST_SESSIONS = 100_000;

/** How often a page is read and a lead sent while rows are imported, in milliseconds. */
const REQUEST_INTERVAL = 50;

/**
 * Imports a practice into an empty database of each engine, alone, several times, and then into one that a server is
 * running on. All share both cores.
 */
export async function measureImports(
  postgresql: TestServer,
  { scales, runFolder, rounds }: Size,
): Promise<ImportFigures[]> {
  const sessions = Math.min(Math.max(...scales), MOST_SESSIONS);
  mkdirSync(runFolder, { recursive: true });
  const practice = [...practiceOf(MEASURED_SEED, sessions)];
  const records = practice.length;
  const setUp = practice.slice(
    0,
    practice.findIndex(({ type }) => type === "user"),
  );
  const file = `${runFolder}/practice.ndjson`;
  // A writer leaves what a longer file of an earlier run has behind its end.
  rmSync(file, { force: true });
  const writer = Bun.file(file).writer();
  for await (const lines of linesOf(practice)) writer.write(lines);
  await writer.end();

  const path = `${runFolder}/imports.db`;
  const newFile = async () => {
    removeDatabase(path);
    return path;
  };
  const newServerDatabase = () => newDatabaseUrl(postgresql.url, "bench_imports", "template0");
  const figures: ImportFigures[] = [];
  for (const [engine, newUrl] of [
    ["SQLite", newFile],
    ["PostgreSQL", newServerDatabase],
  ] as const) {
    const alone = [];
    for (let round = 0; round < rounds; round += 1)
      alone.push(await importFile(await newDatabase(await newUrl()), file));
    const waits = await waitsWhileImporting(await newUrl(), setUp, file);
    figures.push({
      ...{ engine, sessions, records, ...waits },
      recordsPerSecond: (records * 1_000) / median(alone.map(({ duration }) => duration)),
      memory: Math.max(...alone.map(({ memory }) => memory)),
    });
  }
  return figures;
}

/** How often its memory is looked at, in milliseconds. */
const MEMORY_INTERVAL = 100;

/** In MB; 0 of a process that has ended. */
function peakOf(pid: number): number {
  return existsSync(`/proc/${pid}/status`) ? memoryOf(pid).peak || 0 : 0;
}

async function newDatabase(url: string): Promise<string> {
  const database = await connect(url, "create");
  await migrate(database, toInstant(systemClock.now()));
  await database.close();
  return url;
}

/** Runs the command in a process of its own. */
async function importFile(url: string, file: string) {
  const started = performance.now();
  const child = Bun.spawn(
    ["taskset", "-c", BOTH_CORES, "bun", "src/main.ts", "import", file, "--database", url],
    { cwd: `${import.meta.dir}/..`, stdout: "ignore", stderr: "pipe" },
  );
  const ended = child.exited.then(() => performance.now());
  let memory = 0;
  while (child.exitCode === null) {
    // What the kernel says of it when it has ended is not less than this process has.
    memory = Math.max(memory, peakOf(child.pid));
    await Bun.sleep(MEMORY_INTERVAL);
  }
  if (child.exitCode !== 0) throw new Error(await child.stderr.text());
  return { duration: (await ended) - started, memory };
}

/** @param setUp the organization and what it sets up once, which leads name. */
async function waitsWhileImporting(url: string, setUp: PracticeRecord[], file: string) {
  const database = await connect(await newDatabase(url), "existing");
  await importRecords(database, setUp);
  const key = await newKey(database, organizationId(MEASURED_SEED));
  await database.close();
  const server = await startCaseload({ database: url, key }, BOTH_CORES);
  try {
    const reads = steadily(server, sessionsPage(key));
    const writes = steadily(server, intakeLead(key));
    await importFile(url, file);
    return { slowestRead: await reads.slowest(), slowestWrite: await writes.slowest() };
  } finally {
    await server.stop();
  }
}

/** Sends requests at a steady rate, whether or not earlier ones have been answered, until the slowest answer is asked for. */
function steadily(server: Server, { path, headers = {}, numbered }: Work) {
  const waits: Promise<number>[] = [];
  const send = async (number: number): Promise<number> => {
    const sent = performance.now();
    const response = await fetch(server.url + path, {
      headers: { ...headers, ...(numbered && { "Content-Type": "application/json" }) },
      ...(numbered && {
        method: numbered.method,
        body: numbered.body.replaceAll("{n}", String(number)),
      }),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
    return performance.now() - sent;
  };
  const timer = setInterval(() => {
    waits.push(send((numbered?.first ?? 0) + waits.length));
  }, REQUEST_INTERVAL);
  return {
    async slowest(): Promise<number> {
      clearInterval(timer);
      return Math.max(...(await Promise.all(waits)));
    },
  };
}
