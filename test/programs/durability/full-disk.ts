import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { check, expectEqual, printSum } from "../../support/checks.ts";
import { runProgram } from "../../support/commands/program.ts";
import type { Attempt } from "./killing.ts";
import { newPracticeFile, newWrite, type Practice, send, TREATMENT_PLAN } from "./practice.ts";
import { type ServerProcess, startServerProcess } from "./server.ts";
import { inconsistenciesIn } from "./stored.ts";

/**
 * A server whose disk becomes full and has space again, on a small file system in memory: `bun run
 * test:full-disk`. Mounting it requires root.
 */

const folder = mkdtempSync(join(tmpdir(), "caseload-full-"));
const disk = join(folder, "disk");
const filler = join(disk, "filler");
const temporary = join(folder, "temporary");
const mounting = [mount(disk, "8m"), mount(temporary, "256k")];
try {
  const refusal = mounting.find(({ exitCode }) => exitCode !== 0);
  if (refusal === undefined) {
    const practice = await newPracticeFile(join(disk, "caseload.db"));
    await checkFullTemporaryFolder(practice);
    await checkFullDisk(practice);
    await checkUpgrade();
    printSum();
  } else
    console.log(`skipped: cannot mount a small file system: ${refusal.stderr.toString().trim()}`);
} finally {
  Bun.spawnSync(["umount", disk, temporary]);
  rmSync(folder, { recursive: true, force: true });
}

function mount(path: string, size: string) {
  mkdirSync(path);
  return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", path]);
}

async function checkFullTemporaryFolder(practice: Practice): Promise<void> {
  const server = await startServerProcess(practice.path, {
    log: join(folder, "temporary.log"),
    wrapper: ["env", `TMPDIR=${temporary}`],
  });
  const { post } = requestsTo(() => server, practice);
  const user = { firstName: "Ana", lastName: "Ruiz" };

  await check(
    "a body without room in the temporary folder is a 503, and others go on",
    async () => {
      const error = "Too long while the server has no room in its temporary folder";
      const tooMuch = await post("/api/v1/users", { ...user, notes: "x".repeat(512 * 1024) });
      expectEqual(tooMuch, [503, "1", { error, statusCode: 503 }]);
      for (let count = 0; count < 4; count += 1) {
        const [status] = await post("/api/v1/users", { ...user, notes: "x".repeat(128 * 1024) });
        expectEqual(status, 200);
      }
    },
  );
  server.process.kill();
  await server.process.exited;
}

async function checkFullDisk(practice: Practice): Promise<void> {
  let server = await startServerProcess(practice.path, { log: join(folder, "server.log") });
  const { get, post, write } = requestsTo(() => server, practice);
  const attempts: Attempt[] = [];
  const writeUntilRefused = async (): Promise<number> => {
    for (;;) {
      const attempt = await write();
      if (attempt.answer?.status === 503) return 503;
      attempts.push(attempt);
    }
  };

  for (let count = 0; count < 20; count += 1) attempts.push(await write());
  fillDisk();

  await check(
    "writes respond 503 in the error shape of their endpoint, with Retry-After",
    async () => {
      expectEqual(await writeUntilRefused(), 503);
      const error = "Service temporarily unavailable";
      const users = await post("/api/v1/users", { firstName: "Ana", lastName: "Ruiz" });
      expectEqual(users, [503, "1", { error, statusCode: 503 }]);
      const goal = { type: "rating", treatmentPlanId: TREATMENT_PLAN, title: "Calm" };
      expectEqual(await post("/api/v1/goals", goal), [503, "1", { error }]);
    },
  );

  const reads = ["/api/v1/users", "/api/v1/sessions", "/api/v1/specializations"];
  await check(
    "reads without an audit entry respond 503, and so does /readyz; others outside the API still respond",
    async () => {
      for (const path of reads) expectEqual([path, (await get(path)).status], [path, 503]);
      for (const [path, expected] of [
        ["/livez", 200],
        ["/readyz", 503],
        ["/metrics", 200],
      ] as const) {
        const { status, milliseconds } = await get(path);
        expectEqual([path, status, milliseconds < 200], [path, expected, true]);
      }
    },
  );
  await check("nothing is half stored", () =>
    expectEqual(inconsistenciesIn(practice, attempts), []),
  );

  await check("the server recovers when there is space, and its audit trail is valid", async () => {
    rmSync(filler);
    const attempt = await write();
    expectEqual([200, 201].includes(attempt.answer?.status ?? 0), true);
    attempts.push(attempt);
    await Bun.sleep(1_500);
    for (const path of [...reads, "/readyz"])
      expectEqual([path, (await get(path)).status], [path, 200]);
    expectEqual(inconsistenciesIn(practice, attempts), []);
    expectEqual(await verifyTrail(practice), 0);
  });

  await check(
    "a server that was killed and restarted on a full disk reports it in one line",
    async () => {
      server.process.kill("SIGKILL");
      await server.process.exited;
      rmSync(`${practice.path}-shm`);
      fillDisk();
      const args = ["serve", "--port", "0", "--database", practice.path];
      const { status, stderr } = await runProgram(args, { cwd: folder });
      const reason = "its disk is full; make room and try again";
      expectEqual(
        [status, stderr],
        [1, `error: Cannot open the database ${practice.path}: ${reason}.\n`],
      );
    },
  );

  await check(
    "the server continues when its log is on the full disk, and logs again when there is space",
    async () => {
      rmSync(filler);
      const logBesideIt = join(disk, "server.log");
      server = await startServerProcess(practice.path, { log: logBesideIt });
      fillDisk();
      await writeUntilRefused();
      for (let count = 0; count < 50; count += 1)
        expectEqual((await get("/api/v1/specializations")).status, 503);
      rmSync(filler);
      attempts.push(await write());
      await get("/api/v1/sessions");
      await Bun.sleep(1_500);
      // Between them is a line that the full disk cut off.
      expectEqual((await Bun.file(logBesideIt).text()).includes('"route":"/v1/sessions"'), true);
      server.process.kill();
      expectEqual(await server.process.exited, 0);
      expectEqual(inconsistenciesIn(practice, attempts), []);
      expectEqual(await verifyTrail(practice), 0);
    },
  );
}

