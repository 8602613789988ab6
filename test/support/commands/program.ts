import { join } from "node:path";

/** Runs the program as its users do: a process of its own, with arguments and standard streams. */

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
  /** A program that runs it, with the arguments that come before it. */
  runner?: string[];
}

/** Runs a program without root's right to write everywhere, where the tests run as root. */
export const withoutRootsRights: string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"] : [];

/** Starts `caseload …` with nothing of this process's environment but where programs are. */
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

/** Runs `caseload …` to its end. */
export async function runProgram(args: string[], options: ProgramOptions): Promise<ProgramResult> {
  const program = startProgram(args, options);
  const [stdout, stderr, status] = await Promise.all([
    program.stdout.text(),
    program.stderr.text(),
    program.exited,
  ]);
  return { status, stdout, stderr };
}

/** Starts `caseload serve …` on a free port, and waits for the address that it prints. */
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
