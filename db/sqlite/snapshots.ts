import { type CachingSqliteFile, dbOver } from "./dialect.ts";
import type { Db } from "../database.ts";

/**
 * Reads, one after the other on one connection. Reads of the same turn of the event loop share a snapshot: beginning
 * and ending one takes as long as a short statement, and each request reads twice (its key, and its data). A snapshot
 * contains everything committed before its requests began.
 */
export class Snapshots {
  readonly #db: Db;
  #last: Promise<void> = Promise.resolve();
  /** The number of running or waiting reads. */
  #reading = 0;
  #endOfTurn: NodeJS.Immediate | undefined;

  constructor(private readonly file: CachingSqliteFile) {
    this.#db = dbOver(file);
  }

  /** Runs `work` on the snapshot of this turn, when the reads before it have finished. */
  read<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    this.#reading += 1;
    const result = this.#last.then(() => {
      this.#begin();
      return work(this.#db);
    });
    // Ends the snapshot after the last read, so that it does not stay open until the next one.
    const ended = () => {
      this.#reading -= 1;
    };
    this.#last = result.then(ended, ended);
    return result;
  }

  /** Ends the snapshot: later reads see the current data. */
  renew(): void {
    if (this.#reading === 0) this.#end();
    else this.#last = this.#last.then(() => this.#end());
  }

  /** Resolves when no read is waiting or running. */
  async finished(): Promise<void> {
    await this.#last;
    this.#end();
  }

  #begin(): void {
    if (this.file.inTransaction) return;
    this.file.prepare("begin deferred").run();
    this.#endOfTurn = setImmediate(() => this.renew());
  }

  #end(): void {
    clearImmediate(this.#endOfTurn);
    if (this.file.inTransaction) this.file.prepare("commit").run();
  }
}
