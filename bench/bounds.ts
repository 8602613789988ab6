import { checkedSessions } from "./checks-practice.ts";
import { type DataSet, sessionsADay, workingCopy } from "./data.ts";
import { inRounds, load, median, type Work } from "./load.ts";
import {
  allChecks,
  billingLines,
  get,
  intakeLead,
  overviewByEnd,
  overviewByShare,
  poolUtilization,
  sessionsPage,
  usersPage,
} from "./requests.ts";
import { type Server, startBinary, startCaseload, withKey } from "./servers.ts";
import { CONNECTIONS, type Size } from "./size.ts";

/** A measurement with a bound of its own, and its result. */
export interface Bound {
  work: string;
  bound: string;
  measured: string;
  isMet: boolean;
}

/** All measurements with absolute bounds, on the largest data set. */
export async function measureBounds(data: DataSet, size: Size): Promise<Bound[]> {
  const database = await workingCopy(data, `${size.runFolder}/bounds.db`);
  const server = await startCaseload({ database, key: data.key });
  try {
    return [
      await deepPage(server, data, size),
      await search(server, data, size),
      await overview(server, data, size, { order: "end", most: 50 }),
      await overview(server, data, size, { order: "share", most: 500 }),
      await checks(server, data, size),
      await billing(server, data, size),
      await emptyExport(server, data, size),
    ];
  } finally {
    await server.stop();
  }
}

const DEEP_PAGE = 10_000;
const MAX_TIMES_SLOWER = 2;
const SESSIONS_PER_PAGE = 25;

async function deepPage(server: Server, data: DataSet, size: Size): Promise<Bound> {
  const deep = Math.min(DEEP_PAGE, Math.floor(data.sessions / SESSIONS_PER_PAGE));
  const page = (number: number) => () =>
    load(server, get(data.key, `/sessions?pageSize=${SESSIONS_PER_PAGE}&page=${number}`), {
      connections: CONNECTIONS,
      seconds: size.shortSeconds,
    });
  const figures = await inRounds(size.rounds, [
    { name: "first", measure: page(1) },
    { name: "deep", measure: page(deep) },
  ]);
  const times = figures.deep.mean / figures.first.mean;
  return {
    work: `page ${count(deep)} of ${count(data.sessions)} sessions, ${SESSIONS_PER_PAGE} a page, against page 1`,
    bound: `≤ ${MAX_TIMES_SLOWER} × the latency`,
    measured: `${times.toFixed(2)} × (${figures.deep.mean.toFixed(1)} ms against ${figures.first.mean.toFixed(1)} ms, ${CONNECTIONS} connections)`,
    isMet: times <= MAX_TIMES_SLOWER,
  };
}

/** Frequent and rare names, two words, a part of an email address, and a text that matches nobody. */
const TERMS = ["mar", "nguyen", "maria lopez", "@family", "zzz"];
const SLOWEST_SEARCH = 10;

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

const CURRENT_PER_SESSION = 1 / 100;

function overview(
  server: Server,
  data: DataSet,
  size: Size,
  { order, most }: { order: "end" | "share"; most: number },
): Promise<Bound> {
  const work = `overview of ${count(data.sessions * CURRENT_PER_SESSION)} current authorizations by ${order}`;
  const request = order === "end" ? overviewByEnd : overviewByShare;
  return oneAtATime(server, size, { work, request: request(data.overviewKey), most });
}

function checks(server: Server, data: DataSet, size: Size): Promise<Bound> {
  const sessions = checkedSessions(sessionsADay(data.sessions));
  const work = `first page of all checks of ${count(sessions)} sessions among ${count(data.sessions)}`;
  return processorTime(server, size, { work, request: allChecks(data.checksKey), most: 600 });
}

function billing(server: Server, data: DataSet, size: Size): Promise<Bound> {
  const lines = checkedSessions(sessionsADay(data.sessions));
  const work = `first page of ${count(lines)} billing lines among ${count(data.sessions)} sessions`;
  return processorTime(server, size, { work, request: billingLines(data.checksKey), most: 600 });
}

/** The practice file of changes since the last write, which copies request again and again. */
async function emptyExport(server: Server, data: DataSet, size: Size): Promise<Bound> {
  const path = "/practice-file?after=";
  const { headers } = await fetch(`${server.url}/api/v1${path}0`, {
    method: "HEAD",
    headers: withKey(data.key),
  });
  const request = get(data.key, path + headers.get("Caseload-Sequence"));
  const work = `export of changes when there are none, among ${count(data.sessions)} sessions`;
  return oneAtATime(server, size, { work, request, most: 5 });
}

/** @param most in milliseconds. */
async function oneAtATime(
  server: Server,
  { rounds, shortSeconds: seconds }: Size,
  { work, request, most }: { work: string; request: Work; most: number },
): Promise<Bound> {
  const measure = () => load(server, request, { connections: 1, seconds });
  const { p50 } = (await inRounds(rounds, [{ name: "request", measure }])).request;
  return {
    work: `${work}, one at a time`,
    bound: `≤ ${most} ms`,
    measured: `${p50.toFixed(1)} ms`,
    isMet: p50 <= most,
  };
}

/**
 * The processor time of a request whose thread has started.
 *
 * @param most in milliseconds.
 */
async function processorTime(
  server: Server,
  { rounds }: Size,
  { work, request, most }: { work: string; request: Work; most: number },
): Promise<Bound> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const before = server.processorTime();
    const response = await fetch(server.url + request.path, { headers: request.headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${request.path}: ${response.status}`);
    times.push(server.processorTime() - before);
  }
  const [first = Number.NaN, ...others] = times;
  const usual = median(others);
  return {
    work: `${work}, processor time`,
    bound: `≤ ${most} ms`,
    measured: `${usual.toFixed(0)} ms (${first.toFixed(0)} ms with the start of its thread)`,
    isMet: usual <= most,
  };
}

const STARTS = 10;
const SLOWEST_START = 100;
const MEMORY_OF_PAGES = 180;
const LOADED_MEMORY = 240;

/** The binary on the largest data set: its first response, and its memory under load. */
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
    const peakAfter = async (works: readonly ((key: string) => Work)[]): Promise<number> => {
      for (const work of works)
        await load(server, work(data.key), { connections: CONNECTIONS, seconds: size.seconds });
      return server.memory().peak;
    };
    const ofPages = await peakAfter([sessionsPage, usersPage]);
    const loaded = await peakAfter([poolUtilization, intakeLead]);
    const started = median(starts);
    return [
      {
        work: "first response of the binary",
        bound: `≤ ${SLOWEST_START} ms`,
        measured: `${started.toFixed(0)} ms (median of ${STARTS})`,
        isMet: started <= SLOWEST_START,
      },
      {
        work: "peak memory of the binary, under a load of pages",
        bound: `≤ ${MEMORY_OF_PAGES} MB`,
        measured: `${ofPages.toFixed(0)} MB`,
        isMet: ofPages <= MEMORY_OF_PAGES,
      },
      {
        work: "and then of utilization and leads",
        bound: `≤ ${LOADED_MEMORY} MB`,
        measured: `${loaded.toFixed(0)} MB`,
        isMet: loaded <= LOADED_MEMORY,
      },
    ];
  } finally {
    await server.stop();
  }
}

export function count(number: number): string {
  return number.toLocaleString("en-US");
}
