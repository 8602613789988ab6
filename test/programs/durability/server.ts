import { join } from "node:path";

const MAIN = join(import.meta.dir, "../../../src/main.ts");

/** A server process with a database file. */
export interface ServerProcess {
  process: Bun.Subprocess<"ignore", "pipe", Bun.BunFile>;
  url: string;
  /** The file with its log. */
  log: string;
}

const started: Bun.Subprocess[] = [];

// A failing script leaves no server running.
process.once("exit", () => {
  for (const server of started) server.kill("SIGKILL");
});

/**
 * Starts `caseload serve` on a free port and waits until it responds. Its log is written to a file,
 * because a pipe that is not read would block it.
 *
 * @param options.wrapper a program that runs it, such as strace, with its arguments.
 * @param options.log the path of the log; by default beside the database.
 */
export async function startServerProcess(
  database: string,
  { wrapper = [], log = `${database}.log` }: { wrapper?: string[]; log?: string } = {},
): Promise<ServerProcess> {
  const server = Bun.spawn(
    [...wrapper, process.execPath, MAIN, "serve", "--port", "0", "--database", database],
    {
      env: { PATH: process.env.PATH ?? "" },
      stdin: "ignore",
      stdout: "pipe",
      stderr: Bun.file(log),
    },
  );
  started.push(server);
  const decoder = new TextDecoder();
  let printed = "";
  for await (const chunk of server.stdout) {
    printed += decoder.decode(chunk, { stream: true });
    const [, url] = /answers at (\S+)\n/.exec(printed) ?? [];
    if (url !== undefined) return { process: server, url, log };
  }
  throw new Error(`The server ended: ${await Bun.file(log).text()}`);
}
