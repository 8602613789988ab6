import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Db, WriteOptions } from "./database.ts";
import { DatabaseBusy } from "./errors.ts";

/**
 * Default time to wait for the lock, which another program or a long write may hold, in milliseconds. No longer does a
 * request hold it.
 */
export const LOCK_TIMEOUT = 10_000;
const LOCK_RETRY_INTERVAL = 5;

/** How long a group accepts further writes before it commits, in milliseconds. Bounds the wait of its first write. */
const MAX_GROUP_TIME = 50;

interface PendingWrite {
  /** When waiting for the lock ends, on the `performance` clock. */
  deadline: number;
  /** Where it runs: directly in the group, in its own savepoint of the group, or in its own transaction. */
  place: "group" | "savepoint" | "transaction";
  /** Whether it runs before other writes. */
  isFirst: boolean;
  run(trx: Db): Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The outcome of one write. */
export type Outcome = { result: unknown } | { error: unknown };

/** How an engine runs the transaction of a group. */
export interface Transactions {
  /** Commits after `work`, or rolls back if it throws. Rejects without calling `work` if no transaction can begin. */
  run<Result>(work: (trx: Db) => Promise<Result>): Promise<Result>;
  /** Runs one write of the transaction and undoes it if it throws. Rejects if the whole transaction is lost. */
  runInSavepoint(trx: Db, work: (trx: Db) => Promise<unknown>): Promise<Outcome>;
  /** Whether no transaction could begin because another program holds the lock. */
  isLocked(error: unknown): boolean;
  /** Whether a failed commit has certainly left no changes. */
  isRolledBack(error: unknown): boolean;
  /** Whether the engine aborted the transaction because of a concurrent one and it should be retried. */
  isRetryable(error: unknown): boolean;
}

type GroupOptions = Pick<WriteOptions, "lockTimeout" | "isTrailOnly" | "isLong">;

/** A write in a group without savepoints has thrown. */
class GroupFailed extends Error {}

/**
 * Group commit: all writes requested in one turn of the event loop share a transaction, and so one disk sync. Results
 * are delivered only after the commit.
 *
 * Most groups contain no failing write, and a savepoint copies every page that its write touches. So a group first runs
 * without savepoints. If a write throws, the transaction is rolled back and the group runs again, each write in its own
 * savepoint. Deferred foreign keys are checked at the commit, where SQLite does not tell which write violates one. If
 * the commit is refused, each write of the group therefore runs again in its own transaction.
 *
 * The duration of a group is bounded; writes that have not begun by then go into the next one. Audit rows go first,
 * because responses to reads wait for them.
 *
 * While another program or thread holds the lock, the group waits, and further writes join it. SQLite's own busy timeout
 * would block the whole process instead.
 */
export class GroupCommit {
  #waiting: PendingWrite[] = [];
  /** Whether the last group went before a write that needs its own transaction. */
  #hasPassedOver = false;
  #running: Promise<void> | undefined;

  constructor(private readonly transactions: Transactions) {}

  /**
   * Runs `work` in one of the next groups. Rejects with the error that `work` threw, or with the reason why the group
   * could not commit.
   */
  write<Result>(
    work: (trx: Db) => Promise<Result>,
    { lockTimeout = LOCK_TIMEOUT, isTrailOnly = false, isLong = false }: GroupOptions = {},
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({
        deadline: performance.now() + lockTimeout,
        place: isLong ? "transaction" : "group",
        isFirst: isTrailOnly,
        run: work,
        resolve: resolve as (result: unknown) => void,
        reject,
      });
      this.#running ??= this.#commitGroups();
    });
  }

  /** Resolves when no write is waiting or running. */
  async finished(): Promise<void> {
    await this.#running;
  }

  async #commitGroups(): Promise<void> {
    while (this.#waiting.length > 0) {
      // By then, all writes of this turn of the event loop have been requested.
      await endOfTurn();
      await this.#commitGroup();
    }
    this.#running = undefined;
  }

  async #commitGroup(): Promise<void> {
    let group: PendingWrite[] = [];
    const outcomes: Outcome[] = [];
    try {
      await this.transactions.run(async (trx) => {
        group = this.#takeGroup();
        const started = performance.now();
        for (const pending of group) {
          if (performance.now() - started > MAX_GROUP_TIME) break;
          outcomes.push(await this.#run(trx, pending, group));
        }
        this.#waiting.unshift(...group.splice(outcomes.length));
      });
    } catch (error) {
      if (group.length === 0) return this.#waitForLock(error);
      const failedAtCommit =
        outcomes.length === group.length && this.transactions.isRolledBack(error);
      if (error instanceof GroupFailed) this.#repeat(group, "savepoint");
      else if (this.#isRetryable(group, error)) this.#repeat(group, "transaction");
      else if (failedAtCommit && group.length > 1) this.#repeat(group, "transaction");
      else for (const pending of group) pending.reject(error);
      return;
    }
    outcomes.forEach((outcome, index) => {
      if ("error" in outcome) group[index]?.reject(outcome.error);
      else group[index]?.resolve(outcome.result);
    });
  }

  /**
   * Takes all writes that can share a transaction, audit rows first, or the next one that needs its own. The two
   * alternate: otherwise long writes would wait forever beside steady reads, or responses to reads for several long
   * writes.
   */
  #takeGroup(): PendingWrite[] {
    const { shared = [], alone = [] } = Object.groupBy(this.#waiting, ({ place }) =>
      place === "transaction" ? "alone" : "shared",
    );
    const isAlone = alone.length > 0 && (shared.length === 0 || this.#hasPassedOver);
    this.#hasPassedOver = alone.length > 0 && !isAlone;
    this.#waiting = isAlone ? [...shared, ...alone.slice(1)] : alone;
    return isAlone
      ? alone.slice(0, 1)
      : shared.sort((a, b) => Number(b.isFirst) - Number(a.isFirst));
  }

  #repeat(group: PendingWrite[], place: PendingWrite["place"]): void {
    this.#waiting.unshift(...group.map((pending) => ({ ...pending, place })));
  }

  /** Retries each write once, until its lock timeout. */
  #isRetryable(group: PendingWrite[], error: unknown): boolean {
    const now = performance.now();
    return this.transactions.isRetryable(error) && group.every(({ deadline }) => deadline > now);
  }

  /**
   * Handles a transaction that could not begin. On a lock, only writes past their lock timeout fail; on other errors all
   * fail.
   */
  async #waitForLock(cause: unknown): Promise<void> {
    if (this.transactions.isLocked(cause)) this.#giveUp(cause);
    else for (const pending of this.#waiting.splice(0)) pending.reject(cause);
    await Bun.sleep(LOCK_RETRY_INTERVAL);
  }

  /** Fails writes past their lock timeout. */
  #giveUp(cause: unknown = new DatabaseBusy()): void {
    const now = performance.now();
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ deadline }) => deadline > now);
    for (const pending of waiting) if (pending.deadline <= now) pending.reject(cause);
  }

  async #run(trx: Db, pending: PendingWrite, group: PendingWrite[]): Promise<Outcome> {
    if (group.some(({ place }) => place === "savepoint"))
      return this.transactions.runInSavepoint(trx, pending.run);
    try {
      return { result: await pending.run(trx) };
    } catch (error) {
      throw group.length === 1 ? error : new GroupFailed();
    }
  }
}
