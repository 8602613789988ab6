import { type Bound, count } from "./bounds.ts";
import { type DataSet, workingCopy } from "./data.ts";
import type { Work } from "./load.ts";
import { BOTH_CORES } from "./machine.ts";
import { allChecks, get, overviewByShare, sessionsPage } from "./requests.ts";
import { type Server, startCaseload } from "./servers.ts";
import type { Size } from "./size.ts";

/** Short reads of one practice beside each long request of others, which workers answer. */

/** Of the 99th percentile of the short reads, in milliseconds. */
const MOST = 10;
/** Memory of a server whose workers have answered one of each, in MB. */
const MOST_MEMORY = 240;

/** Until memory is read after the last of them, in milliseconds. */
const RESTING_TIME = 5_000;

/** The largest file over HTTP, in bytes. */
const UPLOAD = 8 * 1024 * 1024;

export async function measureBeside(data: DataSet, size: Size): Promise<Bound[]> {
  const database = await workingCopy(data, `${size.runFolder}/beside.db`);
  const server = await startCaseload({ database, key: data.key }, BOTH_CORES);
  try {
    const file = get(data.key, "/practice-file");
    const upload = await beginning(server, file);
    const long: [name: string, work: Work, body?: Uint8Array<ArrayBuffer>][] = [
      ["checks", allChecks(data.checksKey)],
      ["an overview by share", overviewByShare(data.key)],
      ["delivery of a quarter", get(data.key, "/delivery?startDate=2026-01-01&endDate=2026-03-31")],
      ["an export", file],
      ["an import of 8 MiB", file, upload],
    ];
    const short = sessionsPage(data.overviewKey);
    for (const [, work, body] of long) await ask(server, work, body);
    // What a worker has let go, its collector gives back when nothing more is asked of it.
    await Bun.sleep(RESTING_TIME);
    const { resident } = server.memory();
    const bounds: Bound[] = [
      {
        work: "memory after one of each long request",
        bound: `≤ ${MOST_MEMORY} MB`,
        measured: `${Math.round(resident)} MB`,
        isMet: resident <= MOST_MEMORY,
      },
    ];
    for (const [name, work, body] of long) {
      const times = await shortReadsBeside(
        () => ask(server, work, body),
        () => ask(server, short),
        size,
      );
      const slow = times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY;
      bounds.push({
        work: `a page of sessions beside ${name}, among ${count(data.sessions)} sessions, 99th percentile`,
        bound: `≤ ${MOST} ms`,
        measured: `${slow.toFixed(1)} ms`,
        isMet: slow <= MOST,
      });
    }
    return bounds;
  } finally {
    await server.stop();
  }
}

/** The times of short requests, one after the other, while long ones follow one another; sorted. */
async function shortReadsBeside(
  askLong: () => Promise<void>,
  askShort: () => Promise<void>,
  { seconds, rounds }: Size,
): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * rounds * 1_000;
  while (performance.now() < end) {
    let isDone = false;
    const long = askLong().finally(() => (isDone = true));
    while (!isDone) {
      const begun = performance.now();
      await askShort();
      times.push(performance.now() - begun);
    }
    await long;
  }
  return times.toSorted((a, b) => a - b);
}

async function ask(
  { url }: Server,
  { path, headers = {} }: Work,
  body?: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const response = await fetch(url + path, {
    headers: { ...headers, ...(body && { "Content-Type": "application/x-ndjson" }) },
    ...(body && { method: "POST", body }),
  });
  for await (const _ of response.body ?? []);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
}

/** The first lines of an export, as many as may be sent at once. */
async function beginning({ url }: Server, { path, headers = {} }: Work) {
  const response = await fetch(url + path, { headers });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= UPLOAD) break;
  }
  const bytes = new Uint8Array(Buffer.concat(chunks).subarray(0, UPLOAD));
  return bytes.slice(0, bytes.lastIndexOf(0x0a));
}
