import type { Database, Db } from "../../db/database.ts";
import { isTemporary } from "../../db/errors.ts";
import type { AuditEntry } from "./chain.ts";
import { recordEntries, settleHeads } from "./recording.ts";
import { RefusalSums } from "./refusals.ts";
import { takeSpooled } from "./spooled.ts";

/** How long an answer waits for its row while another program holds the lock and there is a spool, in milliseconds. */
const LOCK_PATIENCE = 20;

/** How long after a failure the database is tried again, in milliseconds. */
const RETRY_INTERVAL = 500;

/** How often the spool is looked into, in milliseconds. */
const LOOKING_INTERVAL = 60_000;

/** How long refused requests are summed up for one row, in milliseconds. */
const SUMMING_TIME = 60_000;

/** Tells an operator what becomes of rows that are late. */
export type Tell = (line: {
  level: "info" | "error";
  message: string;
  code?: unknown;
  requests?: number;
}) => void;

/**
 * Writes the rows of requests that change nothing; that of a change is part of its transaction. An answer leaves
 * when its row is durable.
 *
 * Reads do not wait for a long write. On SQLite, rows that the database does not take at once go to the spool beside it,
 * and from there into the trail as soon as the database takes them. On PostgreSQL the trail has a lock of its own.
 */
export class AuditRecorder {
  /** Rows that wait for the next group of writes, by organization. */
  readonly #next = new Map<string, { entries: AuditEntry[]; written: Promise<void> }>();
  /** Why the database takes no rows now. */
  #cause: unknown;
  #timer: Timer | undefined;
  #taking: Promise<void> = Promise.resolve();
  readonly #refusals = new RefusalSums();
  #summing: Timer | undefined;
  #looking: Timer | undefined;

  constructor(
    private readonly database: Database,
    private readonly tell: Tell = () => {},
  ) {}

  /** Takes into the trail what other processes left in the spool, now and every minute; they may have been killed. */
  start(): void {
    this.#taking = this.#take();
    this.#looking = setInterval(() => {
      this.#taking = this.#take();
    }, LOOKING_INTERVAL).unref();
  }

  /**
   * Resolves when the row is durable.
   *
   * @throws the database's error where the row can be kept nowhere: then the answer must not leave.
   */
  async record(entry: AuditEntry): Promise<void> {
    if (this.database.file === undefined) return this.#append(entry);
    if (this.#cause !== undefined) return this.#spool(entry);
    try {
      await this.#append(entry);
    } catch (error) {
      if (!isTemporary(error)) throw error;
      this.#retryLater(error);
      return this.#spool(entry);
    }
  }

  /**
   * Counts an answered request where it is a refusal that is summed up with others of its kind (`RefusalSums`).
   *
   * @returns whether it is one beyond the first: then it is to leave no row of its own.
   */
  sumsUp(entry: AuditEntry): boolean {
    const isSummedUp = this.#refusals.count(entry);
    this.#sumLater();
    return isSummedUp;
  }

  /** Waits for what is being written. Rows that are in the spool even now are taken at the next start. */
  async finish(): Promise<void> {
    clearInterval(this.#looking);
    clearTimeout(this.#summing);
    await this.#recordSums();
    clearTimeout(this.#summing);
    clearTimeout(this.#timer);
    await this.#taking;
    clearTimeout(this.#timer);
    await this.#take();
    clearTimeout(this.#timer);
    // Where that is not possible now, nothing is lost but the proof of the last minute.
    await settleHeads(this.database).catch(() => {});
  }

  /**
   * Resolves when the row is durable. The rows that are recorded before the next group of writes begins are one
   * write of it: more than half of what a row cost went into its own place in the group and its own way to the head and
   * back.
   */
  #append(entry: AuditEntry): Promise<void> {
    const { organizationId } = entry;
    let next = this.#next.get(organizationId);
    if (next === undefined) {
      const entries: AuditEntry[] = [];
      const closed = () => {
        if (this.#next.get(organizationId)?.entries === entries) this.#next.delete(organizationId);
      };
      const append = (trx: Db) => {
        closed();
        return recordEntries(trx, entries);
      };
      // Without a spool, the answer waits as long as any write does.
      const patience = this.database.file && { patience: LOCK_PATIENCE };
      const written = this.database
        .write(append, { organizationId, isTrailOnly: true, ...patience })
        .finally(closed);
      next = { entries, written };
      this.#next.set(organizationId, next);
    }
    next.entries.push(entry);
    return next.written;
  }

  async #recordSums(): Promise<void> {
    const rows = this.#refusals.take();
    const outcomes = await Promise.allSettled(rows.map((row) => this.record(row)));
    const lost = rows.filter((_, index) => outcomes[index]?.status === "rejected");
    this.#refusals.giveBack(lost);
    this.#summing = undefined;
    if (lost.length > 0) this.#sumLater();
    const kept = rows.filter((row) => !lost.includes(row));
    const requests = kept.reduce((sum, row) => sum + (row.requests ?? 0), 0);
    if (requests > 0) this.tell({ level: "info", message: "refused requests summed up", requests });
  }

  #sumLater(): void {
    this.#summing ??= setTimeout(() => void this.#recordSums(), SUMMING_TIME).unref();
  }

  async #spool(entry: AuditEntry): Promise<void> {
    const cause = this.#cause;
    try {
      await this.database.file?.spool.append(JSON.stringify(entry));
    } catch {
      throw cause;
    }
  }

  /** Until then all rows go to the spool: each would wait for the lock. */
  #retryLater(cause: unknown): void {
    if (this.#cause === undefined) {
      const { code } = cause as { code?: unknown };
      this.tell({ level: "error", message: "audit rows are late", code });
    }
    this.#cause = cause;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#taking = this.#take();
    }, RETRY_INTERVAL).unref();
  }

  async #take(): Promise<void> {
    try {
      if (await takeSpooled(this.database))
        this.tell({ level: "info", message: "late audit rows are in the trail" });
      this.#cause = undefined;
    } catch (error) {
      this.#retryLater(error);
    }
  }
}
