import type { Database, Db } from "../../db/database.ts";
import { isTemporary } from "../../db/errors.ts";
import type { AuditEntry } from "./chain.ts";
import { recordEntries, settleHeads } from "./trail.ts";
import { isOfPasskey, PasskeyRefusals } from "./passkey-refusals.ts";
import { RejectionSummary } from "./rejection-summary.ts";
import { takeSpooled } from "./spooled.ts";

/** How long a response waits for the database lock before its row goes to the spool, in milliseconds. */
const LOCK_TIMEOUT = 20;

/** Interval of retries after a failure, in milliseconds. */
const RETRY_INTERVAL = 500;

/** Interval of checks for rows in the spool, in milliseconds. */
const SPOOL_CHECK_INTERVAL = 60_000;

/** Interval for which refused requests are summarized in one row, in milliseconds. */
const SUMMARY_INTERVAL = 60_000;

/** The same for refused uses of passkeys. */
const PASSKEY_INTERVAL = 60 * 60_000;

/** Refusals that are summarized, and when their sums are stored. */
interface Summary {
  refusals: RejectionSummary | PasskeyRefusals;
  interval: number;
  timer: Timer | undefined;
}

/** Logs the state of delayed rows for the operator. */
type Log = (line: {
  level: "info" | "error";
  message: string;
  code?: unknown;
  requests?: number;
}) => void;

/**
 * Writes the audit rows of requests that change nothing; changes write their rows in their own transaction. Responses
 * are sent after their row is durable.
 *
 * Reads do not wait for long writes. On SQLite, rows that cannot be written at once go to the spool file, and are moved
 * to the trail when the database accepts writes again. On PostgreSQL, the trail has its own lock.
 */
export class AuditRecorder {
  /** Rows for the next group commit, by organization. */
  readonly #next = new Map<string, { entries: AuditEntry[]; written: Promise<void> }>();
  /** The error due to which the database currently accepts no rows. */
  #cause: unknown;
  #timer: Timer | undefined;
  #taking: Promise<void> = Promise.resolve();
  readonly #ofRequests: Summary = {
    ...{ refusals: new RejectionSummary(), interval: SUMMARY_INTERVAL, timer: undefined },
  };
  readonly #ofPasskeys: Summary = {
    ...{ refusals: new PasskeyRefusals(), interval: PASSKEY_INTERVAL, timer: undefined },
  };
  #spoolTimer: Timer | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Log = () => {},
  ) {}

  /**
   * Moves rows from the spool to the trail, now and every minute: another process may have been killed and left some.
   */
  start(): void {
    this.#taking = this.#take();
    this.#spoolTimer = setInterval(() => {
      this.#taking = this.#take();
    }, SPOOL_CHECK_INTERVAL).unref();
  }

  /**
   * Resolves when the row is durable.
   *
   * @throws the database's error if the row cannot be stored. The response must then not be sent.
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
   * Counts a response, if it is a rejection that is summarized (see `RejectionSummary` and `PasskeyRefusals`).
   *
   * @returns whether the response is summarized and must not get its own row.
   */
  countRejection(entry: AuditEntry): boolean {
    const summary = isOfPasskey(entry) ? this.#ofPasskeys : this.#ofRequests;
    const isSummarized = summary.refusals.count(entry);
    this.#summarizeLater(summary);
    return isSummarized;
  }

  /** Waits for pending rows. Rows that remain in the spool are processed at the next start. */
  async finish(): Promise<void> {
    clearInterval(this.#spoolTimer);
    for (const summary of [this.#ofRequests, this.#ofPasskeys]) {
      clearTimeout(summary.timer);
      await this.#recordSummary(summary);
      clearTimeout(summary.timer);
    }
    clearTimeout(this.#timer);
    await this.#taking;
    clearTimeout(this.#timer);
    await this.#take();
    clearTimeout(this.#timer);
    // If this fails, only the truncation proof for the last minute is lost.
    await settleHeads(this.database).catch(() => {});
  }

  /**
   * Resolves when the row is durable. All rows recorded before the next group commit begins are written together, which
   * halves the cost per row.
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
      // Without a spool, the response waits for the lock as long as any write.
      const lockTimeout = this.database.file && { lockTimeout: LOCK_TIMEOUT };
      const written = this.database
        .write(append, { organizationId, isTrailOnly: true, ...lockTimeout })
        .finally(closed);
      next = { entries, written };
      this.#next.set(organizationId, next);
    }
    next.entries.push(entry);
    return next.written;
  }

  async #recordSummary(summary: Summary): Promise<void> {
    const rows = summary.refusals.take();
    const outcomes = await Promise.allSettled(rows.map((row) => this.record(row)));
    const lost = rows.filter((_, index) => outcomes[index]?.status === "rejected");
    summary.refusals.giveBack(lost);
    summary.timer = undefined;
    if (lost.length > 0) this.#summarizeLater(summary);
    const kept = rows.filter((row) => !lost.includes(row));
    const requests = kept.reduce((sum, row) => sum + (row.requests ?? 0), 0);
    if (requests > 0) this.log({ level: "info", message: "refused requests summarized", requests });
  }

  #summarizeLater(summary: Summary): void {
    const record = () => void this.#recordSummary(summary);
    summary.timer ??= setTimeout(record, summary.interval).unref();
  }

  async #spool(entry: AuditEntry): Promise<void> {
    const cause = this.#cause;
    try {
      await this.database.file?.spool.append(JSON.stringify(entry));
    } catch {
      throw cause;
    }
    // While this row waited to be written, the others may have been moved to the trail, and no retry is left.
    if (this.#cause === undefined) this.#taking = this.#take();
  }

  /** Sends all rows to the spool until the retry; each would otherwise wait for the lock. */
  #retryLater(cause: unknown): void {
    if (this.#cause === undefined) {
      const { code } = cause as { code?: unknown };
      this.log({ level: "error", message: "audit rows are delayed", code });
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
        this.log({ level: "info", message: "delayed audit rows are stored" });
      this.#cause = undefined;
    } catch (error) {
      this.#retryLater(error);
    }
  }
}
