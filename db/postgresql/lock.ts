import type { ClientConfig } from "pg";
import { DatabaseRefused } from "../errors.ts";
import { CarefulClient } from "./client.ts";

/** A number of our own among the advisory locks of a database that are made of two. */
const [CLASS, OBJECT] = [1_128_354_639, 1];

/** How long after its loss a shared lock is taken again, in milliseconds. */
const RETRY_INTERVAL = 1_000;

/**
 * Keeps servers and a copy apart: each server has a shared lock of the database on a connection of its own, and a copy
 * the exclusive one. PostgreSQL drops a lock with its connection, however a program ends. A server that loses its
 * connection takes the lock again as soon as it can.
 */
export class ServerLock {
  #client: CarefulClient | undefined;
  #retry: Timer | undefined;
  #isReleased = false;

  /** @param name how messages call the database. */
  constructor(
    private readonly config: ClientConfig,
    private readonly name: string,
  ) {}

  /** @throws DatabaseRefused where others hold it: for `shared` a copy, for `exclusive` servers. */
  async take(mode: "shared" | "exclusive"): Promise<void> {
    if (await this.#tryToTake(mode)) return;
    throw new DatabaseRefused(
      mode === "shared"
        ? `There is a copy being made of ${this.name}, or into it. Try again when that is done.`
        : `A server has ${this.name} open. Stop all servers on it, and try again.`,
    );
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => {});
  }

  async #tryToTake(mode: "shared" | "exclusive"): Promise<boolean> {
    const client = new CarefulClient(this.config);
    // How it ends is told by `end`.
    client.on("error", () => {});
    await client.connect();
    await client.query("set idle_session_timeout = 0");
    const suffix = mode === "shared" ? "_shared" : "";
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock${suffix}(${CLASS}, ${OBJECT}) as taken`,
    );
    if (rows[0]?.taken !== true || this.#isReleased) {
      await client.end();
      return false;
    }
    this.#client = client;
    if (mode === "shared") client.on("end", () => this.#takeAgain());
    return true;
  }

  #takeAgain(): void {
    if (this.#isReleased) return;
    this.#retry = setTimeout(async () => {
      if (!(await this.#tryToTake("shared").catch(() => false))) this.#takeAgain();
    }, RETRY_INTERVAL).unref();
  }
}
