import { join } from "node:path";

const MAIN = join(import.meta.dir, "../../../src/main.ts");

/** A real server over a database file. */
export interface ServerProcess {
  process: Bun.Subprocess<"ignore", "pipe", Bun.BunFile>;
  url: string;
  /** The file that has its log. */
  log: string;
}

const started: Bun.Subprocess[] = [];

// A script that fails leaves no server behind.
process.once("exit", () => {
  for (const server of started) server.kill("SIGKILL");
});

/**
 * Starts `caseload serve` on a free port and waits until it answers. Its log goes to a file, since a pipe that
 * nobody reads would hold it up.
 *
 * @param options.wrapper a program that runs it, such as strace, with its arguments.
 * @param options.log the file of its log; one beside the database unless given.
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
