import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Client, Pool } from "pg";
import type { Db } from "../database.ts";
import { kyselyOver, send, sendAhead } from "./dialect.ts";
import { ConnectionLost, isServerError } from "./errors.ts";
import { BEGIN_SNAPSHOT, readSnapshot, withClient } from "./transactions.ts";

interface Read {
  run(db: Db): Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Reads that are asked for in one turn of the event loop share a snapshot, and so a connection and its transaction: to
 * begin and end one takes as long as a short statement, and a request reads twice, its key and its data. While all
 * connections are taken, more join. A snapshot is taken after all of its reads were asked for, so whatever was
 * committed before, by whichever node, is in it.
 *
 * A statement that fails takes the transaction with it, so what fails, and what it has spoiled, is read again on a snapshot
 * of its own.
 */
export class Snapshots {
  /** Reads of the snapshot that is taken next. */
  #gathered: Read[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(private readonly pool: Pool) {}

  /** Runs `work` on the snapshot of this turn, and perhaps once more on another. */
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
      await withClient(this.pool, async (client) => {
        reads = this.#take();
        await this.#readOn(client, reads);
      });
    } catch (error) {
      // There is no connection to be had, or it broke. Whoever has an answer keeps it.
      for (const { reject } of reads ?? this.#take()) reject(error);
    }
  }

  #take(): Read[] {
    return this.#gathered.splice(0);
  }

  /** @throws ConnectionLost where one of the reads met it. */
  async #readOn(client: Client, reads: Read[]): Promise<void> {
    sendAhead(client, BEGIN_SNAPSHOT);
    const db = kyselyOver(client);
    const failed: Read[] = [];
    let lost: ConnectionLost | undefined;
    const run = async (read: Read): Promise<void> => {
      try {
        read.resolve(await read.run(db));
      } catch (error) {
        if (error instanceof ConnectionLost) lost = error;
        if (isServerError(error) && reads.length > 1) failed.push(read);
        else read.reject(error);
      }
    };
    await Promise.all(reads.map(run));
    if (lost !== undefined) throw lost;
    if (failed.length === 0) return sendAhead(client, "commit");
    for (const { run, resolve, reject } of failed)
      readSnapshot(this.pool, run).then(resolve, reject);
    await send(client, "rollback");
  }
}
