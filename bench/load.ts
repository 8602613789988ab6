import { join } from "node:path";
import { LOAD_CORE } from "./machine.ts";
import type { Server } from "./servers.ts";

/** What is asked of a server, over and over. */
export interface Work {
  path: string;
  headers?: Record<string, string>;
  /** For other requests than a GET; `{n}` in path and body is another number each time. */
  numbered?: { method: string; body: string; first: number };
}

/** What a server did under load; times in milliseconds. */
export interface Figures {
  requestsPerSecond: number;
  /** Of an answer, with its headers. */
  bytes: number;
  mean: number;
  p50: number;
  p99: number;
  /** Work of the server's processor for a request; other programs that take turns with it do not show in it. */
  processor: number;
}

export interface LoadOptions {
  connections: number;
  seconds: number;
  /** As `taskset` takes them; the load's own unless given. */
  cores?: string;
}

/** What takes longer than a measurement is measured once more, so many times as long. */
const MORE_TIME = 10;

/**
 * Loads a server with wrk, from the core that is kept for that.
 *
 * @throws Error when an answer is none of success, or the connection fails: what a broken server does is no figure.
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
 * Loads several servers at once, each with as many connections, and gives what they did together: requests are added
 * up, and of times the longest is told.
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

/** A measurement was over before the first answer. */
class NothingAnswered extends Error {}

/**
 * The figures in wrk's output, whose last line is load.lua's.
 *
 * @param worked how long the server's processor worked meanwhile, in milliseconds.
 * @throws Error when there is no such line, nothing was answered, or anything but success was.
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

/** Something that is measured in rounds, next to others. */
export interface Candidate<Name extends string> {
  name: Name;
  measure(): Promise<Figures>;
}

/**
 * Measures candidates one after another, round after round, so that a disturbance of the machine hits all alike,
 * and gives the median of each figure.
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

/** The median of each figure. */
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

/** The middle one of some numbers; the mean of the middle two of an even count. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
