import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Pool } from "pg";
import type { Db } from "../database.ts";
import { type Connection, send, sendAhead } from "./dialect.ts";
import { ConnectionLost, isServerError } from "./errors.ts";
import { BEGIN_SNAPSHOT, readSnapshot, withConnection } from "./transactions.ts";

interface Read {
  run(db: Db): Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Reads of one turn of the event loop share a snapshot: one transaction on one connection, which saves much processor
 * time on both sides. While all connections are in use, more reads join. A snapshot begins after its reads were
 * requested, so it contains everything committed before, by any node.
 *
 * A failing statement aborts the transaction for all reads. Reads that failed only because of it run again, each on its
 * own snapshot.
 */
export class Snapshots {
  /** Reads for the next snapshot. */
  #gathered: Read[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(private readonly pool: Pool) {}

  /** Runs `work` on the snapshot of this turn, and possibly a second time on another. */
  read<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#gathered.push({ run: work, resolve: resolve as Read["resolve"], reject });
      if (this.#gathered.length > 1) return;
      const running = this.#readGathered().finally(() => this.#running.delete(running));
      this.#running.add(running);
    });
  }

  /** Resolves when no read is waiting or running. */
  async finished(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #readGathered(): Promise<void> {
    let reads: Read[] | undefined;
    await endOfTurn();
    try {
      await withConnection(this.pool, async (connection) => {
        reads = this.#take();
        await this.#readOn(connection, reads);
      });
    } catch (error) {
      // No connection was available, or it was lost. Finished reads keep their results.
      for (const { reject } of reads ?? this.#take()) reject(error);
    }
  }

  #take(): Read[] {
    return this.#gathered.splice(0);
  }

  /** @throws ConnectionLost if a read failed with it. */
  async #readOn(connection: Connection, reads: Read[]): Promise<void> {
    sendAhead(connection, BEGIN_SNAPSHOT);
    const failed: Read[] = [];
    let lost: ConnectionLost | undefined;
    const run = async (read: Read): Promise<void> => {
      try {
        read.resolve(await read.run(connection.db));
      } catch (error) {
        if (error instanceof ConnectionLost) lost = error;
        if (isServerError(error) && reads.length > 1) failed.push(read);
        else read.reject(error);
      }
    };
    await Promise.all(reads.map(run));
    if (lost !== undefined) throw lost;
    if (failed.length === 0) return sendAhead(connection, "commit");
    for (const { run, resolve, reject } of failed)
      readSnapshot(this.pool, run).then(resolve, reject);
    await send(connection, "rollback");
  }
}
