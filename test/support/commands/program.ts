import { join } from "node:path";
import { Writable } from "node:stream";
import { runProgram as runCommand } from "../../../src/commands/program.ts";
import { systemClock } from "../../../src/lib/clock.ts";

/** Runs the program with arguments and standard streams: as users do, or in the process of the test, which is faster. */

const MAIN = join(import.meta.dir, "../../../src/main.ts");

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
  return Bun.spawn([...runner, process.execPath, MAIN, ...args], {
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
