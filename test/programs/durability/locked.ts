import { Database as SqliteFile } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, expectEqual, printSum } from "../../support/checks.ts";
import { runProgram } from "../../support/commands/program.ts";
import { newPracticeFile, newWrite, send } from "./practice.ts";
import { startServerProcess } from "./server.ts";

/**
 * A server while another process holds the lock of its database for about seven seconds: `bun run
 * test:locked`.
 */

const HELD = 11_000;
/** The time for which a write waits for the lock. */
const WRITE_TIMEOUT = 10_000;

const folder = mkdtempSync(join(tmpdir(), "caseload-locked-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const practice = await newPracticeFile(join(folder, "caseload.db"));
const server = await startServerProcess(practice.path);

interface Timed {
  status: number;
  retryAfter: string | null;
  milliseconds: number;
}

async function timed(sent: Promise<Response>): Promise<Timed> {
  const started = performance.now();
  const response = await sent;
  await response.text();
  const { status, headers } = response;
  const milliseconds = performance.now() - started;
  return { status, retryAfter: headers.get("Retry-After"), milliseconds };
}

const get = (path: string, url = server.url) =>
  timed(fetch(url + path, { headers: { Authorization: `Bearer ${practice.key}` } }));
const write = () => timed(send(server.url, practice.key, newWrite(), crypto.randomUUID()));
const isWithin = (value: number, least: number, most: number) => value >= least && value <= most;
const slowest = (answers: Timed[]) => Math.max(...answers.map(({ milliseconds }) => milliseconds));
/**
 * Whether no request waited for the lock, and most did not wait at all. A server that sleeps while it waits would delay
 * every request; a busy machine may delay a single one.
 */
const areFast = (answers: Timed[]) => {
  const sorted = answers.map(({ milliseconds }) => milliseconds).sort((one, two) => one - two);
  return slowest(answers) < 2_000 && (sorted[sorted.length >> 1] ?? Infinity) < 100;
};
/** How much later than expected an answer may be on a busy machine. */
const LATE = 2_000;

const otherConnection = new SqliteFile(practice.path);
// The server has just started and may still be writing.
otherConnection.run("pragma busy_timeout = 5000");
otherConnection.run("begin immediate");
const started = performance.now();
const elapsed = () => performance.now() - started;

const earlyWrite = write();
const earlyRead = get("/api/v1/users");
const liveness: Timed[] = [];
const reads: Timed[] = [];
let lateWrite: Promise<Timed> | undefined;
let second: Awaited<ReturnType<typeof startServerProcess>> | undefined;
while (elapsed() < HELD) {
  liveness.push(await get("/livez"));
  reads.push(await get("/api/v1/users"));
  if (elapsed() > 3_000) lateWrite ??= write();
  await Bun.sleep(20);
  if (elapsed() > 4_000) second ??= await startServerProcess(practice.path, { log: "/dev/null" });
}
const readWhileLocked = second && (await get("/api/v1/users", second.url));
otherConnection.run("commit");
otherConnection.close();
const released = elapsed();

await check(
  `the event loop is not blocked (slowest /livez: ${Math.round(slowest(liveness))} ms)`,
  () => expectEqual(areFast(liveness), true),
);
reads.push(await earlyRead);
await check(
  `reads do not wait (slowest of ${reads.length}: ${Math.round(slowest(reads))} ms)`,
  () => expectEqual([reads.every(({ status }) => status === 200), areFast(reads)], [true, true]),
);
await check("a write responds 503 with Retry-After after ten seconds", async () => {
  const { status, retryAfter, milliseconds } = await earlyWrite;
  const most = WRITE_TIMEOUT + LATE;
  expectEqual([status, retryAfter, isWithin(milliseconds, WRITE_TIMEOUT, most)], [503, "1", true]);
});
await check("a later write succeeds when the lock is released", async () => {
  const { status, milliseconds } = (await lateWrite) ?? { status: 0, milliseconds: 0 };
  expectEqual(
    [status, 3_000 + milliseconds > HELD, 3_000 + milliseconds < released + LATE],
    [status === 201 ? 201 : 200, true, true],
  );
});
await check("another server can start and answers reads", () =>
  expectEqual(readWhileLocked?.status, 200),
);
await check("the audit trail has every entry and is valid", async () => {
  await Bun.sleep(1_500);
  second?.process.kill();
  server.process.kill();
  await Promise.all([second?.process.exited, server.process.exited]);
  const run = (...args: string[]) =>
    runProgram(["audit", ...args, "--database", practice.path], { cwd: folder });
  expectEqual((await run("verify")).status, 0);
  const routes = (await run("list", "--json")).stdout.match(/"route":"\/v1\/users"/g) ?? [];
  expectEqual(routes.length >= reads.length + 1, true);
});

printSum();
