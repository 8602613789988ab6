import type { Db } from "../database.ts";
import type { Outcome, Transactions } from "../group-commit.ts";
import { type CachingSqliteFile, dbOver } from "./dialect.ts";
import { DatabaseLost, isLocked } from "./errors.ts";
import type { Snapshots } from "./snapshots.ts";

const SAVEPOINT = "savepoint one_write";
const RELEASE = "release one_write";
const ROLLBACK = "rollback to one_write";

/** Write transactions, one after the other on one connection. */
export class FileTransactions implements Transactions {
  readonly isLocked = isLocked;
  readonly isRolledBack = (): boolean => true;
  readonly isRetryable = (): boolean => false;
  readonly #db: Db;

  constructor(
    private readonly file: CachingSqliteFile,
    private readonly snapshots: Snapshots,
  ) {
    this.#db = dbOver(file);
  }

  async run<Result>(work: (trx: Db) => Promise<Result>): Promise<Result> {
    if (!this.file.isInPlace()) throw new DatabaseLost();
    // The log can only be restarted while no reader uses it.
    this.snapshots.renew();
    try {
      return await inTransaction(this.file, () => work(this.#db));
    } finally {
      this.snapshots.renew();
    }
  }

  async runInSavepoint(trx: Db, work: (trx: Db) => Promise<unknown>): Promise<Outcome> {
    this.file.prepare(SAVEPOINT).run();
    try {
      const result = await work(trx);
      this.file.prepare(RELEASE).run();
      return { result };
    } catch (error) {
      // On a full disk, SQLite rolls back the whole transaction: the group has failed, not just this write.
      if (!this.file.inTransaction) throw error;
      this.file.prepare(ROLLBACK).run();
      this.file.prepare(RELEASE).run();
      return { error };
    }
  }
}

/**
 * Takes the write lock at the start, or throws. A transaction that began with a read could no longer take it after
 * another one's commit.
 */
async function inTransaction<Result>(
  file: CachingSqliteFile,
  work: () => Promise<Result>,
): Promise<Result> {
  file.prepare("begin immediate").run();
  try {
    const result = await work();
    file.prepare("commit").run();
    return result;
  } catch (error) {
    // On a full disk SQLite has already rolled back; a second rollback would throw and hide the cause.
    if (file.inTransaction) file.prepare("rollback").run();
    throw error;
  }
}
