import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Db, WriteOptions } from "./database.ts";
import { DatabaseBusy } from "./errors.ts";

/** How long a write waits for another program that holds the lock, unless it says otherwise, in milliseconds. */
const LOCK_PATIENCE = 5_000;
const LOCK_RETRY_INTERVAL = 5;

/** How long a group takes further writes before it commits, in milliseconds: those that come first wait for the last. */
const LONGEST_GROUP = 50;

interface PendingWrite {
  /** Until when it waits for the lock, by the clock of `performance`. */
  deadline: number;
  /** How it is run: with the others, with them in a savepoint of its own, or in a transaction of its own. */
  place: "group" | "savepoint" | "transaction";
  isLong: boolean;
  /** Whether it goes before others. */
  isFirst: boolean;
  run(trx: Db): Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** What came of one write. */
export type Outcome = { result: unknown } | { error: unknown };

/** How an engine runs the transaction of a group. */
export interface Transactions {
  /** Commits what `work` did, or rolls back what it did before it threw. Rejects before `work` where none can begin. */
  run<Result>(work: (trx: Db) => Promise<Result>): Promise<Result>;
  /** Runs one write of the transaction, of which nothing is left where it threw. Rejects where all is lost. */
  runInSavepoint(trx: Db, work: (trx: Db) => Promise<unknown>): Promise<Outcome>;
  /** Whether no transaction could begin because another program holds the lock. */
  isLocked(error: unknown): boolean;
  /** Whether a commit that failed has left nothing, for certain. */
  isRolledBack(error: unknown): boolean;
  /** Whether the engine undid the transaction because of others, and asks for it once more. */
  isToBeRepeated(error: unknown): boolean;
}

type GroupOptions = Pick<WriteOptions, "patience" | "isTrailOnly" | "isLong">;

/** A write of a group without savepoints threw. */
class GroupFailed extends Error {}

/**
 * Commits in groups: the writes of all requests of one turn of the event loop share one transaction, and
 * so one sync of the disk. Nobody hears of a result before the commit.
 *
 * Most groups hold no write that throws, and a savepoint copies every page that its write touches. So a group is
 * run without any first; where a write throws, all is rolled back and the group is run again, each write in a
 * savepoint of its own. A deferred foreign key is checked at the commit, where SQLite does not say whose it is. Each
 * write of a group whose commit is refused is therefore run again in a transaction of its own.
 *
 * A group is bounded: the writes that it has not begun after some time go into the next one. Rows of the audit trail
 * go first, because the answers to reads wait for them.
 *
 * While another program holds the lock, the group waits, and whatever is asked for meanwhile joins it. SQLite's
 * own busy timeout would stop every request of the process for that time. Beside a long write of this process, writes
 * wait for as long.
 */
export class GroupCommit {
  #waiting: PendingWrite[] = [];
  #running: Promise<void> | undefined;

  constructor(private readonly transactions: Transactions) {}

  /**
   * Runs `work` in one of the next groups. Rejects with what `work` threw, or with why the group could not commit.
   */
  write<Result>(
    work: (trx: Db) => Promise<Result>,
    { patience = LOCK_PATIENCE, isTrailOnly = false, isLong = false }: GroupOptions = {},
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({
        deadline: performance.now() + patience,
        place: isLong ? "transaction" : "group",
        isLong,
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
      // All that this turn of the event loop asks for has been asked for then.
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
        const isLong = group.some((pending) => pending.isLong);
        const watching = isLong
          ? setInterval(() => this.#giveUp(), LOCK_RETRY_INTERVAL)
          : undefined;
        try {
          for (const pending of group) {
            if (performance.now() - started > LONGEST_GROUP) break;
            outcomes.push(await this.#run(trx, pending, group));
          }
        } finally {
          clearInterval(watching);
        }
        this.#waiting.unshift(...group.splice(outcomes.length));
      });
    } catch (error) {
      if (group.length === 0) return this.#waitForLock(error);
      const refusedAtCommit =
        outcomes.length === group.length && this.transactions.isRolledBack(error);
      if (error instanceof GroupFailed) this.#repeat(group, "savepoint");
      else if (this.#isToBeRepeated(group, error)) this.#repeat(group, "transaction");
      else if (refusedAtCommit && group.length > 1) this.#repeat(group, "transaction");
      else for (const pending of group) pending.reject(error);
      return;
    }
    outcomes.forEach((outcome, index) => {
      if ("error" in outcome) group[index]?.reject(outcome.error);
      else group[index]?.resolve(outcome.result);
    });
  }

  /** The writes up to the next one that has a transaction of its own, or that one. */
  #takeGroup(): PendingWrite[] {
    this.#waiting.sort((a, b) => Number(b.isFirst) - Number(a.isFirst));
    const alone = this.#waiting.findIndex(({ place }) => place === "transaction");
    return this.#waiting.splice(0, alone === -1 ? this.#waiting.length : Math.max(alone, 1));
  }

  #repeat(group: PendingWrite[], place: PendingWrite["place"]): void {
    this.#waiting.unshift(...group.map((pending) => ({ ...pending, place })));
  }

  /** Each once, until its patience is over. */
  #isToBeRepeated(group: PendingWrite[], error: unknown): boolean {
    const now = performance.now();
    return this.transactions.isToBeRepeated(error) && group.every(({ deadline }) => deadline > now);
  }

  /** No transaction could begin. Whoever has waited long enough for a lock fails; other causes fail all. */
  async #waitForLock(cause: unknown): Promise<void> {
    if (this.transactions.isLocked(cause)) this.#giveUp(cause);
    else for (const pending of this.#waiting.splice(0)) pending.reject(cause);
    await Bun.sleep(LOCK_RETRY_INTERVAL);
  }

  /** Writes that have waited long enough fail. */
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
