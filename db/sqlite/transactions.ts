import type { Db } from "../database.ts";
import type { Outcome, Transactions } from "../group-commit.ts";
import { type CachingSqliteFile, inTransaction, kyselyOver } from "./dialect.ts";
import { DatabaseLost, isLocked } from "./errors.ts";

const SAVEPOINT = "savepoint one_write";
const RELEASE = "release one_write";
const ROLLBACK = "rollback to one_write";

/** Transactions that write, one after the other on one connection. */
export class FileTransactions implements Transactions {
  readonly isLocked = isLocked;
  readonly isRolledBack = (): boolean => true;
  readonly isToBeRepeated = (): boolean => false;
  readonly #db: Db;

  constructor(private readonly file: CachingSqliteFile) {
    this.#db = kyselyOver(file);
  }

  run<Result>(work: (trx: Db) => Promise<Result>): Promise<Result> {
    if (!this.file.isInPlace()) return Promise.reject(new DatabaseLost());
    return inTransaction(this.file, "immediate", () => work(this.#db));
  }

  async runInSavepoint(trx: Db, work: (trx: Db) => Promise<unknown>): Promise<Outcome> {
    this.file.prepare(SAVEPOINT).run();
    try {
      const result = await work(trx);
      this.file.prepare(RELEASE).run();
      return { result };
    } catch (error) {
      // A full disk makes SQLite roll back the whole transaction: then the group has failed, not one write.
      if (!this.file.inTransaction) throw error;
      this.file.prepare(ROLLBACK).run();
      this.file.prepare(RELEASE).run();
      return { error };
    }
  }
}
