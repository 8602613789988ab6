import type { ClientConfig } from "pg";
import { DatabaseInUse } from "../errors.ts";
import { CarefulClient } from "./client.ts";

/** A unique pair of numbers for the two-key advisory lock of a database. */
const [CLASS, OBJECT] = [1_128_354_639, 1];

/** How long a starting server waits for others that start, and its attempts, in milliseconds. */
const START_TIMEOUT = 2_000;
const ATTEMPT_INTERVAL = 50;

/** Interval of attempts to take a lost shared lock again, in milliseconds. */
const RETRY_INTERVAL = 1_000;

/**
 * Prevents copying a database while servers use it: each server holds a shared lock, on its own connection, and a copy
 * the exclusive one. PostgreSQL releases the lock when the connection ends, even if the program is killed. A server
 * that loses its connection retakes the lock as soon as possible.
 */
export class ServerLock {
  #client: CarefulClient | undefined;
  #retry: Timer | undefined;
  #isReleased = false;

  /** @param name the name of the database in messages. */
  constructor(
    private readonly config: ClientConfig,
    private readonly name: string,
  ) {}

  /** @throws DatabaseInUse if it is held by others: by a copy (for `shared`) or by servers (for `exclusive`). */
  async take(mode: "shared" | "exclusive"): Promise<void> {
    // Another server that starts may hold the exclusive lock for a moment, to see that the upgrade is done.
    const deadline = performance.now() + (mode === "shared" ? START_TIMEOUT : 0);
    do {
      if (await this.#tryToTake(mode)) return;
      await Bun.sleep(ATTEMPT_INTERVAL);
    } while (performance.now() < deadline);
    throw new DatabaseInUse(
      mode === "shared"
        ? `A copy of ${this.name}, or into it, or its upgrade, is running. Try again when it is done.`
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
    // Handled on `end`.
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
