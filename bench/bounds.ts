import { type DataSet, workingCopy } from "./data.ts";
import { inRounds, load, median, type Work } from "./load.ts";
import {
  get,
  intakeLead,
  overviewByEnd,
  overviewByShare,
  poolUtilization,
  sessionsPage,
  usersPage,
} from "./requests.ts";
import { type Server, startBinary, startCaseload } from "./servers.ts";
import { CONNECTIONS, type Size } from "./size.ts";
import { steadyWrites } from "./steady-writes.ts";

/** Something with a bound of its own, and how it came out. */
export interface Bound {
  work: string;
  bound: string;
  measured: string;
  isMet: boolean;
}

/** Everything that is bounded by itself and not by the floor, on the largest data set. */
export async function measureBounds(data: DataSet, size: Size): Promise<Bound[]> {
  const database = await workingCopy(data, `${size.runFolder}/bounds.db`);
  const server = await startCaseload({ database, key: data.key });
  try {
    return [
      ...(await deepPages(server, data, size)),
      await search(server, data, size),
      await overview(server, data, size, overviewByEnd, 10),
      await overview(server, data, size, overviewByShare, 250),
      await readersBesideWrites(server, data, size),
    ];
  } finally {
    await server.stop();
  }
}

const DEEP_PAGE = 10_000;
const MOST_TIMES_SLOWER = 1.5;
const SESSIONS_PER_PAGE = 25;
/** With 25 a page, 200,000 users do not fill 10,000 pages. */
const USERS_PER_PAGE = 20;

async function deepPages(server: Server, data: DataSet, size: Size): Promise<Bound[]> {
  const bounds: Bound[] = [];
  for (const [path, rows, pageSize] of [
    ["/sessions", data.sessions, SESSIONS_PER_PAGE],
    ["/users", data.users, USERS_PER_PAGE],
  ] as const) {
    const deep = Math.min(DEEP_PAGE, Math.floor(rows / pageSize));
    const page = (number: number) => () =>
      load(server, get(data.key, `${path}?pageSize=${pageSize}&page=${number}`), {
        connections: CONNECTIONS,
        seconds: size.shortSeconds,
      });
    const figures = await inRounds(size.rounds, [
      { name: "first", measure: page(1) },
      { name: "deep", measure: page(deep) },
    ]);
    const times = figures.deep.mean / figures.first.mean;
    bounds.push({
      work: `page ${count(deep)} of ${path}, ${pageSize} a page, against page 1`,
      bound: `≤ ${MOST_TIMES_SLOWER} × the latency`,
      measured: `${times.toFixed(2)} × (${figures.deep.mean.toFixed(1)} ms against ${figures.first.mean.toFixed(1)} ms, ${CONNECTIONS} connections)`,
      isMet: times <= MOST_TIMES_SLOWER,
    });
  }
  return bounds;
}

/** Names that many have and few, two words, a part of an address, and what nobody has. */
const TERMS = ["mar", "nguyen", "maria lopez", "@family", "zzz"];
const SLOWEST_SEARCH = 60;

async function search(server: Server, data: DataSet, size: Size): Promise<Bound> {
  const figures = await inRounds(
    size.rounds,
    TERMS.map((term) => ({
      name: term,
      measure: () =>
        load(server, get(data.key, `/users?search=${encodeURIComponent(term)}`), {
          connections: 1,
          seconds: size.shortSeconds,
        }),
    })),
  );
  const times = TERMS.map((term) => ({ term, time: figures[term]?.p50 ?? Number.NaN }));
  const slowest = Math.max(...times.map(({ time }) => time));
  return {
    work: `search among ${count(data.users)} users, one at a time`,
    bound: `≤ ${SLOWEST_SEARCH} ms`,
    measured: times.map(({ term, time }) => `${term}: ${time.toFixed(1)} ms`).join(", "),
    isMet: slowest <= SLOWEST_SEARCH,
  };
}

const LIVE_PER_SESSION = 1 / 100;

async function overview(
  server: Server,
  data: DataSet,
  size: Size,
  work: (key: string) => Work,
  slowest: number,
): Promise<Bound> {
  const request = work(data.overviewKey);
  const { page } = await inRounds(size.rounds, [
    {
      name: "page",
      measure: () => load(server, request, { connections: 1, seconds: size.shortSeconds }),
    },
  ]);
  const order = work === overviewByEnd ? "end" : "share";
  return {
    work: `overview of ${count(data.sessions * LIVE_PER_SESSION)} live authorizations by ${order}, one at a time`,
    bound: `≤ ${slowest} ms`,
    measured: `${page.p50.toFixed(1)} ms`,
    isMet: page.p50 <= slowest,
  };
}

const LEADS_PER_SECOND = 100;
const MOST_TIMES_P99 = 2;

async function readersBesideWrites(server: Server, data: DataSet, size: Size): Promise<Bound> {
  const read = () =>
    load(server, sessionsPage(data.key), { connections: CONNECTIONS, seconds: size.seconds });
  const figures = await inRounds(size.rounds, [
    { name: "alone", measure: read },
    {
      name: "beside",
      async measure() {
        const writes = steadyWrites(server, intakeLead(data.key), LEADS_PER_SECOND);
        const measured = await read();
        await writes.stop();
        return measured;
      },
    },
  ]);
  const { alone, beside } = figures;
  return {
    work: `p99 of ${CONNECTIONS} readers of sessions beside ${LEADS_PER_SECOND} leads a second`,
    bound: `≤ ${MOST_TIMES_P99} × that without writes`,
    measured: `${(beside.p99 / alone.p99).toFixed(2)} × (${beside.p99.toFixed(1)} ms against ${alone.p99.toFixed(1)} ms)`,
    isMet: beside.p99 <= MOST_TIMES_P99 * alone.p99,
  };
}

const STARTS = 10;
const SLOWEST_START = 72;
const IDLE_MEMORY = 70;
const LOADED_MEMORY = 130;
/** After the first answer, for what a start leaves behind to be collected. */
const SETTLING_TIME = 2_000;

/** The binary on the largest data set: its first answer, and its memory idle and under load. */
export async function measureBinary(data: DataSet, path: string, size: Size): Promise<Bound[]> {
  const database = await workingCopy(data, `${size.runFolder}/binary.db`);
  const starts: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const server = await startBinary({ database, key: data.key }, path);
    starts.push(server.startup);
    await server.stop();
  }
  const server = await startBinary({ database, key: data.key }, path);
  try {
    await Bun.sleep(SETTLING_TIME);
    const idle = server.memory().resident;
    for (const work of [sessionsPage, usersPage, poolUtilization, intakeLead])
      await load(server, work(data.key), { connections: CONNECTIONS, seconds: size.seconds });
    const loaded = server.memory().peak;
    const started = median(starts);
    return [
      {
        work: "first answer of the binary",
        bound: `≤ ${SLOWEST_START} ms`,
        measured: `${started.toFixed(0)} ms (median of ${STARTS})`,
        isMet: started <= SLOWEST_START,
      },
      memoryBound("memory of the binary, idle", idle, IDLE_MEMORY),
      memoryBound("the most memory of the binary, under load", loaded, LOADED_MEMORY),
    ];
  } finally {
    await server.stop();
  }
}

function memoryBound(work: string, megabytes: number, most: number): Bound {
  return {
    work,
    bound: `≤ ${most} MB`,
    measured: `${megabytes.toFixed(0)} MB`,
    isMet: megabytes <= most,
  };
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
