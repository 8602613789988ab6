import { existsSync, mkdirSync, rmSync } from "node:fs";
import { connect } from "../db/connect.ts";
import { migrate } from "../db/migrate.ts";
import { systemClock } from "../src/lib/clock.ts";
import { toInstant } from "../src/lib/instant.ts";
import { DEMO_ORGANIZATION } from "../src/demo/practice.ts";
import type { PracticeRecord } from "../src/practice-file/model.ts";
import { newDatabaseUrl } from "../test/support/postgresql/databases.ts";
import type { TestServer } from "../test/support/postgresql/server.ts";
import { importRecords, linesOf, newKey, removeDatabase } from "./data.ts";
import { median, type Work } from "./load.ts";
import { BOTH_CORES } from "./machine.ts";
import { practiceOf } from "./practice.ts";
import { intakeLead, sessionsPage } from "./requests.ts";
import { memoryOf, type Server, startCaseload, withKey } from "./servers.ts";
import type { Size } from "./size.ts";

/** The results of importing a practice. */
export interface ImportFigures {
  engine: "SQLite" | "PostgreSQL";
  sessions: number;
  records: number;
  recordsPerSecond: number;
  /** Maximum memory, in MB. */
  memory: number;
  /** A request with a file of 500 changed sessions, in milliseconds. */
  changes: number;
  /** Requests to a running server during the command, and during an upload of the first 8 MiB of the file. */
  besideCommand: Waits;
  besideUpload: Waits;
}

/** The slowest answers at a constant request rate, in milliseconds, and the number of leads answered with 503. */
export interface Waits {
  read: number;
  write: number;
  refusedWrites: number;
}

/** Bounds: records per second, memory in MB, and the slowest lead during an upload in milliseconds. */
export const MIN_RECORDS = { SQLite: 20_000, PostgreSQL: 8_000 };
export const MAX_MEMORY = 600;
export const MAX_WRITE_TIME = { SQLite: 2_000, PostgreSQL: 3_000 };
/** Bound of a file with 500 changed sessions, in milliseconds. */
export const MAX_CHANGES_TIME = { SQLite: 300, PostgreSQL: 600 };

/** The number of sessions to which the bounds apply. */
const MAX_SESSIONS = 100_000;

const CHANGED_SESSIONS = 500;

/** Maximum size of a practice file over HTTP. */
const UPLOAD_BYTES = 8 * 1024 * 1024;

/** Interval of reading a page and sending a lead during an import, in milliseconds. */
const REQUEST_INTERVAL = 50;

/**
 * Imports a practice into an empty database of each engine, alone, several times, and then into one that a server is
 * running on. All share both cores.
 */
export async function measureImports(
  postgresql: TestServer,
  { scales, runFolder, rounds }: Size,
): Promise<ImportFigures[]> {
  const sessions = Math.min(Math.max(...scales), MAX_SESSIONS);
  mkdirSync(runFolder, { recursive: true });
  const practice = [...practiceOf(DEMO_ORGANIZATION, sessions)];
  const records = practice.length;
  const setUp = practice.slice(
    0,
    practice.findIndex(({ type }) => type === "user"),
  );
  const file = `${runFolder}/practice.ndjson`;
  // Writing does not truncate a longer file of an earlier run.
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
    let url = "";
    for (let round = 0; round < rounds; round += 1) {
      url = await newDatabase(await newUrl());
      alone.push(await importFile(url, file));
    }
    const changes = await timeOfChanges(url, practice, rounds);
    const besideCommand = await waitsBeside(await newUrl(), setUp, (_, url) =>
      importFile(url, file),
    );
    const besideUpload = await waitsBeside(await newUrl(), setUp, (server) => upload(server, file));
    figures.push({
      ...{ engine, sessions, records, changes, besideCommand, besideUpload },
      recordsPerSecond: (records * 1_000) / median(alone.map(({ duration }) => duration)),
      memory: Math.max(...alone.map(({ memory }) => memory)),
    });
  }
  return figures;
}

/** Interval of sampling its memory, in milliseconds. */
const MEMORY_INTERVAL = 100;

/** Memory of a process in MB; 0 after it has ended. */
function peakOf(pid: number): number {
  return existsSync(`/proc/${pid}/status`) ? memoryOf(pid).peak || 0 : 0;
}

async function newDatabase(url: string): Promise<string> {
  const database = await connect(url, "create");
  await migrate(database, toInstant(systemClock.now()));
  await database.close();
  return url;
}

