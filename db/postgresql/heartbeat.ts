import type { ClientConfig } from "pg";
import { Connection } from "./dialect.ts";

/** How long it is between two questions, and how long an answer may take, in milliseconds. */
const INTERVAL = 1_000;
const PATIENCE = 3_000;
/** The same while the server is known to be silent, so that new requests need not wait until it is found out again. */
const PATIENCE_WITH_SILENCE = 1_000;
/** Time in which the event loop was blocked does not count, or a busy node would take its server for a silent one. */
const STEP = 100;

/**
 * Asks the server every second, on a connection of its own, whether it answers. A statement may take long, so its own
 * time limit tells too late that the server hangs: clients would lose their connections before they are answered.
 *
 * While the server is silent, all other connections are closed again and again, also those that are being made. What
 * waits for them then fails as with any connection that is lost.
 */
export class Heartbeat {
  readonly #connections = new Set<Connection>();
  #own: Connection | undefined;
  #timer: Timer | undefined;
  #isSilent = false;
  #isStopped = false;

  constructor(private readonly config: ClientConfig) {}

  /** Closes this connection too when the server is silent. */
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
    const patience = this.#isSilent ? PATIENCE_WITH_SILENCE : PATIENCE;
    this.#isSilent = !(await isSettledWithin(patience, this.#ask()));
    if (this.#isSilent && !this.#isStopped) {
      this.#own?.cut();
      this.#own = undefined;
      for (const connection of this.#connections) connection.cut();
    }
    if (!this.#isStopped) this.start();
  }

  /** Resolves also where the server refuses: it is not silent then, and what uses it hears of it. */
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

async function isSettledWithin(patience: number, answer: Promise<void>): Promise<boolean> {
  let isSettled = false;
  const settled = answer.then(() => {
    isSettled = true;
  });
  for (let waited = 0; waited < patience && !isSettled; waited += STEP)
    await Promise.race([settled, Bun.sleep(STEP)]);
  return isSettled;
}
