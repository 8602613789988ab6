import type { Kysely } from "kysely";
import { type CachingSqliteFile, inTransaction, kyselyOver } from "./dialect.ts";
import type { Snapshot } from "../database.ts";
import type { Schema } from "../schema.ts";

/** Reads, each on a snapshot of its own; they take turns on one connection. */
export class Snapshots {
  readonly #db: Kysely<Schema>;
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly file: CachingSqliteFile) {
    this.#db = kyselyOver(file);
  }

  /** Runs `work` on the data as they stand when its turn comes. */
  read<Result>(work: (db: Kysely<Schema>) => Promise<Result>): Promise<Result> {
    const result = this.#last.then(() =>
      inTransaction(this.file, "deferred", () => work(this.#db)),
    );
    // What was read is not kept until the next read.
    const ended = () => {};
    this.#last = result.then(ended, ended);
    return result;
  }

  /** Resolves when no read is waiting or running. */
  async finished(): Promise<void> {
    await this.#last;
  }
}

/** Snapshots that are open for long, each on a connection of its own. */
export class LongSnapshots {
  readonly #open = new Set<Snapshot>();

  constructor(private readonly connect: () => CachingSqliteFile) {}

  async open(): Promise<Snapshot> {
    const file = this.connect();
    file.run("begin");
    const snapshot: Snapshot = {
      db: kyselyOver(file),
      close: async () => {
        if (!this.#open.delete(snapshot)) return;
        file.close();
      },
    };
    this.#open.add(snapshot);
    return snapshot;
  }

  async close(): Promise<void> {
    for (const snapshot of this.#open) await snapshot.close();
  }
}
