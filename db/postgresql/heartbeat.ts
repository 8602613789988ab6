import type { ClientConfig } from "pg";
import { Connection } from "./dialect.ts";

/** The interval between two checks, and the time allowed for a response, in milliseconds. */
const INTERVAL = 1_000;
const TIMEOUT = 3_000;
/**
 * The time allowed while the server is known to be silent, in milliseconds; short, so that new requests fail quickly.
 */
const TIMEOUT_WHILE_SILENT = 1_000;
/**
 * The time limit is counted in steps of this length, so that time in which the event loop was blocked does not count. A
 * busy node would otherwise consider its server silent.
 */
const STEP = 100;

/**
 * Checks every second, on its own connection, whether the server responds. Statements may legitimately take long, so
 * their timeout would detect a hanging server too late for clients to get a response.
 *
 * When the server is silent, all other connections are closed. Whatever waits on them fails as with any lost
 * connection.
 */
export class Heartbeat {
  readonly #connections = new Set<Connection>();
  #own: Connection | undefined;
  #timer: Timer | undefined;
  #isSilent = false;
  #isStopped = false;

  constructor(private readonly config: ClientConfig) {}

  /** Whether the server did not answer the last check. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Registers a connection to be closed when the server is silent. */
  watch(connection: Connection): void {
    this.#connections.add(connection);
    connection.once("end", () => this.#connections.delete(connection));
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#beat(), this.#isSilent ? 0 : INTERVAL).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#own?.cut();
  }

  async #beat(): Promise<void> {
    const timeout = this.#isSilent ? TIMEOUT_WHILE_SILENT : TIMEOUT;
    this.#isSilent = !(await isSettledWithin(timeout, this.#ask()));
    if (this.#isSilent && !this.#isStopped) {
      this.#own?.cut();
      this.#own = undefined;
      for (const connection of this.#connections) connection.cut();
    }
    if (!this.#isStopped) this.start();
  }

  /** Resolves even if the server refuses: then it is not silent, and the users of connections get the error. */
  async #ask(): Promise<void> {
    const isNew = this.#own === undefined;
    const own = (this.#own ??= new Connection(this.config));
    try {
      if (isNew) await own.on("error", () => {}).connect();
      await own.query("select 1");
    } catch {
      own.cut();
      if (this.#own === own) this.#own = undefined;
    }
  }
}

async function isSettledWithin(timeout: number, response: Promise<void>): Promise<boolean> {
  let isSettled = false;
  const settled = response.then(() => {
    isSettled = true;
  });
  for (let waited = 0; waited < timeout && !isSettled; waited += STEP)
    await Promise.race([settled, Bun.sleep(STEP)]);
  return isSettled;
}