/** Runs the command in its own process. */
async function importFile(url: string, file: string) {
  const started = performance.now();
  const child = Bun.spawn(
    ["taskset", "-c", BOTH_CORES, "bun", "src/main.ts", "import", file, "--database", url],
    { cwd: `${import.meta.dir}/..`, stdout: "ignore", stderr: "pipe" },
  );
  const ended = child.exited.then(() => performance.now());
  let memory = 0;
  while (child.exitCode === null) {
    // The maximum that the kernel reports after its end is at least the memory of this process.
    memory = Math.max(memory, peakOf(child.pid));
    await Bun.sleep(MEMORY_INTERVAL);
  }
  if (child.exitCode !== 0) throw new Error(await child.stderr.text());
  return { duration: (await ended) - started, memory };
}

/** Uploads as many lines of the file as fit into one request. */
async function upload(server: KeyedServer, file: string): Promise<void> {
  const bytes = await Bun.file(file).slice(0, UPLOAD_BYTES).bytes();
  await send(server, bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1));
}

async function send({ url, headers }: KeyedServer, body: Uint8Array | string): Promise<void> {
  const response = await fetch(`${url}/api/v1/practice-file`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/x-ndjson" },
    body,
  });
  if (!response.ok) throw new Error(`The upload was answered ${response.status}`);
}

/** Uploads a small file that changes the titles of sessions spread over the practice, like a system that keeps it up to date. */
async function timeOfChanges(
  url: string,
  practice: PracticeRecord[],
  rounds: number,
): Promise<number> {
  const sessions = practice.filter(({ type }) => type === "session");
  const distance = Math.floor(sessions.length / CHANGED_SESSIONS);
  const fileOf = (title: string) =>
    [
      { type: "organization", publicId: DEMO_ORGANIZATION },
      ...Array.from({ length: CHANGED_SESSIONS }, (_, index) => ({
        type: "session",
        publicId: sessions[index * distance]?.publicId,
        title,
      })),
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join("");
  return withServerOn(url, async (server) => {
    const times: number[] = [];
    // The first request is a warm-up and not counted.
    for (let round = 0; round <= rounds; round += 1) {
      const started = performance.now();
      await send(server, fileOf(`Changed ${round}`));
      times.push(performance.now() - started);
    }
    return median(times.slice(1));
  });
}

interface KeyedServer {
  url: string;
  key: string;
  headers: Record<string, string>;
}

/** Runs `work` with a server on both cores. */
async function withServerOn<Result>(
  url: string,
  work: (server: Server & KeyedServer) => Promise<Result>,
): Promise<Result> {
  const database = await connect(url, "existing");
  const key = await newKey(database, DEMO_ORGANIZATION);
  await database.close();
  const server = await startCaseload({ database: url, key }, BOTH_CORES);
  try {
    return await work({ ...server, key, headers: withKey(key) });
  } finally {
    await server.stop();
  }
}

/**
 * Reads a page and sends a lead at a constant rate while `work` runs.
 *
 * @param setUp the organization and the records to which leads refer.
 */
async function waitsBeside(
  url: string,
  setUp: PracticeRecord[],
  work: (server: KeyedServer, url: string) => Promise<unknown>,
): Promise<Waits> {
  const database = await connect(await newDatabase(url), "existing");
  await importRecords(database, setUp);
  await database.close();
  return withServerOn(url, async (server) => {
    const reads = steadily(server, sessionsPage(server.key));
    const writes = steadily(server, intakeLead(server.key));
    await work(server, url);
    const [read, write] = [await reads(), await writes()];
    if (read.refused > 0) throw new Error(`${read.refused} pages were answered 503`);
    return { read: read.slowest, write: write.slowest, refusedWrites: write.refused };
  });
}

/**
 * Sends requests at a constant rate, independent of answers, until the returned function
 * is called, which resolves when all requests are answered.
 */
function steadily(server: Server, { path, headers = {}, numbered }: Work) {
  const waits: Promise<number>[] = [];
  let refused = 0;
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
    if (response.status === 503) refused += 1;
    else if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
    return performance.now() - sent;
  };
  const timer = setInterval(() => {
    waits.push(send((numbered?.first ?? 0) + waits.length));
  }, REQUEST_INTERVAL);
  return async () => {
    clearInterval(timer);
    const slowest = Math.max(...(await Promise.all(waits)));
    return { slowest, refused };
  };
}
