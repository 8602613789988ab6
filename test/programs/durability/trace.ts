import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, expectEqual, printSum } from "../../support/checks.ts";
import { newPracticeFile, newWrite, type Practice, send } from "./practice.ts";
import { startServerProcess } from "./server.ts";
import { earlyAnswers, type Event, eventsIn, straceOptions } from "./system-calls.ts";

/**
 * A response is sent only after its data is on the disk. A trace of a server's system calls must
 * have a sync of the write-ahead log before every response to a write, and to a read with its audit
 * entry. `bun run test:trace`; requires Debian's strace.
 */

const ONE_BY_ONE = 60;
const AT_ONCE = 400;
const CLIENTS = 16;

const READS = [
  "/api/v1/users?pageSize=2",
  "/api/v1/specializations",
  "/api/v1/sessions",
  "/api/v1/locations",
  "/api/v1/treatment-plans",
];

/** Sends a write or a read, alternately, and waits for the complete response. */
async function request(url: string, practice: Practice, number: number, id: string): Promise<void> {
  const read = READS[(number >> 1) % READS.length];
  const response =
    number % 2 === 0
      ? await send(url, practice.key, newWrite(), id)
      : await fetch(url + read, {
          headers: { Authorization: `Bearer ${practice.key}`, "X-Request-Id": id },
        });
  await response.text();
}

async function requestAll(url: string, practice: Practice): Promise<void> {
  for (let number = 0; number < ONE_BY_ONE; number += 1)
    await request(url, practice, number, `single-${number}`);
  let number = 0;
  const client = async (): Promise<void> => {
    for (; number < AT_ONCE;) {
      number += 1;
      await request(url, practice, number, `group-${number}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** strace is the started process; the server is its child. */
async function stopTraced({ process: strace }: { process: Bun.Subprocess }): Promise<void> {
  const children = await Bun.file(`/proc/${strace.pid}/task/${strace.pid}/children`).text();
  process.kill(Number(children.trim()), "SIGTERM");
  await strace.exited;
}

const folder = mkdtempSync(join(tmpdir(), "caseload-trace-"));
try {
  const practice = await newPracticeFile(join(folder, "caseload.db"));
  const file = join(folder, "trace.txt");
  const wrapper = ["strace", ...straceOptions(file)];
  const server = await startServerProcess(practice.path, { wrapper });
  await requestAll(server.url, practice);
  await stopTraced(server);

  const events = eventsIn(await Bun.file(file).text());
  const answers = events.filter((event) => event.kind === "answer");
  const isSingle = (event: Event) =>
    event.kind === "answer" && event.requestId.startsWith("single-");
  const lastSingle = events.findLastIndex(isSingle);
  const singles = events.slice(0, lastSingle + 1);
  const groups = events.slice(lastSingle + 1);
  const syncs = groups.filter(({ kind }) => kind === "log synced").length;

  await check("the trace has every response", () => {
    expectEqual(answers.length, ONE_BY_ONE + AT_ONCE);
    expectEqual(Object.keys(Object.groupBy(answers, ({ status }) => status)), ["200", "201"]);
  });
  await check(
    `each of ${ONE_BY_ONE} responses, one by one, has an entry written and synced before it`,
    () => expectEqual(earlyAnswers(singles, true), []),
  );
  await check(
    `each of ${AT_ONCE} responses to ${CLIENTS} clients is sent after all entries are synced`,
    () => expectEqual(earlyAnswers(groups, false), []),
  );
  await check(`concurrent responses share syncs (${syncs} for ${AT_ONCE})`, () =>
    expectEqual(syncs > AT_ONCE / (2 * CLIENTS) && syncs < AT_ONCE, true),
  );
  await check("a missing sync is detected", () => {
    const last = singles.findLastIndex(({ kind }) => kind === "log synced");
    expectEqual(earlyAnswers(singles.toSpliced(last, 1), true).length, 1);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
printSum();
