import { readFileSync } from "node:fs";
import { join } from "node:path";
import { processorTimeOf, SERVER_CORE } from "./machine.ts";

const ROOT = join(import.meta.dir, "..");

/** A server in its own process, on the servers' core. */
export interface Server {
  name: string;
  url: string;
  /** Time from the start to the first answer, in milliseconds. */
  startup: number;
  /** Current and maximum memory, in MB. */
  memory(): { resident: number; peak: number };
  /** Processor time used so far, in milliseconds. */
  processorTime(): number;
  stop(): Promise<void>;
}

export interface ServerOptions {
  name: string;
  command(port: number): string[];
  /** A path that answers with success as soon as the server is ready. */
  readyPath: string;
  headers?: Record<string, string>;
  folder?: string;
  environment?: Record<string, string>;
  /** Timeout for getting ready, in milliseconds. */
  timeout?: number;
  /** Cores as for `taskset`; default: the servers' core. */
  cores?: string;
}

const TIMEOUT = 30_000;

/** Interrupting a run also stops its servers. */
const running = new Set<Bun.Subprocess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Starts a server and waits for its first answer.
 *
 * @throws Error with its last output, if it ends or takes too long.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { name, command, readyPath, headers = {}, timeout = TIMEOUT } = options;
  const { cores = String(SERVER_CORE) } = options;
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  // Its log is discarded.
  const child = Bun.spawn(["taskset", "-c", cores, ...command(port)], {
    cwd: options.folder ?? ROOT,
    env: { ...process.env, TZ: "UTC", NODE_ENV: "production", ...options.environment },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  running.add(child);
  const stop = async () => {
    running.delete(child);
    child.kill("SIGTERM");
    const killing = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await child.exited;
    clearTimeout(killing);
  };
  while (!(await answers(url + readyPath, headers))) {
    const waited = performance.now() - started;
    if (child.exitCode === null && waited < timeout) continue;
    await stop();
    throw new Error(
      child.exitCode === null || waited >= timeout
        ? `did not answer within ${timeout / 1000} s`
        : `ended with status ${child.exitCode} before it answered`,
    );
  }
  const startup = performance.now() - started;
  return {
    name,
    url,
    startup,
    memory: () => memoryOf(child.pid),
    processorTime: () => processorTimeOf(child.pid),
    stop,
  };
}

/** Runs `work` with some servers; if one does not start, the others are stopped. */
export async function withServers<Name extends string, Result>(
  starts: Record<Name, () => Promise<Server>>,
  work: (servers: Record<Name, Server>) => Promise<Result>,
): Promise<Result> {
  const servers = {} as Record<Name, Server>;
  try {
    for (const [name, start] of Object.entries(starts) as [Name, () => Promise<Server>][])
      servers[name] = await start();
    return await work(servers);
  } finally {
    for (const server of Object.values<Server>(servers)) await server.stop();
  }
}

async function answers(url: string, headers: Record<string, string>): Promise<boolean> {
  try {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    await Bun.sleep(1);
    return false;
  }
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  server.stop(true);
  if (port === undefined) throw new Error("No port is free");
  return port;
}

export function memoryOf(pid: number): { resident: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024) / 1_000_000;
  return { resident: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}

/** The headers of a request with a key. */
export function withKey(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

interface Target {
  database: string;
  key: string;
}

const READY_PATH = "/api/v1/sessions";

/** The service: `caseload serve`, from source. */
export function startCaseload({ database, key }: Target, cores?: string): Promise<Server> {
  return startServer({
    name: "Caseload",
    ...(cores !== undefined && { cores }),
    command: (port) => [
      ...["bun", "src/main.ts", "--database", database],
      ...["serve", "--port", String(port)],
    ],
    readyPath: READY_PATH,
    headers: withKey(key),
  });
}

/** The service without audit rows of reads. */
export function startUnaudited(target: Target): Promise<Server> {
  return startProgram("Caseload without audit", "bench/unaudited.ts", target);
}

/** The floor. */
export function startFloor(target: Target): Promise<Server> {
  return startProgram("floor", "bench/floor.ts", target);
}

function startProgram(name: string, file: string, { database, key }: Target): Promise<Server> {
  return startServer({
    name,
    command: (port) => ["bun", file, "--database", database, "--port", String(port)],
    readyPath: READY_PATH,
    headers: withKey(key),
  });
}

/** The single binary. */
export function startBinary({ database, key }: Target, path: string): Promise<Server> {
  return startServer({
    name: "binary",
    command: (port) => [path, "--database", database, "serve", "--port", String(port)],
    readyPath: READY_PATH,
    headers: withKey(key),
  });
}
