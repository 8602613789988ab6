import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";

/** Servers use the first core and the load generator the second, so that neither slows down the other. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;
/** With a separate database server, all processes share both cores. */
export const BOTH_CORES = `${SERVER_CORE},${LOAD_CORE}`;

/** Benchmarks cannot run on this machine; the message says what to do. */
export class NotReady extends Error {}

/**
 * Checks that all tools are installed.
 *
 * @throws NotReady with what to install.
 */
export function requireTools(): void {
  if (process.platform !== "linux")
    throw new NotReady("The measurements need Linux: they pin programs to cores and read /proc.");
  if (Bun.which("wrk") === null)
    throw new NotReady('wrk is missing. On Debian and Ubuntu: "apt-get install wrk".');
  if (Bun.which("taskset") === null)
    throw new NotReady('taskset is missing. On Debian and Ubuntu: "apt-get install util-linux".');
  if (cpus().length < 2)
    throw new NotReady("The measurements need two cores, one for a server and one for its load.");
}

/** Also moves this process to the load generator's core. */
export async function moveToLoadCore(): Promise<void> {
  await Bun.$`taskset --all-tasks --cpu-list --pid ${LOAD_CORE} ${process.pid}`.quiet();
}

/** The machine in one line. */
export function machineLine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `${processors[0]?.model ?? "unknown processor"}, ${processors.length} cores, ${memory} GB, Linux ${release()}`;
}

/** Processor time so far, in milliseconds: of all programs, and of this one with its children. */
export interface ProcessorUse {
  at: number;
  all: number;
  own: number;
}

/** The kernel counts in hundredths of a second. */
const TICK = 10;

export function processorUse(): ProcessorUse {
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0] = readFileSync(
    "/proc/stat",
    "utf8",
  )
    .split("\n")[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const own = fieldsOfStat("self").slice(11, 15).map(Number);
  return {
    at: performance.now(),
    all: (user + nice + system + interrupts + softInterrupts) * TICK,
    own: own.reduce((sum, time) => sum + time) * TICK,
  };
}

/** The share of processor time used by other programs between two moments, from 0 to 1. */
export function shareOfOthers(before: ProcessorUse, after: ProcessorUse): number {
  const others = after.all - before.all - (after.own - before.own);
  return Math.max(0, others) / ((after.at - before.at) * cpus().length);
}

/** Processor time of a process so far, in milliseconds. */
export function processorTimeOf(pid: number): number {
  const [user = 0, system = 0] = fieldsOfStat(pid).slice(11, 13).map(Number);
  return (user + system) * TICK;
}

/** The fields of /proc/PID/stat after the process name, which may contain any character. */
function fieldsOfStat(process: number | "self"): string[] {
  const stat = readFileSync(`/proc/${process}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** The versions of all involved programs. */
export async function toolVersions(): Promise<string> {
  const { version } = new Database(":memory:")
    .query<{ version: string }, []>("select sqlite_version() as version")
    .get() ?? { version: "unknown" };
  const wrk = await Bun.$`wrk --version`.nothrow().quiet().text();
  const node = await Bun.$`node --version`.nothrow().quiet().text();
  const commit = await Bun.$`git rev-parse --short HEAD`.nothrow().quiet().text();
  return [
    `commit ${commit.trim()}`,
    `Bun ${Bun.version}`,
    `SQLite ${version}`,
    wrk.split("\n")[0]?.split(" [")[0] ?? "",
    `Node.js ${node.trim()} for the others`,
  ].join(", ");
}
