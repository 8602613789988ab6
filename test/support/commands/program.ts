import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { runProgram as runCommand } from "../../../src/commands/program.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { commitOf } from "../../../src/version.ts";

/** Runs the program with arguments and standard streams: as users do, or in the process of the test, which is faster. */

const ROOT = join(import.meta.dir, "../../..");
const MAIN = join(ROOT, "src/main.ts");
const WORKER = join(ROOT, "src/worker.ts");

let bundle: string | undefined;

/** The program's file: a bundle, made once for all tests of this process, which starts in half of the sources' time. */
export function programFile(): string {
  bundle ??= bundled();
  return bundle;
}

/** A folder for each test process. They end without an event, so that the next one removes what they leave. */
const BUNDLES = join(ROOT, "node_modules/.cache/caseload");

function bundled(): string {
  mkdirSync(BUNDLES, { recursive: true });
  for (const pid of readdirSync(BUNDLES))
    // Another process may remove it, too, which only `rm` takes well.
    if (!isRunning(Number(pid))) Bun.spawnSync(["rm", "-rf", join(BUNDLES, pid)]);
  const folder = join(BUNDLES, String(process.pid));
  const { exitCode, stderr } = Bun.spawnSync(
    [
      ...[
        process.execPath,
        "build",
        MAIN,
        WORKER,
        "--target=bun",
        "--splitting",
        "--outdir",
        folder,
      ],
      // Files beside it are found from any folder.
      `--public-path=${folder}/`,
      ...["--define", `CASELOAD_COMMIT=${JSON.stringify(commitOf(ROOT))}`],
    ],
    { cwd: ROOT },
  );
  if (exitCode !== 0) throw new Error(stderr.toString());
  return join(folder, "main.js");
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export interface ProgramResult {
  status: number;
  stdout: string;
  stderr: string;
}

export interface ProgramOptions {
  cwd: string;
  env?: Record<string, string>;
  stdin?: string;
  /** A program with arguments that runs the program, such as `setpriv`. */
  runner?: string[];
}

/** If the tests run as root: runs a program without root's permission to write everywhere. */
export const withoutRootsRights: string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"] : [];

/** Starts `caseload …` with an environment of only PATH. */
export function startProgram(
  args: string[],
  { cwd, env = {}, stdin = "", runner = [] }: ProgramOptions,
) {
  // What is preloaded changes modules of the sources.
  const file = "BUN_OPTIONS" in env ? MAIN : programFile();
  return Bun.spawn([...runner, process.execPath, file, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", ...env },
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Runs `caseload …` until it exits. */
export async function runProgram(args: string[], options: ProgramOptions): Promise<ProgramResult> {
  const program = startProgram(args, options);
  const [stdout, stderr, status] = await Promise.all([
    program.stdout.text(),
    program.stderr.text(),
    program.exited,
  ]);
  return { status, stdout, stderr };
}

/** As `runProgram`, in this process: for what does not depend on signals, locks, rights or open files of a process. */
export async function runInProcess(
  args: string[],
  { cwd, env = {}, stdin = "" }: Omit<ProgramOptions, "runner">,
): Promise<ProgramResult> {
  const [stdout, stderr] = [new Captured(), new Captured()];
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const status = await runCommand(args, {
      clock: systemClock,
      environment: { PATH: process.env.PATH, ...env },
      stdin: { stream: () => new Blob([stdin]).stream() },
      stdout,
      stderr,
    });
    return { status, stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(before);
  }
}

/** A stream that keeps what is written. */
class Captured extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

/** Starts `caseload serve …` on a free port, and waits for the printed address. */
export async function startServer(args: string[], options: ProgramOptions) {
  const program = startProgram(["serve", "--port", "0", ...args], options);
  const reader = program.stdout.getReader();
  const decoder = new TextDecoder();
  let printed = "";
  const readUntil = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const match = pattern.exec(printed);
      if (match !== null) return match;
      const { done, value } = await reader.read();
      if (done) throw new Error(`The server ended: ${await program.stderr.text()}`);
      printed += decoder.decode(value, { stream: true });
    }
  };
  const [, url = ""] = await readUntil(/answers at (\S+)\n/);
  return { program, url, readUntil };
}
