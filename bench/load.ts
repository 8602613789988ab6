import { join } from "node:path";
import { LOAD_CORE } from "./machine.ts";
import type { Server } from "./servers.ts";

/** A request that is repeated. */
export interface Work {
  path: string;
  headers?: Record<string, string>;
  /** For methods other than GET; `{n}` in path and body is a new number each time. */
  numbered?: { method: string; body: string; first: number };
}

/** The results of a server under load; times in milliseconds. */
export interface Figures {
  requestsPerSecond: number;
  /** Bytes of an answer, with its headers. */
  bytes: number;
  mean: number;
  p50: number;
  p99: number;
  /** Processor time per request, which is independent of other programs. */
  processor: number;
}

export interface LoadOptions {
  connections: number;
  seconds: number;
  /** Cores as for `taskset`; default: the load generator's core. */
  cores?: string;
}

/** If the first answer takes longer than the measurement, it is repeated with this multiple of the duration. */
const MORE_TIME = 10;

/**
 * Loads a server with wrk, from the load generator's core.
 *
 * @throws Error for answers other than success, and failed connections.
 */
export async function load(server: Server, work: Work, options: LoadOptions): Promise<Figures> {
  try {
    return await runWrk(server, work, options);
  } catch (error) {
    if (!(error instanceof NothingAnswered)) throw error;
    return runWrk(server, work, { ...options, seconds: options.seconds * MORE_TIME });
  }
}

/**
 * Loads several servers at the same time with the same number of connections, and combines their results: requests are
 * added, and the longest times are used.
 */
export async function loadAll(
  servers: readonly Server[],
  workOf: () => Work,
  options: LoadOptions,
): Promise<Figures> {
  const all = await Promise.all(servers.map((server) => load(server, workOf(), options)));
  const sum = (name: keyof Figures) => all.reduce((total, figures) => total + figures[name], 0);
  const longest = (name: keyof Figures) => Math.max(...all.map((figures) => figures[name]));
  return {
    requestsPerSecond: sum("requestsPerSecond"),
    bytes: sum("bytes") / all.length,
    mean: longest("mean"),
    p50: longest("p50"),
    p99: longest("p99"),
    processor: sum("processor") / all.length,
  };
}

async function runWrk(
  server: Server,
  work: Work,
  { connections, seconds, cores = String(LOAD_CORE) }: LoadOptions,
): Promise<Figures> {
  const headers = Object.entries(work.headers ?? {}).flatMap(([name, value]) => [
    "-H",
    `${name}: ${value}`,
  ]);
  const script = join(import.meta.dir, "load.lua");
  const { numbered } = work;
  const command = [
    ...["taskset", "-c", cores, "wrk", "-t1", `-c${connections}`, `-d${seconds}s`],
    ...["--timeout", "60s", "-s", script, ...headers, server.url + work.path],
    ...(numbered === undefined
      ? []
      : ["--", numbered.method, work.path, numbered.body, String(numbered.first)]),
  ];
  const before = server.processorTime();
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
  const output = await new Response(child.stdout).text();
  const complaints = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`wrk failed: ${complaints}`);
  try {
    return parseFigures(output, server.processorTime() - before);
  } catch (error) {
    if (error instanceof Error) error.message = `${server.name}, ${work.path}: ${error.message}`;
    throw error;
  }
}

/** The measurement ended before the first answer. */
class NothingAnswered extends Error {}

/**
 * Parses wrk's output, whose last line is from load.lua.
 *
 * @param worked processor time of the server during the measurement, in milliseconds.
 * @throws Error without such a line, without answers, or for answers other than success.
 */
export function parseFigures(output: string, worked: number): Figures {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  if (!line.startsWith("{")) throw new Error(`wrk gave no figures: ${output}`);
  const sum = JSON.parse(line) as Record<
    "requests" | "microseconds" | "bytes" | "mean" | "p50" | "p99" | "refused" | "failed",
    number
  >;
  if (sum.requests === 0) throw new NothingAnswered("no request was answered in time");
  if (sum.refused > 0) throw new Error(`${sum.refused} of ${sum.requests} answers were no success`);
  if (sum.failed > 0) throw new Error(`${sum.failed} connections failed`);
  return {
    requestsPerSecond: sum.requests / (sum.microseconds / 1_000_000),
    bytes: sum.bytes / sum.requests,
    mean: sum.mean / 1000,
    p50: sum.p50 / 1000,
    p99: sum.p99 / 1000,
    processor: worked / sum.requests,
  };
}

/** A candidate of a comparison. */
export interface Candidate<Name extends string> {
  name: Name;
  measure(): Promise<Figures>;
}

/**
 * Measures candidates in turns, for several rounds, so that disturbances affect all of them,
 * and returns the median of each result.
 */
export async function inRounds<Name extends string>(
  rounds: number,
  candidates: readonly Candidate<Name>[],
): Promise<Record<Name, Figures>> {
  const measured = new Map<Name, Figures[]>(candidates.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const { name, measure } of candidates) measured.get(name)?.push(await measure());
  const entries = [...measured].map(([name, figures]) => [name, medianFigures(figures)]);
  return Object.fromEntries(entries) as Record<Name, Figures>;
}

/** The median of each result. */
export function medianFigures(figures: Figures[]): Figures {
  const of = (name: keyof Figures) => median(figures.map((each) => each[name]));
  return {
    requestsPerSecond: of("requestsPerSecond"),
    bytes: of("bytes"),
    mean: of("mean"),
    p50: of("p50"),
    p99: of("p99"),
    processor: of("processor"),
  };
}

/** The median; for an even count, the mean of the middle two. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