async function checkUpgrade(): Promise<void> {
  const path = join(disk, "before.db");
  const database = gunzipSync(
    readFileSync(join(import.meta.dir, "../../fixtures/2085c87d/sqlite/caseload.db.gz")),
  );
  writeFileSync(path, database, { mode: 0o600 });
  const migrate = (...args: string[]) =>
    runProgram(["migrate", "--database", path, ...args], { cwd: folder });

  await check(
    "an upgrade without room for its backup, or for itself, says so and changes nothing",
    async () => {
      for (const [args, reason] of [
        [[], `The disk of the folder ${disk} is full. Make room and try again.`],
        [
          ["--no-backup"],
          "The database was not changed: its disk is full; make room and try again.",
        ],
      ] as const) {
        fillDisk();
        // Enough to open the database.
        truncateSync(filler, statSync(filler).size - 128 * 1024);
        const { status, stderr } = await migrate(...args);
        expectEqual([args, status, stderr], [args, 1, `error: ${reason}\n`]);
        // Behind the header, which says that there is a write-ahead log.
        expectEqual(readFileSync(path).subarray(100).equals(database.subarray(100)), true);
      }
      rmSync(filler);
      expectEqual((await migrate()).status, 0);
    },
  );
}

/** Writes zeros until there is no space for another byte. */
function fillDisk(): void {
  const file = openSync(filler, "a", 0o600);
  try {
    for (const size of [65_536, 4_096, 1]) while (isWritten(file, Buffer.alloc(size)));
  } finally {
    closeSync(file);
  }
}

function isWritten(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length;
  } catch {
    return false;
  }
}

function requestsTo(server: () => ServerProcess, practice: Practice) {
  const authorization = { Authorization: `Bearer ${practice.key}` };
  return {
    async get(path: string) {
      const started = performance.now();
      const response = await fetch(server().url + path, { headers: authorization });
      await response.text();
      return { status: response.status, milliseconds: performance.now() - started };
    },
    async post(path: string, body: object) {
      const response = await fetch(server().url + path, {
        method: "POST",
        headers: { ...authorization, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      return [response.status, response.headers.get("Retry-After"), await response.json()];
    },
    async write(): Promise<Attempt> {
      const attempt = newWrite();
      const response = await send(server().url, practice.key, attempt, attempt.id);
      const answer = { status: response.status, text: await response.text() };
      return { write: attempt, answer, writtenBy: attempt.id };
    },
  };
}

async function verifyTrail({ path }: Practice): Promise<number> {
  return (await runProgram(["audit", "verify", "--database", path], { cwd: folder })).status;
}
